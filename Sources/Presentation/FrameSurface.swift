public import Time

/// A window that a frame loop runs in: where frames are drawn and where events come from. Main thread.
@MainActor public protocol FrameSurface: DrawableSurface {
    /// Appends the events since the last call to `taken`.
    func drainEvents(into taken: inout [WindowEvent])
    /// Sleeps until an event, a wake-up from another thread, or `deadline`. With nil it sleeps without limit; a deadline
    /// in the past only polls.
    func wait(until deadline: HostTime?)
    /// Sleeps until `time`, whatever happens: the few milliseconds for which a finished frame is held.
    func hold(until time: HostTime)
    /// Records the window's position and size, for which the next frame is drawn. False if events that report them have
    /// not been taken yet.
    func beginFrame() -> Bool
    /// Whether the window system still has the window at that position and size. Called right before a swap.
    var isCurrent: Bool { get }
    /// Whether a frame could be drawn and shown without waiting for earlier ones. False while the display holds frames
    /// back: the window is covered or on another workspace, or the screen is off.
    func isReady(at now: HostTime) -> Bool
    /// When to call `pollGeometry` even if nothing is drawn; nil if there is no need to.
    var nextGeometryPoll: HostTime? { get }
    /// Looks for changes of the window that no event reports.
    func pollGeometry(at now: HostTime)
    /// Appends the display's reports since the last call to `taken`; none if it makes none.
    func takeReports(into taken: inout [DisplayReport])
    /// Asks the display to report the next `count` refreshes, beside those at which frames are shown.
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
