import GlissadeAnimation
import Testing
import GlissadeTime

@Suite("Percent driver") struct PercentDriverTests {
    @Test("While dragged, progress is what the caller sets, clamped to 0…1")
    func held() {
        var driver = PercentDriver()
        for (said, seen) in [(0.3, 0.3), (-2, 0), (7, 1), (.infinity, 1), (0.5, 0.5), (.nan, 0.5)] {
            driver.update(said)
            #expect(driver.progress(at: at(3)) == seen)
        }
        #expect(driver.velocity(at: at(3)) == 0)
        #expect(!driver.isFinished(at: at(1e6)))
        #expect(driver.state == .held)
    }

    @Test("Finishing takes (1 - p) * duration / completionSpeed, cancelling takes p * duration / completionSpeed")
    func durations() {
        var driver = PercentDriver(duration: .seconds(4), completionSpeed: 2, completionCurve: .linear)
        driver.update(0.25)
        driver.finish(at: at(10))
        #expect(driver.state == .finishing)
        #expect(driver.progress(at: at(10)) == 0.25)
        #expect(driver.progress(at: at(10.75)) == 0.625)
        #expect(!driver.isFinished(at: at(11.499)))
        #expect(driver.isFinished(at: at(11.5)))
        #expect(driver.progress(at: at(11.5)) == 1)
        driver.update(0.25)
        driver.cancel(at: at(20))
        #expect(!driver.isFinished(at: at(20.499)))
        #expect(driver.isFinished(at: at(20.5)))
        #expect(driver.progress(at: at(99)) == 0)
    }

    @Test("The completion curve is ease-out by default and covers the remaining distance")
    func curve() {
        var driver = PercentDriver(duration: .seconds(2))
        driver.update(0.5)
        driver.finish(at: at(0))
        #expect(driver.progress(at: at(0.5)) == 0.5 + 0.5 * TimingCurve.easeOut.value(at: 0.5))
        let h = 1e-4
        let slope = (driver.progress(at: at(0.3 + h)) - driver.progress(at: at(0.3 - h))) / (2 * h)
        #expect(abs(driver.velocity(at: at(0.3)) - slope) < 1e-3)
    }

    @Test("Pausing while finishing or cancelling stops at the current progress, from which it can continue")
    func pausing() {
        var driver = PercentDriver(duration: .seconds(1), completionCurve: .linear)
        driver.finish(at: at(0))
        driver.pause(at: at(0.25))
        #expect(driver.progress(at: at(50)) == 0.25)
        #expect(driver.state == .held)
        driver.cancel(at: at(50))
        driver.pause(at: at(50.125))
        #expect(driver.progress(at: at(51)) == 0.125)
        driver.finish(at: at(60))
        #expect(driver.isFinished(at: at(60.875)))
    }

    @Test(
        "When a spring takes over, progress and velocity stay continuous", arguments: [-3.0, 0, 0.4, 5])
    func handOver(velocity: Double) {
        var driver = PercentDriver(spring: Spring(response: 0.35))
        driver.update(0.4)
        driver.finish(velocity: velocity, at: at(1))
        #expect(driver.progress(at: at(1)) == 0.4)
        #expect(driver.velocity(at: at(1)) == velocity)
        #expect(abs(driver.progress(at: at(1.0001)) - 0.4 - velocity * 0.0001) < 1e-5)
        // And again when it is sent back on the way, without a word of velocity.
        let before = (driver.progress(at: at(1.02)), driver.velocity(at: at(1.02)))
        driver.cancel(at: at(1.02))
        #expect(driver.progress(at: at(1.02)) == before.0)
        #expect(driver.velocity(at: at(1.02)) == before.1)
    }

