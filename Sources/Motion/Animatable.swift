/// A value of which there are others between any two: a vector, so that it can be mixed, and have a velocity.
public protocol Animatable: Equatable, Sendable {
    static var zero: Self { get }
    static func + (a: Self, b: Self) -> Self
    static func - (a: Self, b: Self) -> Self
    func scaled(by factor: Double) -> Self
    /// How far it is from zero.
    var magnitudeOfChange: Double { get }
}

extension Animatable {
    /// The value that lies `share` of the way from here to `other`; at 0 and 1 exactly the ends.
    public func mixed(with other: Self, by share: Double) -> Self {
        if share == 0 { return self }
        if share == 1 { return other }
        return self + (other - self).scaled(by: share)
    }
}

extension Double: Animatable {
    public func scaled(by factor: Double) -> Double { self * factor }
    public var magnitudeOfChange: Double { magnitude }
}

extension Point: Animatable {
    public static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    public static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
    public func scaled(by factor: Double) -> Point { Point(x: x * factor, y: y * factor) }
    public var magnitudeOfChange: Double { max(abs(x), abs(y)) }
}

extension Size: Animatable {
    public static func + (a: Size, b: Size) -> Size { Size(width: a.width + b.width, height: a.height + b.height) }
    public static func - (a: Size, b: Size) -> Size { Size(width: a.width - b.width, height: a.height - b.height) }
    public func scaled(by factor: Double) -> Size { Size(width: width * factor, height: height * factor) }
    public var magnitudeOfChange: Double { max(abs(width), abs(height)) }
}

extension Rect: Animatable {
    public static func + (a: Rect, b: Rect) -> Rect { Rect(origin: a.origin + b.origin, size: a.size + b.size) }
    public static func - (a: Rect, b: Rect) -> Rect { Rect(origin: a.origin - b.origin, size: a.size - b.size) }
    public func scaled(by factor: Double) -> Rect {
        Rect(origin: origin.scaled(by: factor), size: size.scaled(by: factor))
    }
    public var magnitudeOfChange: Double { max(origin.magnitudeOfChange, size.magnitudeOfChange) }
}

extension Color: Animatable {
    public static let zero = Color(red: 0, green: 0, blue: 0, alpha: 0)
    public static func + (a: Color, b: Color) -> Color {
        Color(red: a.red + b.red, green: a.green + b.green, blue: a.blue + b.blue, alpha: a.alpha + b.alpha)
    }
    public static func - (a: Color, b: Color) -> Color {
        Color(red: a.red - b.red, green: a.green - b.green, blue: a.blue - b.blue, alpha: a.alpha - b.alpha)
    }
    public func scaled(by factor: Double) -> Color {
        Color(red: red * factor, green: green * factor, blue: blue * factor, alpha: alpha * factor)
    }
    public var magnitudeOfChange: Double { max(abs(red), abs(green), abs(blue), abs(alpha)) }
}
