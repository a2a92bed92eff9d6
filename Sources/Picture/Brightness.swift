/// A brightness setting from -1 (much darker) to 1; 0 is neutral.
///
/// `brightnessOffset` is added to R', G' and B' (0…1, before clipping), so that black and white shift together and
/// contrast is unchanged. At either extreme it is half of the range: at 1, black becomes middle gray; at -1, white
/// does.
public struct Brightness: Hashable, Sendable {
    /// The setting, -1…1.
    public let value: Double

    /// Clamps `value` to -1…1; NaN becomes 0.
    public init(_ value: Double) { self.value = value.isNaN ? 0 : min(max(value, -1), 1) }

    /// No change.
    public static let unchanged = Brightness(0)

    /// The offset that a setting of 1 adds.
    public static let reach = 0.5

    /// The offset added to R', G' and B', each of which is 0…1.
    public var brightnessOffset: Double { value * Self.reach }
}
