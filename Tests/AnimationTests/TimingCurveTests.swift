import GlissadeAnimation
import Testing

@Suite("Timing curves") struct TimingCurveTests {
    /// At 0.1, 0.25, 0.5, 0.75 and 0.9, by bisection in exact fractions (60 halvings).
    static let table: [(TimingCurve, [Double])] = [
        (.linear, [0.1, 0.25, 0.5, 0.75, 0.9]),
        (.easeIn, [0.017026610, 0.093464651, 0.315356813, 0.621861869, 0.839427846]),
        (.easeOut, [0.160572154, 0.378138131, 0.684643187, 0.906535349, 0.982973390]),
        (.easeInOut, [0.019722454, 0.129161931, 0.500000000, 0.870838069, 0.980277546]),
        (.cubicBezier(0.25, 0.1, 0.25, 1), [0.094796306, 0.408510591, 0.802403388, 0.960458978, 0.994316477]),
        (.cubicBezier(0.34, 1.56, 0.64, 1), [0.403933042, 0.816289199, 1.087400670, 1.059646860, 1.012615579]),
        (.cubicBezier(0, 1, 1, 0), [0.387400317, 0.479055467, 0.500000000, 0.520944533, 0.612599683]),
        (.cubicBezier(1, 0, 0, 1), [0.003761675, 0.029724606, 0.500000000, 0.970275394, 0.996238325]),
    ]

    @Test("Linear, the ease curves and any cubic Bézier are solved to 1e-6", arguments: table)
    func values(curve: TimingCurve, values: [Double]) {
        for (time, value) in zip([0.1, 0.25, 0.5, 0.75, 0.9], values) {
            #expect(abs(curve.value(at: time) - value) < 1e-6)
        }
    }

    @Test("Points on a Bézier curve are found again to 1e-6, for curves of every shape")
    func everyShape() {
        let steps = [0, 0.1, 0.5, 0.9, 1]
        var worst = 0.0
        for x1 in steps {
            for x2 in steps where !(x1 == 1 && x2 == 0) {
                for (y1, y2) in [(0.0, 1.0), (1, 0), (-0.5, 1.5), (0.3, 0.3)] {
                    let curve = TimingCurve.cubicBezier(x1, y1, x2, y2)
                    for step in 1..<100 {
                        let s = Double(step) / 100
                        let (a, b, c) = (3 * s * (1 - s) * (1 - s), 3 * s * s * (1 - s), s * s * s)
                        worst = max(worst, abs(curve.value(at: a * x1 + b * x2 + c) - (a * y1 + b * y2 + c)))
                    }
                }
            }
        }
        #expect(worst < 1e-6)
    }

    @Test("A curve starts at 0 and ends at 1, also for times outside of 0…1 and for NaN")
    func ends() {
        for curve in [TimingCurve.linear, .easeIn, .easeOut, .easeInOut, .cubicBezier(0.3, -2, 0.4, 3)] {
            #expect([-1, 0, -.infinity, .nan].allSatisfy { curve.value(at: $0) == 0 })
            #expect([1, 2, .infinity].allSatisfy { curve.value(at: $0) == 1 })
        }
    }

    @Test("Control points that are not finite or not monotonic in time still give a curve")
    func hostile() {
        for x in [Double.nan, .infinity, -.infinity, -3, 7, 1e300] {
            for y in [Double.nan, .infinity, -1e300, 0.5] {
                for curve in [TimingCurve(x, y, 0.5, 1), TimingCurve(0.5, 0, x, y), TimingCurve(x, y, y, x)] {
                    for step in 0...50 {
                        let time = Double(step) / 50
                        #expect(curve.value(at: time).isFinite && curve.slope(at: time).isFinite)
                    }
                }
            }
        }
    }

    @Test("A control point that is NaN counts as that of a linear curve")
    func notANumber() {
        #expect(TimingCurve(.nan, .nan, .nan, .nan) == .linear)
        #expect(TimingCurve(0.3, .nan, 0.5, 1) == TimingCurve(0.3, 0, 0.5, 1))
    }

    @Test("The slope is the derivative of the curve")
    func slope() {
        let h = 1e-5
        for curve in [TimingCurve.linear, .easeIn, .easeOut, .easeInOut, .cubicBezier(0.34, 1.56, 0.64, 1)] {
            for time in [0.05, 0.3, 0.5, 0.8, 0.95] {
                let difference = (curve.value(at: time + h) - curve.value(at: time - h)) / (2 * h)
                #expect(abs(curve.slope(at: time) - difference) < 1e-3)
            }
        }
        #expect(abs(TimingCurve.easeOut.slope(at: 0) - 1 / 0.58) < 1e-3)
        #expect(abs(TimingCurve.easeIn.slope(at: 1) - 1 / 0.58) < 1e-3)
        #expect(TimingCurve.easeOut.slope(at: 1.1) == 0)
        #expect(TimingCurve.easeOut.slope(at: .nan) == 0)
    }

    @Test("The inverse leads back to the time, and a curve that may run backwards has none")
    func inverse() throws {
        let inverse = try #require(TimingCurve.easeInOut.inverse)
        for time in [0.1, 0.4, 0.77] {
            #expect(abs(inverse.value(at: TimingCurve.easeInOut.value(at: time)) - time) < 1e-6)
        }
        #expect(TimingCurve.cubicBezier(0.3, 1.5, 0.5, 1).inverse == nil)
    }
}
