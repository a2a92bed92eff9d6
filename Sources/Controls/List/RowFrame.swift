/// Where a row lies along the axis in which its list scrolls, in points of the list. A value.
public struct RowFrame<ID: Hashable & Sendable>: Hashable, Sendable {
    /// Which row it is, wherever it lies.
    public var id: ID
    public var top: Double
    public var height: Double

    public init(id: ID, top: Double, height: Double) {
        self.id = id
        self.top = top
        self.height = height
    }

    /// How much of the row is seen between `upper` and `lower`, 0…1: of its height, or for a row that is higher than the
    /// view, of the view's. 0 where any of it is no number.
    public func fraction(from upper: Double, to lower: Double) -> Double {
        let whole = min(height, lower - upper)
        let seen = min(top + height, lower) - max(top, upper)
        guard lower > upper, whole > 0, seen > 0, whole.isFinite, seen.isFinite else { return 0 }
        // What a rounding leaves out is nothing to be seen.
        return seen >= whole - Self.tolerance ? 1 : seen / whole
    }

    /// In points.
    private static var tolerance: Double { 0.001 }
}
