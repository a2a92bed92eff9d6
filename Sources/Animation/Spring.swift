import Geometry

/// A damped harmonic oscillator, `m·x″ + c·x′ + k·x = 0`, x being what is still to go.
///
/// The exact solution for each kind of damping, not a stepped one: a frame that comes late, or not at all, changes
/// nothing about where the next one finds it. All that matters of mass, stiffness and damping is the undamped angular
/// frequency ω = √(k/m) and the damping ratio ζ = c / 2√(km), which are what is kept. Writing σ² for ω²(ζ² - 1),
///
///     x(t) = x₀·A(t) + v₀·B(t),   B = e^(-ζωt)·S,   A = e^(-ζωt)·(C + ζω·S)
///
/// where C and S are cos σ't and sin σ't / σ' below ζ = 1 (σ'² = -σ²), 1 and t at it, cosh σt and sinh σt / σ above.
/// One form for all three, so nothing happens on the way through critical damping; above it the two decaying
/// exponentials are taken apart, for cosh alone would overflow.
///
/// Where it fails: an undamped spring (ζ = 0) never settles. ω is held to what a response of 1 ms to 1000 s gives and ζ
/// to 0…1000; what is no number becomes critical damping and a response of half a second. A settling time found for a
/// vector takes the lengths of distance and velocity, so it is an upper bound.
public struct Spring: Hashable, Sendable {
    /// ω, in radians per second, undamped.
    public let angularFrequency: Double
    /// ζ: below 1 it swings past its end, at 1 it is there soonest without, above it creeps.
    public let dampingRatio: Double

    /// - Parameters:
    ///   - response: the period of the same spring without damping, in seconds: how stiff it feels.
    ///   - dampingRatio: 1 is critical damping.
    public init(response: Double, dampingRatio: Double = 1) {
        let period = response.isNaN ? 0.5 : response.held(to: 0.001...1000)
        self.angularFrequency = 2 * .pi / period
        self.dampingRatio = dampingRatio.isNaN ? 1 : dampingRatio.held(to: 0...1000)
    }

    /// - Parameters:
    ///   - mass: what hangs on the spring, in any unit in which the other two are given too.
    ///   - stiffness: force per length.
    ///   - damping: force per velocity.
    public init(mass: Double, stiffness: Double, damping: Double) {
        let frequency = (stiffness / mass).squareRoot()
        self.init(response: 2 * .pi / frequency, dampingRatio: damping / (2 * (stiffness * mass).squareRoot()))
    }

    /// The undamped period, in seconds.
    public var response: Double { 2 * .pi / angularFrequency }

    /// Where a movement to `end` is after `seconds`.
    /// - Parameter velocity: at the begin, in units per second.
    @inlinable public func value<Value: Animatable>(
        at seconds: Double, from start: Value, to end: Value, velocity: Value = .zero
    ) -> Value {
        // As given, not to the rounding of `end + (start - end)`.
        guard seconds > 0 else { return start }
        let part = basis(at: seconds)
        return end + (start - end).scaled(by: part.a) + velocity.scaled(by: part.b)
    }

    /// How fast it is then, in units per second.
    public func velocity<Value: Animatable>(
        at seconds: Double, from start: Value, to end: Value, velocity: Value = .zero
    ) -> Value {
        let part = basis(at: seconds)
        return (start - end).scaled(by: part.aRate) + velocity.scaled(by: part.bRate)
    }

    /// A and B of the type's head, and how fast they change.
    @usableFromInline func basis(at seconds: Double) -> (a: Double, b: Double, aRate: Double, bRate: Double) {
        guard seconds > 0 else { return (1, 0, 0, 1) }
        guard seconds < 1e9 else { return (0, 0, 0, 0) }
        let (c, s) = damped(at: seconds)
        let decay = dampingRatio * angularFrequency
        return (c + decay * s, s, -angularFrequency * angularFrequency * s, c - decay * s)
    }

