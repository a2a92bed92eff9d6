// Conversion of arbitrary values to fractions of a bar's length, 0…1.

extension Double {
    /// This value clamped to 0…1; nil for NaN.
    var fraction: Double? { isNaN ? nil : Swift.min(Swift.max(self, 0), 1) }

    /// This value as a length in points, clamped to 0…100,000; 0 for NaN.
    var usableLength: Double { self > 0 ? Swift.min(self, 1e5) : 0 }
}

extension [ClosedRange<Double>] {
    /// Returns the union of these ranges within 0…1, sorted. Touching ranges are merged, and empty ranges are left out.
    func mergedFractions() -> [ClosedRange<Double>] {
        var fractions: [ClosedRange<Double>] = []
        for range in self {
            guard let start = range.lowerBound.fraction, let end = range.upperBound.fraction, start < end else {
                continue
            }
            fractions.append(start...end)
        }
        fractions.sort { $0.lowerBound < $1.lowerBound }
        var count = 0
        for range in fractions {
            if count > 0, range.lowerBound <= fractions[count - 1].upperBound {
                let last = fractions[count - 1]
                fractions[count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                fractions[count] = range
                count += 1
            }
        }
        fractions.removeSubrange(count...)
        return fractions
    }
}

extension [Double] {
    /// Returns the values strictly between 0 and 1, sorted, without duplicates.
    func markFractions() -> [Double] {
        var marks: [Double] = []
        // NaN, which cannot be sorted, fails both comparisons.
        for mark in filter({ $0 > 0 && $0 < 1 }).sorted() where mark != marks.last { marks.append(mark) }
        return marks
    }
}
