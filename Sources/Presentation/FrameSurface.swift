public import Time

/// The window of a frame loop: it shows the frames and provides events. Main thread.
@MainActor public protocol FrameSurface: DrawableSurface {
    /// Appends the events since the last call to `taken`.
    func drainEvents(into taken: inout [WindowEvent])
    /// Sleeps until an event, a wake-up from another thread, or `deadline`. If `deadline` is nil, it sleeps without
    /// limit; if it is in the past, it only polls.
    func wait(until deadline: HostTime?)
    /// Sleeps until `time`, ignoring events: for the few milliseconds for which a finished frame is held.
    func hold(until time: HostTime)
    /// Records the window's position and size for the next frame. False if there are events about them that have not
    /// been taken yet.
    func beginFrame() -> Bool
    /// Whether the window system still has the window at that position and size. Called right before a swap.
    var isCurrent: Bool { get }
    /// Whether a frame could be drawn and shown without waiting for earlier ones. False while the display holds frames
    /// back: the window is covered or on another workspace, or the screen is off.
    func isReady(at now: HostTime) -> Bool
    /// When to call `pollGeometry` even if nothing is drawn; nil if there is no need to.
    var nextGeometryPoll: HostTime? { get }
    /// Checks for changes of the window that no event reports.
    func pollGeometry(at now: HostTime)
    /// Appends the display's reports since the last call to `taken`; nothing if the display makes no reports.
    func takeReports(into taken: inout [DisplayReport])
    /// Asks the display to report the next `count` refreshes, in addition to those at which frames are shown.
    ///
    /// - Parameter last: The number of the last reported refresh; nil if there is none.
    func requestRefreshes(_ count: Int, after last: Int64?)
}

extension FrameSurface {
    public func hold(until time: HostTime) { time.sleep() }
    public func beginFrame() -> Bool { true }
    public var isCurrent: Bool { true }
    public func isReady(at now: HostTime) -> Bool { true }
    public var nextGeometryPoll: HostTime? { nil }
    public func pollGeometry(at now: HostTime) {}
    public func takeReports(into taken: inout [DisplayReport]) {}
    public func requestRefreshes(_ count: Int, after last: Int64?) {}
}
