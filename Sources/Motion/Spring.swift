import Glibc

/// A spring with a mass and a damper, between where it is and where it wants to be. Solved exactly, not stepped: any time
/// can be asked for, in any order.
public struct Spring: Hashable, Sendable {
    public let mass: Double
    public let stiffness: Double
    public let damping: Double

    public init(mass: Double = 1, stiffness: Double, damping: Double) {
        self.mass = mass.isFinite && mass > 0 ? mass : 1
        self.stiffness = stiffness.isFinite && stiffness > 0 ? stiffness : 1
        self.damping = damping.isFinite ? max(0, damping) : 0
    }

    /// - Parameters:
    ///   - response: the period of the same spring without a damper, in seconds.
    ///   - dampingRatio: 1 comes to rest soonest without swinging over; less swings, more creeps.
    public init(response: Double, dampingRatio: Double) {
        let response = response.isFinite && response > 1e-6 ? response : 1e-6
        let frequency = 2 * Double.pi / response
        self.init(stiffness: frequency * frequency, damping: 2 * (dampingRatio.isFinite ? dampingRatio : 1) * frequency)
    }

    private var frequency: Double { (stiffness / mass).squareRoot() }
    public var response: Double { 2 * Double.pi / frequency }
    public var dampingRatio: Double { damping / (2 * (stiffness * mass).squareRoot()) }

    public func value(at t: Double, from: Double, to target: Double, velocity: Double) -> Double {
        target + solve(t, from - target, velocity).x
    }

    public func velocity(at t: Double, from: Double, to target: Double, velocity: Double) -> Double {
        solve(t, from - target, velocity).v
    }

    /// Displacement and speed after `t` seconds.
    private func solve(_ t: Double, _ x: Double, _ v: Double) -> (x: Double, v: Double) {
        let (w, z) = (frequency, dampingRatio)
        if abs(z - 1) < 1e-9 {
            let e = exp(-w * t)
            let slope = v + w * x
            return ((x + slope * t) * e, (v - w * slope * t) * e)
        } else if z < 1 {
            let d = w * (1 - z * z).squareRoot()
            let e = exp(-z * w * t)
            let b = (v + z * w * x) / d
            let (s, c) = (sin(d * t), cos(d * t))
            return (e * (x * c + b * s), e * (v * c - (x * d + z * w * b) * s))
        } else {
            let r = w * (z * z - 1).squareRoot()
            let (p, q) = (-z * w + r, -z * w - r)
            let a = (v - q * x) / (p - q)
            let b = x - a
            return (a * exp(p * t) + b * exp(q * t), a * p * exp(p * t) + b * q * exp(q * t))
        }
    }

    /// After how many seconds it stays within `epsilon` of its target.
    public func settlingTime(from: Double, to target: Double, velocity: Double, within epsilon: Double) -> Double {
        var low = 0.0
        var high = response
        func isOut(_ t: Double) -> Bool { abs(solve(t, from - target, velocity).x) > epsilon }
        while isOut(high), high < 600 { (low, high) = (high, high * 2) }
        for _ in 0..<40 {
            let middle = (low + high) / 2
            if isOut(middle) { low = middle } else { high = middle }
        }
        return high
    }
}
