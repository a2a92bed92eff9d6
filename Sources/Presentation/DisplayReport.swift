public import GlissadeTime

/// A report from a window's display: a refresh, or what happened to a frame.
///
/// Source: `CompleteNotify` events of the X Present extension.
public struct DisplayReport: Hashable, Sendable {
    /// The kind of report.
    public enum Event: Hashable, Sendable {
        /// The display has refreshed. Reported only on request (`FrameSurface.requestRefreshes`).
        case refreshed
        /// A frame became visible.
        case presented
        /// A frame was replaced by a newer one before it was visible.
        case skipped
    }

    /// The kind of report.
    public var event: Event
    /// When the event happened (`ust` in Present).
    public var time: HostTime
    /// The display's refresh count at `time` (`msc` in Present). Nil for a virtual display, which has no real
    /// refreshes.
    public var refreshCount: Int64?
    /// When the frame was sent to the display; nil if this time is unknown, or if the report is not about a frame.
    public var sentTime: HostTime?

    public init(_ event: Event, at time: HostTime, refreshCount: Int64?, sentTime: HostTime? = nil) {
        self.event = event
        self.time = time
        self.refreshCount = refreshCount
        self.sentTime = sentTime
    }

    /// The refresh to pass to a `DisplayClock`; nil for a skipped frame and for a virtual display.
    var refresh: DisplayClock.Refresh? {
        guard event != .skipped else { return nil }
        return refreshCount.map { DisplayClock.Refresh(count: $0, time: time) }
    }
}
