/// A brightness setting from -1 (much darker) to 1; 0 is neutral.
///
/// `brightnessOffset` is added to R', G' and B' before they are clipped to 0…1. Black and white shift by the same
/// amount, so contrast is unchanged. At 1, black becomes middle gray. At -1, white becomes middle gray.
public struct Brightness: Hashable, Sendable {
    /// The setting, -1…1.
    public let value: Double

    /// Clamps `value` to -1…1; NaN becomes 0.
    public init(_ value: Double) { self.value = value.isNaN ? 0 : min(max(value, -1), 1) }

    /// The neutral setting, 0.
    public static let unchanged = Brightness(0)

    /// The offset at a setting of 1: half of the range of R', G' and B'.
    public static let reach = 0.5

    /// The offset to add to R', G' and B', each of which is 0…1.
    public var brightnessOffset: Double { value * Self.reach }
}
