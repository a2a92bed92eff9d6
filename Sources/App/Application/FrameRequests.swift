/// Requests for the next frame, collected since the last layout. Main thread.
@MainActor final class FrameRequests {
    /// Whether the main window is out of date and must be redrawn at once.
    private(set) var needsRedraw = true
    /// Whether something may change in the next frame.
    private(set) var wantsTick = false
    /// Whether the main window has jumped to another size but still shows the layout for the old one.
    private(set) var needsImmediateRelayout = false
    /// Whether the snapshot of the lower page in a transition is out of date.
    private var isSnapshotStale = false

    func setNeedsTick() { wantsTick = true }

    func setNeedsRedraw() { needsRedraw = true }

    func setNeedsImmediateRelayout() { needsImmediateRelayout = true }

    func invalidateSnapshot() {
        isSnapshotStale = true
        wantsTick = true
    }

    /// Clears all requests at the beginning of a layout. Later requests are for the following frame.
    ///
    /// - Returns: Whether the snapshot of the lower page in a transition must be taken again.
    func beginLayout() -> Bool {
        defer { isSnapshotStale = false }
        needsRedraw = false
        wantsTick = false
        needsImmediateRelayout = false
        return isSnapshotStale
    }
}
