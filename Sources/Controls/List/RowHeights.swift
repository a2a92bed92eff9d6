/// How high the rows of a list are, in points: all have one height, but for the first few, which may have another. A value.
public struct RowHeights: Hashable, Sendable {
    /// Of all but the first ones.
    public let usual: Double
    /// How many rows at the beginning have a height of their own.
    public let leadingCount: Int
    public let leading: Double

    /// Heights that are none are one point.
    public init(_ usual: Double, leading count: Int = 0, of leading: Double = 0) {
        self.usual = Self.usable(usual)
        leadingCount = max(0, count)
        self.leading = Self.usable(leading)
    }

    private static func usable(_ height: Double) -> Double { height.isFinite ? max(1, height) : 1 }

    public func height(of index: Int) -> Double { index < leadingCount ? leading : usual }

    /// How far row `index` lies below the first one's upper edge; for the number of rows, how long they are together.
    public func top(of index: Int) -> Double {
        let first = min(max(0, index), leadingCount)
        return Double(first) * leading + Double(max(0, index) - first) * usual
    }

    /// How many rows lie above `place`, the one that it is in with the part of it that does.
    public func rows(above place: Double) -> Double {
        let length = Double(leadingCount) * leading
        return place < length ? place / leading : Double(leadingCount) + (place - length) / usual
    }
}
