import GlissadeGeometry

/// A spring for animations: a damped harmonic oscillator, `m·x″ + c·x′ + k·x = 0`, where x is the remaining distance.
///
/// The solution is evaluated exactly, not in steps, so a late or missing frame does not affect later values. Only the
/// undamped angular frequency ω = √(k/m) and the damping ratio ζ = c / 2√(km) are stored. With σ² = ω²(ζ² - 1),
///
///     x(t) = x₀·A(t) + v₀·B(t),   B = e^(-ζωt)·S,   A = e^(-ζωt)·(C + ζω·S)
///
/// where x₀ and v₀ are the initial distance and velocity. C and S are cos σ't and sin σ't / σ' for ζ < 1 (σ'² = -σ²), 1
/// and t for ζ = 1, and cosh σt and sinh σt / σ for ζ > 1. The form is the same for all three, so nothing changes
/// abruptly at critical damping (ζ = 1). Above it, the two decaying exponentials are computed separately, because cosh
/// alone would overflow.
///
/// Limits: an undamped spring (ζ = 0) never settles. ω is clamped so that the response is 1 ms to 1000 s, and ζ to
/// 0…1000. A NaN damping ratio becomes 1, and a NaN response becomes half a second. The settling time of a vector is
/// computed from the lengths of the distance and the velocity, which gives an upper bound.
public struct Spring: Hashable, Sendable {
    /// ω, the undamped angular frequency, in radians per second.
    public let angularFrequency: Double
    /// ζ, the damping ratio. Below 1, a spring released at rest overshoots. At 1, it arrives as soon as possible
    /// without overshooting. Above 1, it arrives more slowly.
    public let dampingRatio: Double

    /// Creates a spring from its response and damping ratio.
    ///
    /// - Parameters:
    ///   - response: The period that the spring would have without damping, in seconds. A shorter period means a
    ///     stiffer spring.
    ///   - dampingRatio: The damping ratio. 1 is critical damping.
    public init(response: Double, dampingRatio: Double = 1) {
        let period = response.isNaN ? 0.5 : response.held(to: 0.001...1000)
        self.angularFrequency = 2 * .pi / period
        self.dampingRatio = dampingRatio.isNaN ? 1 : dampingRatio.held(to: 0...1000)
    }

    /// Creates a spring from its physical constants.
    ///
    /// - Parameters:
    ///   - mass: The mass on the spring, in a unit consistent with those of the other two constants.
    ///   - stiffness: The force per length.
    ///   - damping: The force per velocity.
    public init(mass: Double, stiffness: Double, damping: Double) {
        let frequency = (stiffness / mass).squareRoot()
        self.init(response: 2 * .pi / frequency, dampingRatio: damping / (2 * (stiffness * mass).squareRoot()))
    }

    /// The period that the spring would have without damping, in seconds.
    public var response: Double { 2 * .pi / angularFrequency }

    /// Returns the value after `seconds` of a movement from `start` to `end`; `start` if `seconds` is negative.
    ///
    /// - Parameter velocity: The initial velocity, in units per second.
    @inlinable public func value<Value: Animatable>(
        at seconds: Double, from start: Value, to end: Value, velocity: Value = .zero
    ) -> Value {
        // Exactly as given, without the rounding of `end + (start - end)`.
        guard seconds > 0 else { return start }
        let part = basis(at: seconds)
        return end + (start - end).scaled(by: part.a) + velocity.scaled(by: part.b)
    }

    /// Returns the velocity after `seconds` of a movement from `start` to `end`, in units per second.
    ///
    /// - Parameter velocity: The initial velocity, in units per second.
    public func velocity<Value: Animatable>(
        at seconds: Double, from start: Value, to end: Value, velocity: Value = .zero
    ) -> Value {
        let part = basis(at: seconds)
        return (start - end).scaled(by: part.aRate) + velocity.scaled(by: part.bRate)
    }

