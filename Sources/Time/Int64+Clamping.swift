// Arithmetic that saturates instead of trapping or wrapping around. Used for times that come from outside the
// program, in whole nanoseconds (±292 years).

extension Int64 {
    /// Converts `seconds` to nanoseconds, rounded. NaN becomes zero, and overflow saturates.
    @inlinable public init(clampingNanoseconds seconds: Double) { self.init(clamping: (seconds * 1e9).rounded()) }

    /// Truncates `number` to an integer. NaN becomes zero, and overflow saturates.
    @inlinable public init(clamping number: Double) {
        if number.isNaN {
            self = 0
        } else {
            self = Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
        }
    }

    /// Returns this number multiplied by `factor` and rounded. Exact if `factor` is an integer; otherwise, the
    /// precision is 53 bits. Overflow saturates. If `factor` is NaN, returns zero.
    package func scaledClamped(by factor: Double) -> Int64 {
        if factor == 1 { return self }
        if let whole = Int64(exactly: factor) { return multipliedClamped(by: whole) }
        return Int64(clamping: (Double(self) * factor).rounded())
    }

    /// Returns the absolute difference between this number and `other`.
    @inlinable public func distance(from other: Int64) -> UInt64 {
        self < other ? UInt64(bitPattern: other &- self) : UInt64(bitPattern: self &- other)
    }

    /// Returns this number clamped to the range ±`limit`. `limit` must not be negative.
    @inlinable public func clamped(to limit: Int64) -> Int64 { Swift.min(limit, Swift.max(-limit, self)) }
}

extension FixedWidthInteger {
    /// Returns the sum of this number and `other`; overflow saturates.
    @inlinable public func addingClamped(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// Returns this number minus `other`; overflow saturates.
    @inlinable public func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other > 0 ? .min : .max) : difference
    }

    /// Returns this number multiplied by `other`; overflow saturates.
    @inlinable public func multipliedClamped(by other: Self) -> Self {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}

extension Int {
    /// Truncates `number` to an integer. NaN becomes zero, and overflow saturates.
    @inlinable public init(clamping number: Double) { self = Int(Int64(clamping: number)) }
}
