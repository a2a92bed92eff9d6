/// How much brighter than it is a picture is to be shown: -1, by far darker, to 1; 0 leaves it as it is.
///
/// What it means: `brightnessOffset` is added to red, green and blue (R'G'B', 0…1, before they are clipped), so that black and white
/// move together and contrast stays. At its ends that is half of the range: black becomes middle gray, or white does.
public struct Brightness: Hashable, Sendable {
    /// -1…1.
    public let value: Double

    /// What is out of range is brought to its end; not-a-number is 0.
    public init(_ value: Double) { self.value = value.isNaN ? 0 : min(max(value, -1), 1) }

    public static let unchanged = Brightness(0)

    /// What 1 adds, of 1.
    public static let reach = 0.5

    /// What is added to R'G'B', each 0…1.
    public var brightnessOffset: Double { value * Self.reach }
}