    /// C and S, each already times e^(-ζωt).
    private func damped(at seconds: Double) -> (c: Double, s: Double) {
        let decay = dampingRatio * angularFrequency
        let sigma = angularFrequency * abs((dampingRatio - 1) * (dampingRatio + 1)).squareRoot()
        if dampingRatio <= 1 {
            let envelope = exponential(-decay * seconds)
            guard sigma > 0 else { return (envelope, envelope * seconds) }
            return (envelope * cosine(sigma * seconds), envelope * sine(sigma * seconds) / sigma)
        }
        // The slow rate as a quotient: the difference ζω - σ would lose all its digits where damping is strong.
        let slow = exponential(-angularFrequency * angularFrequency / (decay + sigma) * seconds)
        let gap = 2 * sigma * seconds
        let fast = slow * exponential(-gap)
        // (1 - e^-z)/z, by its series where the difference would lose digits.
        let ratio =
            gap < 0.01 ? 1 - gap / 2 * (1 - gap / 3 * (1 - gap / 4 * (1 - gap / 5))) : (1 - exponential(-gap)) / gap
        return ((slow + fast) / 2, slow * seconds * ratio)
    }
}

/// Coming to rest.
extension Spring {
    /// After how long it stays within `tolerance` of its end; nil if that is never (no damping, or 30 years).
    ///
    /// Exact for what neither swings nor crosses its end; else an upper bound, from the envelope of the movement. It
    /// never falls with the distance or the speed, nor rises with the tolerance.
    /// - Parameters:
    ///   - tolerance: in the units of `distance`; not positive, it is a billionth of the distance.
    ///   - distance: from the end to the start, signed.
    ///   - velocity: at the begin, in units per second, signed likewise.
    public func settlingTime(within tolerance: Double, distance: Double, velocity: Double = 0) -> Duration? {
        let sigma = angularFrequency * abs((dampingRatio - 1) * (dampingRatio + 1)).squareRoot()
        let decay = dampingRatio * angularFrequency
        // Of what dies away slowest.
        let rate = dampingRatio <= 1 ? decay : angularFrequency * angularFrequency / (decay + sigma)
        let (x, drive) = (abs(distance), abs(velocity + rate * distance))
        guard x + drive < .infinity else { return .zero }
        let limit = tolerance > 0 ? tolerance : max(x * 1e-9, 1e-12)
        // At its end already, and not fast enough to leave it.
        if x <= limit, drive <= rate * limit { return .zero }
        // x(t) = e^(-rate·t)·(x₀ + (v₀ + rate·x₀)·g(t)), where g is t at critical damping, and never beyond it: above,
        // (1 - e^(-2σt)) / 2σ; below, it swings with σ. So this rises once at most, then falls for good. It begins at the
        // limit or beyond it: then it is beyond it up to one instant and never after.
        let start = max(x, limit)
        func envelope(_ time: Double) -> Double {
            let died = exponential(-rate * time)
            if dampingRatio < 1 {
                let swing = (start * start + drive / sigma * (drive / sigma)).squareRoot()
                return died * min(start + drive * time, swing)
            }
            return died * (start + drive * (sigma > 0 ? (1 - exponential(-2 * sigma * time)) / (2 * sigma) : time))
        }
        var (low, high) = (0.0, response)
        while envelope(high) > limit {
            (low, high) = (high, 2 * high)
            if high > 1e9 { return nil }
        }
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if envelope(middle) > limit { low = middle } else { high = middle }
        }
        return .nanoseconds(Int64(clampingNanoseconds: high))
    }

    /// This spring, or where it would take longer than `limit` to settle one that is just stiff enough not to.
    ///
    /// The velocity stays what it is, so that a hand's movement still goes on without a break.
    public func stiffened(
        toSettleWithin limit: Duration, tolerance: Double, distance: Double, velocity: Double = 0
    ) -> Spring {
        var spring = self
        // The settling time is all but proportional to the response; a few rounds take care of the rest.
        for _ in 0..<8 {
            guard
                let time = spring.settlingTime(within: tolerance, distance: distance, velocity: velocity),
                time > limit, limit > .zero
            else { break }
            spring = Spring(
                response: spring.response * limit.inSeconds / time.inSeconds * 0.999, dampingRatio: dampingRatio)
        }
        return spring
    }
}
