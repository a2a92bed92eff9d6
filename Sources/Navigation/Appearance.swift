/// Where a page is in its life on the screen, and the calls that keep it balanced: each `will` is followed by its `did`
/// or by the opposite `will`, also where a hand turns back half way.
struct Appearance {
    enum State { case hidden, appearing, shown, disappearing }

    private(set) var state = State.hidden

    /// Begins to appear; nothing where it does already.
    @MainActor mutating func begin(_ page: Page) {
        guard state == .hidden || state == .disappearing else { return }
        state = .appearing
        page.willAppear()
    }

    /// Begins to disappear.
    @MainActor mutating func beginLeaving(_ page: Page) {
        guard state == .shown || state == .appearing else { return }
        state = .disappearing
        page.willDisappear()
    }

    /// Has appeared, or has disappeared: whichever was begun.
    @MainActor mutating func finish(_ page: Page) {
        switch state {
        case .appearing:
            state = .shown
            page.didAppear()
        case .disappearing:
            state = .hidden
            page.didDisappear()
        case .hidden, .shown: break
        }
    }
}
