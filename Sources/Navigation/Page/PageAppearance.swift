/// Where a page is in its life on the screen, and the calls that take it from one state to the next: each `will` is
/// followed by its `did` or by the opposite `will`, also where a hand turns back half way.
///
/// A class, and changed before the page hears of it: what the page does about it may change it again.
@MainActor final class PageAppearance {
    enum State { case hidden, appearing, shown, disappearing }

    private(set) var state = State.hidden

    /// Goes one step towards `wanted`, if that step is to be a `will`: to appear, or not to.
    ///
    /// - Returns: whether there was one to go.
    func turn(to wanted: State, _ page: Page) -> Bool {
        let isWanted = wanted == .appearing || wanted == .shown
        switch state {
        case .hidden where isWanted, .disappearing where isWanted:
            state = .appearing
            page.willAppear()
        case .shown where !isWanted, .appearing where !isWanted:
            state = .disappearing
            page.willDisappear()
        default: return false
        }
        return true
    }

    /// Arrives at `wanted`, where it is on the way there.
    ///
    /// - Returns: whether it has.
    func arrive(at wanted: State, _ page: Page) -> Bool {
        switch (state, wanted) {
        case (.appearing, .shown):
            state = .shown
            page.didAppear()
        case (.disappearing, .hidden):
            state = .hidden
            page.didDisappear()
        default: return false
        }
        return true
    }
}
