/// The top and height of a row, in points, in the list's coordinates.
public struct RowFrame<ID: Hashable & Sendable>: Hashable, Sendable {
    /// Identifies the row, even after the row has moved.
    public var id: ID
    /// The distance from the top of the list to the row's upper edge.
    public var top: Double
    /// The height of the row.
    public var height: Double

    public init(id: ID, top: Double, height: Double) {
        self.id = id
        self.top = top
        self.height = height
    }

    /// The visible fraction of the row, 0…1, if the list shows the range from `upper` to `lower`. A row taller than
    /// this range counts as fully visible when it fills the range. 0 if any value is NaN.
    public func fraction(from upper: Double, to lower: Double) -> Double {
        let whole = min(height, lower - upper)
        let seen = min(top + height, lower) - max(top, upper)
        guard lower > upper, whole > 0, seen > 0, whole.isFinite, seen.isFinite else { return 0 }
        // Ignore rounding errors.
        return seen >= whole - Self.tolerance ? 1 : seen / whole
    }

    /// The distance that counts as a rounding error, in points.
    private static var tolerance: Double { 0.001 }
}
