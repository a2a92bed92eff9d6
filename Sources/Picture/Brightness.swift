/// A brightness setting from -1 (much darker) to 1; 0 is neutral.
///
/// `brightnessOffset` is added to red, green and blue (R'G'B', 0…1, before clipping), so that black and white shift
/// together and contrast is unchanged. At either end it is half of the range: at 1, black becomes middle gray; at -1,
/// white does.
public struct Brightness: Hashable, Sendable {
    /// -1…1.
    public let value: Double

    /// Clamped; NaN becomes 0.
    public init(_ value: Double) { self.value = value.isNaN ? 0 : min(max(value, -1), 1) }

    /// No change.
    public static let unchanged = Brightness(0)

    /// The offset at 1.
    public static let reach = 0.5

    /// The offset added to R'G'B', each 0…1.
    public var brightnessOffset: Double { value * Self.reach }
}
