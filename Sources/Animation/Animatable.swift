public import GlissadeGeometry

/// A type whose values can be animated: they can be added, scaled and interpolated.
///
/// Points, sizes, rectangles and colors are treated as plain vectors. Colors are interpolated in sRGB with straight
/// alpha. If alpha changes too, the intermediate colors are wrong; to fade a layer, animate its opacity instead. A
/// color component may overshoot 0…1 and is clamped when drawn.
public protocol Animatable: AdditiveArithmetic, Sendable {
    /// Returns the value with each component multiplied by `factor`.
    func scaled(by factor: Double) -> Self
    /// The length of the value as a vector. Not finite if any component is not finite.
    var magnitude: Double { get }
}

extension Animatable {
    /// Interpolates from this value to `other`. A `fraction` of 0 gives this value, and 1 gives exactly `other`.
    /// Fractions outside 0…1 extrapolate.
    @inlinable public func mixed(with other: Self, fraction: Double) -> Self {
        fraction == 1 ? other : self + (other - self).scaled(by: fraction)
    }

    /// Whether the value is finite and small enough that differences and squares do not overflow.
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

/// Interpolates the origin and the size separately.
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

/// Interpolates each component separately.
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
