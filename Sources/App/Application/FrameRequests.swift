/// Requests for the next frame, collected since the last layout. Main thread.
@MainActor final class FrameRequests {
    /// Whether the main window is out of date and must be redrawn at once.
    private(set) var needsRedraw = true
    /// Whether another frame was requested because something may have changed.
    private(set) var wantsTick = false
    /// Whether the main window's size has changed abruptly, and the pages are still laid out for the old size.
    private(set) var needsImmediateRelayout = false
    /// Whether the snapshot of the lower page in a page transition is out of date.
    private var isSnapshotStale = false

    func setNeedsTick() { wantsTick = true }

    func setNeedsRedraw() { needsRedraw = true }

    func setNeedsImmediateRelayout() { needsImmediateRelayout = true }

    func invalidateSnapshot() {
        isSnapshotStale = true
        wantsTick = true
    }

    /// Clears all requests at the beginning of a layout. Requests made during the layout apply to the next frame.
    ///
    /// - Returns: Whether the snapshot of the lower page in a page transition must be taken again.
    func beginLayout() -> Bool {
        defer { isSnapshotStale = false }
        needsRedraw = false
        wantsTick = false
        needsImmediateRelayout = false
        return isSnapshotStale
    }
}
