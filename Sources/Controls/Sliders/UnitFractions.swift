// Shares of a bar's length, 0…1, out of whatever is given.

extension Double {
    /// The nearest share; nil for what is no number.
    var fraction: Double? { isNaN ? nil : Swift.min(Swift.max(self, 0), 1) }

    /// A length in points, or none where it is no length. Longer than any screen is as long as that.
    var usableLength: Double { self > 0 ? Swift.min(self, 1e5) : 0 }
}

extension [ClosedRange<Double>] {
    /// The parts of 0…1 that these ranges cover, in their order: none is empty, none meets the next.
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
    /// Those strictly between 0 and 1, in their order, each once.
    func markFractions() -> [Double] {
        var marks: [Double] = []
        // What is no number has no order: it goes before they are sorted.
        for mark in filter({ $0 > 0 && $0 < 1 }).sorted() where mark != marks.last { marks.append(mark) }
        return marks
    }
}
