/// A row's extent along the scroll axis, in points of the list. A value.
public struct RowFrame<ID: Hashable & Sendable>: Hashable, Sendable {
    /// Identifies the row, wherever it is.
    public var id: ID
    /// The upper edge, from the first row's.
    public var top: Double
    /// The length along the scroll axis.
    public var height: Double

    public init(id: ID, top: Double, height: Double) {
        self.id = id
        self.top = top
        self.height = height
    }

    /// The visible fraction of the row between `upper` and `lower`, 0…1: of its height, or of the view's height if the
    /// row is taller. 0 if a value is NaN.
    public func fraction(from upper: Double, to lower: Double) -> Double {
        let whole = min(height, lower - upper)
        let seen = min(top + height, lower) - max(top, upper)
        guard lower > upper, whole > 0, seen > 0, whole.isFinite, seen.isFinite else { return 0 }
        // Ignores rounding errors.
        return seen >= whole - Self.tolerance ? 1 : seen / whole
    }

    /// In points.
    private static var tolerance: Double { 0.001 }
}
