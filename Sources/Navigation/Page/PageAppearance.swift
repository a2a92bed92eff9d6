/// Tracks whether a page is visible, and notifies the page of changes. Each `will` is followed by its `did` or, if a
/// drag turns back halfway, by the opposite `will`.
///
/// A class, so that the state can change before the page is notified: the page may change it again in response.
@MainActor final class PageAppearance {
    enum State { case hidden, appearing, shown, disappearing }

    private(set) var state = State.hidden

    /// Sends the next `will` notification needed to reach `wanted`, if any.
    ///
    /// - Returns: Whether a notification was sent.
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

    /// Sends the `did` notification for `wanted`, if its `will` was the last one sent.
    ///
    /// - Returns: Whether a notification was sent.
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
