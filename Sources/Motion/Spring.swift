import Glibc

/// A mass on a spring with a damper: how something comes to rest that has a speed.
///
/// The equation of motion is solved exactly, not stepped, so that any time can be asked for, in any order, and the same
/// question has the same answer on every machine. The solution is linear in displacement and velocity, which makes it
/// one for vectors too. Under-, over- and critical damping are three formulas; within 1e-6 of the critical ratio, where
/// the other two divide by almost zero, the critical one is taken.
///
/// Nonsense is brought to the nearest sense: a response that is not positive is a microsecond, a mass or stiffness that
/// is not positive is 1, damping is never negative. A spring without damping never rests.
public struct Spring: Hashable, Sendable {
    public let mass: Double
    public let stiffness: Double
    public let damping: Double

    /// The frequency without a damper, in radians a second.
    private let frequency: Double
    /// 1 comes to rest soonest without swinging over; less swings, more creeps.
    public let dampingRatio: Double

    public init(mass: Double = 1, stiffness: Double, damping: Double) {
        self.mass = mass.isFinite && mass > 0 ? mass : 1
        self.stiffness = stiffness.isFinite && stiffness > 0 ? stiffness : 1
        self.damping = damping.isFinite ? max(0, damping) : 0
        frequency = (self.stiffness / self.mass).squareRoot()
        dampingRatio = self.damping / (2 * (self.stiffness * self.mass).squareRoot())
    }

    /// - Parameters:
    ///   - response: the period of the same spring without a damper, in seconds.
    ///   - dampingRatio: 1 is critical.
    public init(response: Double, dampingRatio: Double) {
        let response = response.isFinite && response > 1e-6 ? min(response, 1e6) : 1e-6
        let ratio = dampingRatio.isFinite ? min(max(0, dampingRatio), 1e3) : 1
        mass = 1
        frequency = 2 * Double.pi / response
        stiffness = frequency * frequency
        damping = 2 * ratio * frequency
        self.dampingRatio = ratio
    }

    /// The period of the same spring without a damper, in seconds.
    public var response: Double { 2 * Double.pi / frequency }

    /// What is left of a displacement of 1, and what a velocity of 1 has become, after `time` seconds; and how fast both
    /// change.
    struct Solution {
        var ofDisplacement: Double
        var ofVelocity: Double
        var rateOfDisplacement: Double
        var rateOfVelocity: Double
    }

    func solution(at time: Double) -> Solution {
        let t = time > 0 ? min(time, 1e6) : 0
        let (w, z) = (frequency, dampingRatio)
        if abs(z - 1) < 1e-6 {
            let e = exp(-w * t)
            return Solution(
                ofDisplacement: (1 + w * t) * e, ofVelocity: t * e, rateOfDisplacement: -w * w * t * e,
                rateOfVelocity: (1 - w * t) * e)
        }
        if z < 1 {
            let d = w * (1 - z * z).squareRoot()
            let e = exp(-z * w * t)
            let (s, c) = (sin(d * t), cos(d * t))
            return Solution(
                ofDisplacement: e * (c + z * w / d * s), ofVelocity: e * s / d,
                rateOfDisplacement: -e * w * w / d * s, rateOfVelocity: e * (c - z * w / d * s))
        }
        let r = w * (z * z - 1).squareRoot()
        // The slow root by the product of both: their difference would cancel where damping is strong.
        let fast = -z * w - r
        let slow = w * w / fast
        let (a, b) = (exp(slow * t), exp(fast * t))
        let span = slow - fast
        return Solution(
            ofDisplacement: (slow * b - fast * a) / span, ofVelocity: (a - b) / span,
            rateOfDisplacement: slow * fast * (b - a) / span, rateOfVelocity: (slow * a - fast * b) / span)
    }

    /// Where it is `time` seconds after it was at `from` with `velocity` (a second), drawn to `target`.
    public func value<Value: Animatable>(at time: Double, from: Value, to target: Value, velocity: Value) -> Value {
        if !(time > 0) { return from }
        let solution = solution(at: time)
        return target + (from - target).scaled(by: solution.ofDisplacement)
            + velocity.scaled(by: solution.ofVelocity)
    }

    /// How fast it is then, a second.
    public func velocity<Value: Animatable>(at time: Double, from: Value, to target: Value, velocity: Value) -> Value {
        let solution = solution(at: time)
        return (from - target).scaled(by: solution.rateOfDisplacement) + velocity.scaled(by: solution.rateOfVelocity)
    }

    /// After how many seconds it stays within `epsilon` of its target; at most an hour, which is never.
    ///
    /// From the envelope of the motion: exact where it does not swing, and for one that swings the time from which it
    /// cannot get that far any more.
    public func settlingTime<Value: Animatable>(
        from: Value, to target: Value, velocity: Value, within epsilon: Double
    ) -> Double {
        let (x, v) = ((from - target).magnitudeOfChange, velocity.magnitudeOfChange)
        guard x.isFinite, v.isFinite, epsilon > 0 else { return 0 }
        let never = 3600.0
        func envelope(_ t: Double) -> Double {
            guard dampingRatio < 1 - 1e-6 else {
                return value(at: t, from: from, to: target, velocity: velocity).distance(to: target)
            }
            let d = frequency * (1 - dampingRatio * dampingRatio).squareRoot()
            let b = (v + dampingRatio * frequency * x) / d
            return exp(-dampingRatio * frequency * t) * (x * x + b * b).squareRoot()
        }
        // The last time at which it is still outside: doubled until it is inside at two looks, then halved.
        var high = response
        while high < never, envelope(high) > epsilon || envelope(high * 1.5) > epsilon { high *= 2 }
        if high >= never { return never }
        var low = 0.0
        let steps = 64
        for step in stride(from: steps, through: 1, by: -1)
        where envelope(high * Double(step) / Double(steps)) > epsilon {
            low = high * Double(step) / Double(steps)
            high = high * Double(step + 1) / Double(steps)
            break
        }
        if low == 0 { high = min(high, high / Double(steps)) }
        if low == 0, envelope(0) <= epsilon, v == 0 { return 0 }
        for _ in 0..<50 {
            let middle = (low + high) / 2
            if envelope(middle) > epsilon { low = middle } else { high = middle }
        }
        return high
    }
}

extension Animatable {
    fileprivate func distance(to other: Self) -> Double { (self - other).magnitudeOfChange }
}
