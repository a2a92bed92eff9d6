/// Tracks whether a page is visible, and calls its appearance functions. Each `will` function is followed by its `did`
/// function or, if the transition turns back, by the opposite `will` function.
///
/// This is a class, because the page may cause another change from within a notification.
@MainActor final class PageAppearance {
    enum State { case hidden, appearing, shown, disappearing }

    private(set) var state = State.hidden

    /// Calls `willAppear` or `willDisappear`, unless the page has already been notified of the change to `wanted`.
    ///
    /// - Returns: Whether a function was called.
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

    /// Calls `didAppear` if the page is appearing and `wanted` is `.shown`, or `didDisappear` if it is disappearing
    /// and `wanted` is `.hidden`.
    ///
    /// - Returns: Whether a function was called.
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
