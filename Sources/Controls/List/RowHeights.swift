/// The heights of a list's rows, in points. All rows have the same height, except that the first few may differ.
public struct RowHeights: Hashable, Sendable {
    /// The height of every row after the first `leadingCount` rows.
    public let usual: Double
    /// The number of rows at the start that have a different height.
    public let leadingCount: Int
    /// The height of the first `leadingCount` rows.
    public let leading: Double

    /// Creates row heights. A height that is not finite or is below 1 point becomes 1 point.
    public init(_ usual: Double, leading count: Int = 0, of leading: Double = 0) {
        self.usual = Self.usable(usual)
        leadingCount = max(0, count)
        self.leading = Self.usable(leading)
    }

    private static func usable(_ height: Double) -> Double { height.isFinite ? max(1, height) : 1 }

    /// The height of row `index`.
    public func height(of index: Int) -> Double { index < leadingCount ? leading : usual }

    /// The distance from the top of the first row to the top of row `index`. If `index` is the number of rows, the
    /// result is the total height of all rows.
    public func top(of index: Int) -> Double {
        let first = min(max(0, index), leadingCount)
        return Double(first) * leading + Double(max(0, index) - first) * usual
    }

    /// The number of rows above `place`, an offset in points. Includes the fraction of a row that is above `place`.
    public func rows(above place: Double) -> Double {
        let length = Double(leadingCount) * leading
        return place < length ? place / leading : Double(leadingCount) + (place - length) / usual
    }
}
