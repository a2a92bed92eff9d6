// Arithmetic that never traps and never wraps around: a result that does not fit is the end of the range that it lies
// beyond. For times that come from outside, in whole nanoseconds: 292 years either way.

extension Int64 {
    /// `seconds` in nanoseconds; not-a-number is zero, what does not fit is clamped.
    @inlinable public init(clampingNanoseconds seconds: Double) { self.init(clamping: (seconds * 1e9).rounded()) }

    /// The whole part of `number`; not-a-number is zero, what does not fit is clamped.
    @inlinable public init(clamping number: Double) {
        if number.isNaN {
            self = 0
        } else {
            self = Int64(exactly: number.rounded(.towardZero)) ?? (number < 0 ? .min : .max)
        }
    }

    /// The nearest whole number to the product; exact where `factor` is whole, else to 53 bits. Clamped; a factor that is
    /// not a number counts as zero.
    package func scaledClamped(by factor: Double) -> Int64 {
        if factor == 1 { return self }
        if let whole = Int64(exactly: factor) { return multipliedClamped(by: whole) }
        return Int64(clamping: (Double(self) * factor).rounded())
    }

    /// How far apart the two are: the difference of any two fits.
    @inlinable public func distance(from other: Int64) -> UInt64 {
        self < other ? UInt64(bitPattern: other &- self) : UInt64(bitPattern: self &- other)
    }

    /// The nearest number within ±`limit`, which is not negative.
    @inlinable public func clamped(to limit: Int64) -> Int64 { Swift.min(limit, Swift.max(-limit, self)) }
}

extension FixedWidthInteger {
    /// The sum, clamped.
    @inlinable public func addingClamped(_ other: Self) -> Self {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    /// The difference, clamped.
    @inlinable public func subtractingClamped(_ other: Self) -> Self {
        let (difference, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other > 0 ? .min : .max) : difference
    }

    /// The product, clamped.
    @inlinable public func multipliedClamped(by other: Self) -> Self {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
    }
}

extension Int {
    /// The whole part of `number`; not-a-number is zero, what does not fit is clamped.
    @inlinable public init(clamping number: Double) { self = Int(Int64(clamping: number)) }
}
