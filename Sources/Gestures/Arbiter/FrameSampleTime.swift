public import Time

/// Chooses the time as of which a frame shows a dragging pointer: about when events were last read, but evenly spaced.
///
/// Events are read at varying times before the frame becomes visible. This follows the mean of that lead slowly, so the
/// times it returns are as even as those at which frames become visible. Pure: the time is passed in.
public struct FrameSampleTime: Sendable {
    /// Leads longer than this are not plausible.
    static let longestLead = Duration.milliseconds(50)
    /// How much one frame's lead changes the mean.
    static let weight = 1.0 / 16

    /// The mean time from reading events until the frame is visible; nil before the first frame.
    private var lead: Duration?

    public init() {}

    /// Returns the time as of which to show the pointer in a frame that is visible at `visible`.
    ///
    /// - Parameter read: When the events that the frame takes into account were read.
    public mutating func next(visibleAt visible: HostTime, eventsReadAt read: HostTime) -> HostTime {
        let measured = min(max(visible - read, .zero), Self.longestLead)
        let lead = self.lead.map { $0 + (measured - $0) * Self.weight } ?? measured
        self.lead = lead
        return visible - lead
    }
}
