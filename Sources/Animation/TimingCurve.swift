/// A cubic Bézier timing curve, like CSS's `cubic-bezier` and Core Animation's `CAMediaTimingFunction`.
///
/// The curve maps the elapsed fraction of an animation's time to the animation's progress, which is 0 at the start and
/// 1 at the end. It runs from (0,0) to (1,1) and has two control points.
///
/// A Bézier curve is defined by a parameter s, not by time, so x(s) = time is solved first. Newton's method finds s to
/// within 1e-11. A Newton step that would leave the bracket is replaced by bisection. The progress is accurate to 1e-6
/// or better, except near a vertical tangent, as in the curve (1, y1, 0, y2). Near such a tangent, a rounding error in
/// time becomes visible.
///
/// The x of the control points is clamped to 0…1, since time must not run backward. Their y may be outside 0…1, for a
/// curve that overshoots, and is clamped to ±1000. A NaN coordinate counts as 0 for the first control point and as 1
/// for the second. A NaN time or a time before 0 gives progress 0, and a time after 1 gives progress 1.
public struct TimingCurve: Hashable, Sendable {
    /// The first control point's time, 0…1.
    public let x1: Double
    /// The first control point's progress; may be outside 0…1, for a curve that overshoots.
    public let y1: Double
    /// The second control point's time, 0…1.
    public let x2: Double
    /// The second control point's progress; may be outside 0…1, for a curve that overshoots.
    public let y2: Double

    public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
        self.x1 = x1.isNaN ? 0 : x1.held(to: 0...1)
        self.y1 = y1.isNaN ? 0 : y1.held(to: -1000...1000)
        self.x2 = x2.isNaN ? 1 : x2.held(to: 0...1)
        self.y2 = y2.isNaN ? 1 : y2.held(to: -1000...1000)
    }

    /// Returns the curve that CSS writes as `cubic-bezier(x1, y1, x2, y2)`.
    public static func cubicBezier(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> TimingCurve {
        TimingCurve(x1, y1, x2, y2)
    }

    // The values of CSS Easing Functions 1, section 2.2, and of Core Animation.
    /// A movement at uniform speed.
    public static let linear = TimingCurve(0, 0, 1, 1)
    /// A movement that starts from rest and ends at full speed.
    public static let easeIn = TimingCurve(0.42, 0, 1, 1)
    /// A movement that starts at full speed and ends at rest.
    public static let easeOut = TimingCurve(0, 0, 0.58, 1)
    /// A movement that starts and ends at rest.
    public static let easeInOut = TimingCurve(0.42, 0, 0.58, 1)

    /// Returns the progress at `time`, the elapsed fraction of the duration.
    public func value(at time: Double) -> Double {
        if !(time > 0) { return 0 }
        if time >= 1 { return 1 }
        if x1 == y1, x2 == y2 { return time }
        return Self.bezier(y1, y2, parameter(at: time))
    }

    /// Returns the slope `dy/dx` at `time`: the speed as a multiple of the mean speed. The slope is always finite, even
    /// at a vertical tangent. It is 0 if `time` is outside 0…1.
    public func slope(at time: Double) -> Double {
        guard time >= 0, time <= 1 else { return 0 }
        if x1 == y1, x2 == y2 { return 1 }
        // Evaluated slightly inside the ends: if a control point coincides with its end, both derivatives are zero
        // there.
        let s = min(max(parameter(at: time), 1e-6), 1 - 1e-6)
        return Self.derivative(y1, y2, s) / max(Self.derivative(x1, x2, s), 1e-9)
    }

    /// The inverse curve, from progress to time. Nil if a control point's progress is outside 0…1, because the progress
    /// may then run backward.
    public var inverse: TimingCurve? {
        (0...1).contains(y1) && (0...1).contains(y2) ? TimingCurve(y1, x1, y2, x2) : nil
    }

    /// The parameter s at which x equals `time`.
    private func parameter(at time: Double) -> Double {
        var (low, high) = (0.0, 1.0)
        var s = time
        // 37 halvings of 0…1 reach 1e-11. Newton's method usually ends the search sooner.
        for _ in 0..<64 {
            let error = Self.bezier(x1, x2, s) - time
            if error == 0 { return s }
            if error > 0 { high = s } else { low = s }
            let step = error / Self.derivative(x1, x2, s)
            let next = s - step
            // Infinity, from a zero derivative, is not inside the bracket either.
            if next > low, next < high {
                if abs(step) < 1e-12 { return next }
                s = next
            } else {
                s = (low + high) / 2
            }
            if high - low < 1e-11 { break }
        }
        return s
    }

    /// Returns one coordinate of the curve at parameter `s`; `a` and `b` are that coordinate of the control points.
    private static func bezier(_ a: Double, _ b: Double, _ s: Double) -> Double {
        ((1 + 3 * a - 3 * b) * s + 3 * b - 6 * a) * s * s + 3 * a * s
    }

    private static func derivative(_ a: Double, _ b: Double, _ s: Double) -> Double {
        (3 * (1 + 3 * a - 3 * b) * s + 2 * (3 * b - 6 * a)) * s + 3 * a
    }
}

extension Double {
    /// Returns the number clamped to `range`; NaN becomes the lower bound.
    func held(to range: ClosedRange<Double>) -> Double {
        self > range.lowerBound ? min(self, range.upperBound) : range.lowerBound
    }
}