    /// A(t) and B(t) from the type's documentation, and their derivatives.
    @usableFromInline func basis(at seconds: Double) -> (a: Double, b: Double, aRate: Double, bRate: Double) {
        guard seconds > 0 else { return (1, 0, 0, 1) }
        guard seconds < 1e9 else { return (0, 0, 0, 0) }
        let (c, s) = damped(at: seconds)
        let decay = dampingRatio * angularFrequency
        return (c + decay * s, s, -angularFrequency * angularFrequency * s, c - decay * s)
    }

    /// C and S from the type's documentation, each multiplied by e^(-ζωt).
    private func damped(at seconds: Double) -> (c: Double, s: Double) {
        let decay = dampingRatio * angularFrequency
        let sigma = angularFrequency * abs((dampingRatio - 1) * (dampingRatio + 1)).squareRoot()
        if dampingRatio <= 1 {
            let envelope = exponential(-decay * seconds)
            guard sigma > 0 else { return (envelope, envelope * seconds) }
            return (envelope * cosine(sigma * seconds), envelope * sine(sigma * seconds) / sigma)
        }
        // The slow rate is computed as a quotient: the difference ζω - σ would lose all its digits with strong
        // damping.
        let slow = exponential(-angularFrequency * angularFrequency / (decay + sigma) * seconds)
        let gap = 2 * sigma * seconds
        let fast = slow * exponential(-gap)
        // (1 - e^-z)/z, by its series where the difference would lose digits.
        let ratio =
            gap < 0.01 ? 1 - gap / 2 * (1 - gap / 3 * (1 - gap / 4 * (1 - gap / 5))) : (1 - exponential(-gap)) / gap
        return ((slow + fast) / 2, slow * seconds * ratio)
    }
}

/// Settling times.
extension Spring {
    /// Returns the time after which the spring stays within `tolerance` of its end; nil if it never does, or only
    /// after many years.
    ///
    /// The time is exact for a critically damped or overdamped spring released at rest. Otherwise it is an upper bound,
    /// computed from an envelope of the movement.
    ///
    /// - Parameters:
    ///   - tolerance: The distance from the end within which the spring counts as settled, in the unit of `distance`.
    ///     If it is not positive, a billionth of `distance` is used, but at least 1e-12.
    ///   - distance: The signed distance from the end to the start, in any unit.
    ///   - velocity: The initial velocity, in the unit of `distance` per second; positive if it increases a positive
    ///     `distance`.
    public func settlingTime(within tolerance: Double, distance: Double, velocity: Double = 0) -> Duration? {
        let sigma = angularFrequency * abs((dampingRatio - 1) * (dampingRatio + 1)).squareRoot()
        let decay = dampingRatio * angularFrequency
        // The rate of the slowest decay.
        let rate = dampingRatio <= 1 ? decay : angularFrequency * angularFrequency / (decay + sigma)
        let (x, drive) = (abs(distance), abs(velocity + rate * distance))
        guard x + drive < .infinity else { return .zero }
        let limit = tolerance > 0 ? tolerance : max(x * 1e-9, 1e-12)
        // Already within the tolerance, and too slow to leave it.
        if x <= limit, drive <= rate * limit { return .zero }
        // x(t) = e^(-rate·t)·(x₀ + (v₀ + rate·x₀)·g(t)). At critical damping g(t) = t, otherwise g(t) ≤ t: above it,
        // g(t) = (1 - e^(-2σt)) / 2σ; below it, g oscillates with σ. So the envelope rises at most once, then falls
        // for good. It starts at or beyond the limit, so it crosses the limit exactly once.
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

    /// Returns this spring if it settles within `limit`, otherwise a spring just stiff enough to do so. If this spring
    /// never settles, or if `limit` is not positive, returns this spring unchanged.
    public func stiffened(
        toSettleWithin limit: Duration, tolerance: Double, distance: Double, velocity: Double = 0
    ) -> Spring {
        var spring = self
        // The settling time is nearly proportional to the response; a few iterations correct the rest.
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
