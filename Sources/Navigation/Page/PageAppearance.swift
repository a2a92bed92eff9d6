/// A page's appearance state and the calls that change it. Each `will` is followed by its `did` or by the opposite
/// `will`, even if a drag turns back halfway.
///
/// A class, updated before the page is notified, because the page's reaction may change it again.
@MainActor final class PageAppearance {
    enum State { case hidden, appearing, shown, disappearing }

    private(set) var state = State.hidden

    /// Takes one step towards `wanted` if that step is a `will`.
    ///
    /// - Returns: Whether a step was taken.
    func step(to wanted: State, _ page: Page) -> Bool {
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

    /// Completes the step to `wanted` if it is under way.
    ///
    /// - Returns: Whether a step was completed.
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
