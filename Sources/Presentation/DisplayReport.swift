public import Time

/// What a display reports about a window: that it has refreshed, or what became of a frame. A value; any thread.
///
/// Source: the complete events of the X Present extension.
public struct DisplayReport: Hashable, Sendable {
    /// What happened, as far as the display says.
    public enum Event: Hashable, Sendable {
        /// A refresh that was requested.
        case refreshed
        /// The oldest frame not yet reported is on screen.
        case presented
        /// The oldest frame not yet reported was replaced by a newer one before it was seen.
        case skipped
    }

    /// Whether it refreshed, or what became of the oldest frame not yet reported.
    public var event: Event
    /// When it happened (`ust`).
    public var time: HostTime
    /// The number of the refresh (`msc`); nil if the display is virtual, so that its refreshes are made up.
    public var refreshCount: Int64?

    public init(_ event: Event, at time: HostTime, refreshCount: Int64?) {
        self.event = event
        self.time = time
        self.refreshCount = refreshCount
    }

    /// The refresh, for a `DisplayClock`; nil if it says nothing about the display's refreshes.
    var refresh: DisplayClock.Refresh? {
        guard event != .skipped else { return nil }
        return refreshCount.map { DisplayClock.Refresh(count: $0, time: time) }
    }
}
