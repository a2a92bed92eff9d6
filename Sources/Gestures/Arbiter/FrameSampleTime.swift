public import GlissadeTime

/// Chooses the time at which a frame samples the position of a dragging pointer.
///
/// The time from reading events until a frame becomes visible is called the lead, and varies from frame to frame. The
/// sample time is the time at which the frame becomes visible, minus the smoothed lead. Sample times are therefore
/// almost as evenly spaced as the frames. Reads no clock.
public struct FrameSampleTime: Sendable {
    /// The maximum lead. A longer measured lead is clamped.
    static let longestLead = Duration.milliseconds(50)
    /// The weight of one frame's lead in the smoothed lead.
    static let weight = 1.0 / 16

    /// The smoothed lead; nil before the first frame.
    private var lead: Duration?

    public init() {}

    /// Returns the sample time for a frame that becomes visible at `visible`.
    ///
    /// - Parameter read: The time at which events were last read for the frame.
    public mutating func next(visibleAt visible: HostTime, eventsReadAt read: HostTime) -> HostTime {
        let measured = min(max(visible - read, .zero), Self.longestLead)
        let lead = self.lead.map { $0 + (measured - $0) * Self.weight } ?? measured
        self.lead = lead
        return visible - lead
    }
}
