public import GlissadeTime

/// A window of a frame loop. It shows frames, and provides events and display reports. Main thread.
@MainActor public protocol FrameSurface: DrawableSurface {
    /// Fills `taken`, which must be empty, with the events since the last call.
    func drainEvents(into taken: inout [WindowEvent])
    /// Sleeps until an event arrives, another thread wakes the main thread, or `deadline` has passed. If `deadline` is
    /// nil, sleeps without a time limit. If `deadline` is in the past, only collects pending events.
    func wait(until deadline: HostTime?)
    /// Sleeps until `time` without handling events. Used to hold a finished frame for a few milliseconds.
    func hold(until time: HostTime)
    /// Records the window's position and size for the next frame. Returns false if the size differs from the last size
    /// reported by an event. The caller must then drain the events and call `beginFrame` again.
    func beginFrame() -> Bool
    /// Whether a frame drawn for the position and size recorded by `beginFrame` still fits the window.
    var isCurrent: Bool { get }
    /// Called right after each frame that the main thread has shown, without `RenderLock`. The surface may now change
    /// the window.
    func frameWasShown()
    /// The latest time until which no frame may be drawn, because the window is about to change; nil if frames may be
    /// drawn, for example because the window has changed. A frame drawn for the old area could be shown after the
    /// change, at the wrong place.
    func frameHoldDeadline(at now: HostTime) -> HostTime?
    /// Whether a frame can be drawn and shown now without waiting for earlier frames. False while the display holds
    /// frames back, for example because the window is covered or on another workspace, or because the screen is off.
    func isReady(at now: HostTime) -> Bool
    /// When to call `pollGeometry` even if nothing is drawn; nil if there is no need to call it.
    var nextGeometryPoll: HostTime? { get }
    /// Checks for window changes that no event reports, and makes requests to the window manager that are due.
    func pollGeometry(at now: HostTime)
    /// Appends to `taken` the display's reports since the last call. Some displays make no reports.
    func takeReports(into taken: inout [DisplayReport])
    /// Asks the display to report `count` refreshes, in addition to its reports about frames. Has no effect if the
    /// display reports no refreshes.
    ///
    /// - Parameter last: The count of a recent or coming refresh, which the requested refreshes follow; nil if unknown.
    ///   If nil, only one report is requested.
    func requestRefreshes(_ count: Int, after last: Int64?)
}

extension FrameSurface {
    public func hold(until time: HostTime) { time.sleep() }
    public func beginFrame() -> Bool { true }
    public var isCurrent: Bool { true }
    public func frameWasShown() {}
    public func frameHoldDeadline(at now: HostTime) -> HostTime? { nil }
    public func isReady(at now: HostTime) -> Bool { true }
    public var nextGeometryPoll: HostTime? { nil }
    public func pollGeometry(at now: HostTime) {}
    public func takeReports(into taken: inout [DisplayReport]) {}
    public func requestRefreshes(_ count: Int, after last: Int64?) {}
}