    @Test("Thrown beyond its end, progress stays within 0…1 and the driver finishes on reaching it")
    func overshoot() {
        var driver = PercentDriver(spring: Spring(response: 0.35))
        driver.update(0.9)
        driver.finish(velocity: 50, at: at(0))
        #expect(driver.progress(at: at(0.01)) == 1)
        #expect(driver.isFinished(at: at(0.01)))
        #expect(driver.velocity(at: at(0.01)) == 0)
        var swinging = PercentDriver(spring: Spring(response: 0.35, dampingRatio: 0.2))
        swinging.update(0.5)
        swinging.cancel(velocity: -20, at: at(0))
        for step in 0...3000 { #expect((0...1).contains(swinging.progress(at: at(Double(step) / 1000)))) }
        #expect(swinging.progress(at: at(9)) == 0)
        #expect(swinging.isFinished(at: at(9)))
    }

    @Test("A settle limit stiffens the spring, which keeps the velocity and arrives in time")
    func settleLimit() {
        for (start, velocity) in [(0.3, 0.0), (0.3, 4), (0.9, 0), (0.05, -1)] {
            var driver = PercentDriver(spring: Spring(response: 0.35), settleLimit: .milliseconds(350))
            driver.update(start)
            driver.cancel(velocity: velocity, at: at(0))
            #expect(driver.velocity(at: at(0)) == velocity)
            #expect(driver.isFinished(at: at(0.35)))
            #expect(driver.progress(at: at(0.35)) == 0)
            #expect(driver.progress(at: at(0.3)) < 0.01)
        }
    }

    @Test("A driver that is released at its end has finished at once")
    func nothingToDo() {
        var driver = PercentDriver()
        driver.update(1)
        driver.finish(at: at(3))
        #expect(driver.isFinished(at: at(3)))
        #expect(driver.progress(at: at(3)) == 1)
        #expect(driver.velocity(at: at(3)) == 0)
    }

    @Test("Absurd settings, velocities and times keep progress within 0…1")
    func hostile() {
        let numbers = [0, -1, .nan, .infinity, -.infinity, 1e300, 1e-300]
        for number in numbers {
            for duration in [Duration.zero, .seconds(-1), .seconds(1e15), .seconds(1)] {
                for spring in [nil, Spring(response: number, dampingRatio: number)] {
                    var driver = PercentDriver(
                        duration: duration, completionSpeed: number, completionCurve: TimingCurve(number, number, 0, 1),
                        spring: spring, settleLimit: duration, tolerance: number)
                    driver.update(0.5)
                    driver.finish(velocity: number, at: at(5))
                    for time in [Int64.min, 0, 5_000_000_001, 5_100_000_000, .max].map(LocalTime.init(nanoseconds:)) {
                        #expect((0...1).contains(driver.progress(at: time)))
                        #expect(driver.velocity(at: time).isFinite)
                        _ = driver.isFinished(at: time)
                    }
                    driver.pause(at: at(4))
                    driver.cancel(velocity: -number, at: at(3))
                    #expect((0...1).contains(driver.progress(at: at(4))))
                }
            }
        }
    }

    @Test("Progress stays within 0…1 even on a curve that overshoots")
    func swingingCurve() {
        var driver = PercentDriver(duration: .seconds(1), completionCurve: .cubicBezier(0.3, -2, 0.4, 3))
        driver.update(0.5)
        driver.finish(at: at(0))
        var isStopped = false
        for step in 0...500 {
            let now = at(Double(step) / 1000)
            #expect((0...1).contains(driver.progress(at: now)))
            if driver.progress(at: now) == 1, !driver.isFinished(at: now) {
                isStopped = true
                #expect(driver.velocity(at: now) == 0)
            }
        }
        #expect(isStopped)
    }

    @Test("Changing the settings does not affect a completion that is running")
    func settings() {
        var driver = PercentDriver(duration: .seconds(1))
        driver.finish(at: at(0))
        let seen = driver.progress(at: at(0.5))
        driver.completionCurve = .linear
        driver.duration = .seconds(9)
        driver.completionSpeed = 3
        driver.spring = Spring(response: 0.35)
        #expect(driver.progress(at: at(0.5)) == seen)
        #expect(driver.isFinished(at: at(1)))
    }

    @Test("Thrown towards the opposite end, progress waits at the limit and comes back")
    func thrownBack() {
        var driver = PercentDriver(spring: Spring(response: 0.35))
        driver.update(0.05)
        driver.finish(velocity: -30, at: at(0))
        #expect(driver.progress(at: at(0.02)) == 0)
        #expect(driver.velocity(at: at(0.02)) == 0)
        #expect(!driver.isFinished(at: at(0.02)))
        #expect(driver.isFinished(at: at(3)))
        #expect(driver.progress(at: at(3)) == 1)
    }
}
