public import Time

/// Chooses the time for which a frame shows the position of a dragging pointer: about when events were last read, but
/// evenly spaced from frame to frame.
///
/// The time from reading events until the frame becomes visible, called the lead, varies. Each result is the time at
/// which the frame becomes visible, minus a slowly changing mean of the lead. The results are therefore as evenly
/// spaced as the frames. Pure: the time is passed in.
public struct FrameSampleTime: Sendable {
    /// The longest plausible lead. A longer one is clamped.
    static let longestLead = Duration.milliseconds(50)
    /// The weight of one frame's lead in the mean.
    static let weight = 1.0 / 16

    /// The mean time from reading events until the frame becomes visible; nil before the first frame.
    private var lead: Duration?

    public init() {}

    /// Returns the time for which to compute the pointer's position in a frame that becomes visible at `visible`.
    ///
    /// - Parameter read: When the latest events that the frame reflects were read.
    public mutating func next(visibleAt visible: HostTime, eventsReadAt read: HostTime) -> HostTime {
        let measured = min(max(visible - read, .zero), Self.longestLead)
        let lead = self.lead.map { $0 + (measured - $0) * Self.weight } ?? measured
        self.lead = lead
        return visible - lead
    }
}
