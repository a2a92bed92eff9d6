/// An sRGB color with straight alpha. Its components range from 0 to 1.
public struct Color: Hashable, Sendable {
    /// The red component. Drawing clamps every component to the range 0…1.
    public var red: Double
    /// The green component.
    public var green: Double
    /// The blue component.
    public var blue: Double
    /// The opacity, from 0 (invisible) to 1.
    public var alpha: Double

    public init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
        self.red = red
        self.green = green
        self.blue = blue
        self.alpha = alpha
    }

    /// Opaque black.
    public static let black = Color(red: 0, green: 0, blue: 0)
    /// Opaque white.
    public static let white = Color(red: 1, green: 1, blue: 1)

    /// Whether the color hides everything beneath it.
    public var isOpaque: Bool { alpha >= 1 }
}
