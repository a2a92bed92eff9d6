/// Work for the next frame that was requested since the last layout. Main thread.
@MainActor final class FrameRequests {
    /// Whether the screen is out of date and must be redrawn at once.
    private(set) var needsRedraw = true
    /// Whether something will change in the next frame.
    private(set) var wantsTick = false
    /// Whether the window jumped to another size and shows its old contents.
    private(set) var needsImmediateRelayout = false
    /// Whether the snapshot of the page beneath is out of date.
    private var isSnapshotStale = false

    func setNeedsTick() { wantsTick = true }

    func setNeedsRedraw() { needsRedraw = true }

    func setNeedsImmediateRelayout() { needsImmediateRelayout = true }

    func invalidateSnapshot() {
        isSnapshotStale = true
        wantsTick = true
    }

    /// Clears all requests; later ones are for the following frame.
    ///
    /// - Returns: Whether a snapshot must be taken again.
    func beginLayout() -> Bool {
        defer { isSnapshotStale = false }
        needsRedraw = false
        wantsTick = false
        needsImmediateRelayout = false
        return isSnapshotStale
    }
}
