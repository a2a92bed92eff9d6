public import Geometry

/// A value that can be animated: it can be added, scaled and interpolated.
///
/// Geometry and colors are plain vectors. A color is interpolated as it is given (sRGB, straight alpha). Colors of
/// different alpha are better interpolated premultiplied: fade the layer instead. An underdamped spring overshoots a
/// component past 1, which is clamped when it is drawn.
public protocol Animatable: AdditiveArithmetic, Sendable {
    /// The value `factor` times as long: each component is multiplied.
    func scaled(by factor: Double) -> Self
    /// The vector's length; not finite if a component is not.
    var magnitude: Double { get }
}

extension Animatable {
    /// Interpolates between this value at `fraction` 0 and `other` at 1; exactly `other` at 1.
    @inlinable public func mixed(with other: Self, fraction: Double) -> Self {
        fraction == 1 ? other : self + (other - self).scaled(by: fraction)
    }

    /// Whether it is small enough for arithmetic: differences and squares of such values are finite.
    var isUsable: Bool { magnitude <= 1e150 }
}

extension Double: Animatable {
    @inlinable public func scaled(by factor: Double) -> Double { self * factor }
}

extension Point: Animatable {
    @inlinable public static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    @inlinable public static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
    @inlinable public func scaled(by factor: Double) -> Point { Point(x: x * factor, y: y * factor) }
    public var magnitude: Double { (x * x + y * y).squareRoot() }
}

extension Size: Animatable {
    @inlinable public static func + (a: Size, b: Size) -> Size {
        Size(width: a.width + b.width, height: a.height + b.height)
    }
    @inlinable public static func - (a: Size, b: Size) -> Size {
        Size(width: a.width - b.width, height: a.height - b.height)
    }
    @inlinable public func scaled(by factor: Double) -> Size { Size(width: width * factor, height: height * factor) }
    public var magnitude: Double { (width * width + height * height).squareRoot() }
}

/// Interpolates origin and size separately.
extension Rect: Animatable {
    @inlinable public static func + (a: Rect, b: Rect) -> Rect {
        Rect(origin: a.origin + b.origin, size: a.size + b.size)
    }
    @inlinable public static func - (a: Rect, b: Rect) -> Rect {
        Rect(origin: a.origin - b.origin, size: a.size - b.size)
    }
    @inlinable public func scaled(by factor: Double) -> Rect {
        Rect(origin: origin.scaled(by: factor), size: size.scaled(by: factor))
    }
    public var magnitude: Double {
        let (corner, extent) = (origin.magnitude, size.magnitude)
        return (corner * corner + extent * extent).squareRoot()
    }
}

/// Interpolates component by component.
extension Color: Animatable {
    /// Transparent black.
    public static let zero = Color(red: 0, green: 0, blue: 0, alpha: 0)

    @inlinable public static func + (a: Color, b: Color) -> Color {
        Color(red: a.red + b.red, green: a.green + b.green, blue: a.blue + b.blue, alpha: a.alpha + b.alpha)
    }
    @inlinable public static func - (a: Color, b: Color) -> Color {
        Color(red: a.red - b.red, green: a.green - b.green, blue: a.blue - b.blue, alpha: a.alpha - b.alpha)
    }
    @inlinable public func scaled(by factor: Double) -> Color {
        Color(red: red * factor, green: green * factor, blue: blue * factor, alpha: alpha * factor)
    }
    public var magnitude: Double { (red * red + green * green + blue * blue + alpha * alpha).squareRoot() }
}
