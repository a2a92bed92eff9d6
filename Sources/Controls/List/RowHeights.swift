/// The heights of a list's rows, in points: the same for all, except for the first few. A value.
public struct RowHeights: Hashable, Sendable {
    /// The height of all but the first rows.
    public let usual: Double
    /// The number of rows at the start with a different height.
    public let leadingCount: Int
    /// The height of those rows.
    public let leading: Double

    /// Invalid heights count as one point.
    public init(_ usual: Double, leading count: Int = 0, of leading: Double = 0) {
        self.usual = Self.usable(usual)
        leadingCount = max(0, count)
        self.leading = Self.usable(leading)
    }

    private static func usable(_ height: Double) -> Double { height.isFinite ? max(1, height) : 1 }

    /// The height of row `index`.
    public func height(of index: Int) -> Double { index < leadingCount ? leading : usual }

    /// The offset of row `index` from the first row's top; for the number of rows, their total height.
    public func top(of index: Int) -> Double {
        let first = min(max(0, index), leadingCount)
        return Double(first) * leading + Double(max(0, index) - first) * usual
    }

    /// The number of rows above `place`, including the fraction of the row that contains it.
    public func rows(above place: Double) -> Double {
        let length = Double(leadingCount) * leading
        return place < length ? place / leading : Double(leadingCount) + (place - length) / usual
    }
}
