// Shares of a bar's length, 0…1, out of whatever is given.

extension Double {
    /// The nearest share; nil for what is no number.
    var share: Double? { isNaN ? nil : Swift.min(Swift.max(self, 0), 1) }

    /// A length in points, or none where it is no length. Longer than any screen is as long as that.
    var usableLength: Double { self > 0 ? Swift.min(self, 1e5) : 0 }
}

extension [ClosedRange<Double>] {
    /// The parts of 0…1 that these ranges cover, in their order: none is empty, none meets the next.
    func mergedShares() -> [ClosedRange<Double>] {
        var shares: [ClosedRange<Double>] = []
        for range in self {
            guard let start = range.lowerBound.share, let end = range.upperBound.share, start < end else { continue }
            shares.append(start...end)
        }
        shares.sort { $0.lowerBound < $1.lowerBound }
        var count = 0
        for range in shares {
            if count > 0, range.lowerBound <= shares[count - 1].upperBound {
                let last = shares[count - 1]
                shares[count - 1] = last.lowerBound...Swift.max(last.upperBound, range.upperBound)
            } else {
                shares[count] = range
                count += 1
            }
        }
        shares.removeSubrange(count...)
        return shares
    }
}

extension [Double] {
    /// Those strictly between 0 and 1, in their order, each once.
    func markShares() -> [Double] {
        var marks: [Double] = []
        // What is no number has no order: it goes before they are sorted.
        for mark in filter({ $0 > 0 && $0 < 1 }).sorted() where mark != marks.last { marks.append(mark) }
        return marks
    }
}
