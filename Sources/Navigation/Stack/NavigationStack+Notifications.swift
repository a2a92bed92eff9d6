// Notifying pages. The stack first reaches its new state and then sends one notification at a time, because a page
// may change the stack when notified. The next notification is then based on the changed state.

extension NavigationStack {
    /// A drag that has ended, with the notifications that its page has not received yet.
    struct DragEnd {
        let page: Page
        /// The final progress to report; nil if it has already been reported.
        var progress: Double?
        let isPopped: Bool
    }

    func notify() {
        while notifyOfLastProgress() || notifyOfAppearance() || notifyOfDragEnd() || notifyOfTop() {}
    }

    private func notifyOfLastProgress() -> Bool {
        guard let index = dragEnds.firstIndex(where: { $0.progress != nil }), let progress = dragEnds[index].progress
        else { return false }
        dragEnds[index].progress = nil
        dragEnds[index].page.didDrag(progress: progress)
        return true
    }

    private func notifyOfDragEnd() -> Bool {
        guard !dragEnds.isEmpty else { return false }
        let end = dragEnds.removeFirst()
        end.page.didEndDragging(popped: end.isPopped)
        return true
    }

    private func notifyOfTop() -> Bool {
        guard top !== reportedTop else { return false }
        reportedTop = top
        onChange?()
        return true
    }

    /// Calls the next appearance function that is due, such as `willAppear`, on one page. Returns false if none is due.
    /// Calls all `will` functions before any `did` function. Within each kind, notifies leaving pages first.
    private func notifyOfAppearance() -> Bool {
        let wanted = [transition?.leaving, transition?.coming].compactMap { $0 }
        for page in wanted.isEmpty ? [top] : wanted where !seen.contains(where: { $0 === page }) { seen.append(page) }
        defer { seen.removeAll { $0.appearance.state == .hidden } }
        let going = seen.filter { !isComing($0) }
        let coming = seen.filter { isComing($0) }
        for page in going + coming where page.appearance.step(to: wantedState(of: page), page) { return true }
        for page in going + coming where page.appearance.arrive(at: wantedState(of: page), page) { return true }
        return false
    }

    private func isComing(_ page: Page) -> Bool {
        let state = wantedState(of: page)
        return state == .appearing || state == .shown
    }

    private func wantedState(of page: Page) -> PageAppearance.State {
        guard hasLayout else { return .hidden }
        guard let transition else { return page === top ? .shown : .hidden }
        return page === transition.coming ? .appearing : page === transition.leaving ? .disappearing : .hidden
    }
}
