import Glibc

/// A model of how a cost grows with a quantity: a line and a power law, both fitted by least squares.
struct LinearFit: Equatable, Sendable, Codable {
    /// The cost of each additional unit, according to the line, in milliseconds.
    var slope: Double
    /// The cost of zero units, according to the line, in milliseconds.
    var intercept: Double
    /// The exponent of the power law: 1 if doubling the quantity doubles the cost, less than 1 if part of the cost is
    /// fixed.
    ///
    /// This is the slope of the line fitted to the logarithms; nil if no line can be fitted.
    var exponent: Double?

    /// Fits the points. Nil if there are fewer than two points, if all `x` are equal, or if a number is not finite.
    init?(_ points: [(x: Double, y: Double)]) {
        guard let line = Self.line(points) else { return nil }
        (slope, intercept) = line
        exponent = Self.line(points.filter { $0.x > 0 && $0.y > 0 }.map { (log($0.x), log($0.y)) })?.slope
    }

    private static func line(_ points: [(x: Double, y: Double)]) -> (slope: Double, intercept: Double)? {
        guard points.count > 1, points.allSatisfy({ $0.x.isFinite && $0.y.isFinite }) else { return nil }
        let count = Double(points.count)
        let (meanX, meanY) = (points.reduce(0) { $0 + $1.x } / count, points.reduce(0) { $0 + $1.y } / count)
        // Uses distances from the means, because sums of squares far from the origin would lose too much precision.
        let spread = points.reduce(0) { $0 + ($1.x - meanX) * ($1.x - meanX) }
        let common = points.reduce(0) { $0 + ($1.x - meanX) * ($1.y - meanY) }
        let slope = common / spread
        guard spread > 0, spread.isFinite, slope.isFinite else { return nil }
        return (slope, meanY - slope * meanX)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(slope, forKey: .slope)
        try container.encode(intercept, forKey: .intercept)
        try container.encode(exponent, forKey: .exponent)
    }

    enum CodingKeys: String, CodingKey {
        case slope = "slope_ms"
        case intercept = "intercept_ms"
        case exponent
    }
}
