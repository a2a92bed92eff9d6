import GlissadeAnimation
import GlissadeGeometry
import Testing
import GlissadeTime

@Suite("Animated properties") struct AnimatedTests {
    private final class Ends {
        var all: [Bool] = []
        func note(_ isFinished: Bool) { all.append(isFinished) }
    }

    @Test("At rest the presentation value equals the model value")
    func rest() {
        let property = Animated(Point(x: 1, y: 2))
        #expect(property.presentation(at: at(5)) == Point(x: 1, y: 2))
        #expect(property.velocity(at: at(5)) == .zero)
        #expect(!property.isAnimating)
    }

    @Test("During an animation the model value is the end value and the presentation value is what is on screen")
    func modelAndPresentation() {
        let property = Animated(0.0)
        property.animate(to: 100, now: at(1), duration: .seconds(2), curve: .linear)
        #expect(property.model == 100)
        #expect(property.presentation(at: at(0)) == 0)
        #expect(property.presentation(at: at(1)) == 0)
        #expect(property.presentation(at: at(1.5)) == 25)
        #expect(property.velocity(at: at(1.5)) == 50)
        #expect(property.presentation(at: at(3)) == 100)
        #expect(property.velocity(at: at(3)) == 0)
    }

    @Test("Setting the model value during an animation does not move the presentation value")
    func settingTheModel() {
        let property = Animated(0.0)
        property.animate(to: 100, now: at(0), duration: .seconds(2), curve: .linear)
        property.model = 7
        #expect(property.model == 7)
        #expect(property.presentation(at: at(1)) == 50)
        #expect(property.isAnimating)
        property.advance(to: at(2))
        #expect(property.presentation(at: at(2)) == 7)
    }

    @Test("Removing the animations jumps to the model value and calls the completion once, as unfinished")
    func removing() {
        let (property, ends) = (Animated(0.0), Ends())
        property.animate(to: 100, now: at(0), duration: .seconds(2), completion: ends.note)
        property.removeAnimations()
        #expect(property.presentation(at: at(1)) == 100)
        #expect(!property.isAnimating)
        property.removeAnimations()
        property.advance(to: at(9))
        #expect(ends.all == [false])
    }

    @Test("Freezing sets the model value to the presentation value and calls the completion once, as unfinished")
    func freezing() {
        let (property, ends) = (Animated(0.0), Ends())
        property.animate(to: 100, now: at(0), duration: .seconds(2), curve: .linear, completion: ends.note)
        property.freeze(at: at(0.5))
        #expect(property.model == 25)
        #expect(property.presentation(at: at(9)) == 25)
        property.freeze(at: at(1))
        #expect(ends.all == [false])
    }

    @Test(
        "A replaced animation calls its completion once, as unfinished, and the new one starts at the presentation value"
    )
    func replacing() {
        let property = Animated(0.0)
        let (first, second) = (Ends(), Ends())
        property.animate(to: 100, now: at(0), duration: .seconds(2), curve: .linear, completion: first.note)
        property.animate(to: 0, now: at(1), duration: .seconds(1), curve: .linear, completion: second.note)
        #expect(first.all == [false])
        #expect(second.all == [])
        #expect(property.presentation(at: at(1)) == 50)
        #expect(property.presentation(at: at(1.5)) == 25)
        property.advance(to: at(2))
        #expect(first.all == [false])
        #expect(second.all == [true])
    }

    @Test("Advancing removes an animation once, when it has ended and not earlier")
    func advancing() {
        let (property, ends) = (Animated(0.0), Ends())
        property.animate(to: 1, now: at(0), duration: .seconds(2), completion: ends.note)
        property.advance(to: at(1.999))
        #expect(property.isAnimating)
        property.advance(to: at(1))
        #expect(ends.all == [])
        property.advance(to: at(2))
        property.advance(to: at(3))
        #expect(!property.isAnimating)
        #expect(ends.all == [true])
    }

    @Test("A completion may start the next animation of the same property")
    func chains() {
        let (property, ends) = (Animated(0.0), Ends())
        property.animate(to: 10, now: at(0), duration: .seconds(1)) { isFinished in
            ends.note(isFinished)
            property.animate(to: 20, now: at(1), duration: .seconds(1), curve: .linear, completion: ends.note)
        }
        property.advance(to: at(1))
        #expect(property.presentation(at: at(1.5)) == 15)
        property.advance(to: at(2))
        #expect(ends.all == [true, true])
        property.animate(to: 30, now: at(2), duration: .seconds(1)) { _ in property.removeAnimations() }
        property.animate(to: 40, now: at(2), duration: .seconds(1), completion: ends.note)
        #expect(!property.isAnimating)
        #expect(ends.all == [true, true, false])
    }

    @Test("During its delay an animation keeps the current value, then it moves")
    func delay() {
        let property = Animated(5.0)
        property.animate(to: 6, now: at(0), duration: .seconds(1), curve: .linear, delay: .seconds(2))
        #expect(property.presentation(at: at(1)) == 5)
        #expect(property.presentation(at: at(2.5)) == 5.5)
        #expect(property.isAnimating)
    }

    @Test("A spring takes over value and velocity from a running curve or spring", arguments: [0.3, 1, 2])
    func springTakesOver(ratio: Double) {
        let spring = Spring(response: 0.35, dampingRatio: ratio)
        let property = Animated(0.0)
        property.animate(to: 100, now: at(0), duration: .seconds(1), curve: .easeInOut)
        for (now, target) in [(0.5, -20.0), (0.6, 300), (0.65, 0)] {
            let before = (property.presentation(at: at(now)), property.velocity(at: at(now)))
            #expect(before.1 != 0)
            property.animate(to: target, now: at(now), spring: spring)
            #expect(property.presentation(at: at(now)) == before.0)
            #expect(abs(property.velocity(at: at(now)) - before.1) < 1e-9)
            #expect(property.model == target)
        }
    }

    @Test("A spring takes over the pointer's velocity and comes to rest exactly at its end value")
    func springEnds() {
        let (property, ends) = (Animated(Point.zero), Ends())
        let velocity = Point(x: 900, y: -50)
        property.animate(
            to: Point(x: 400, y: 0), now: at(1), spring: Spring(response: 0.35), velocity: velocity,
            completion: ends.note)
        #expect(property.velocity(at: at(1)) == velocity)
        var now = at(1)
        var last = Point.zero
        while property.isAnimating, now < at(9) {
            last = property.presentation(at: now)
            now = now + .milliseconds(1)
            property.advance(to: now)
        }
        #expect(ends.all == [true])
        #expect(now < at(3))
        #expect((last - Point(x: 400, y: 0)).magnitude < 0.01)
        #expect(property.presentation(at: now) == Point(x: 400, y: 0))
    }

    @Test("A repeating animation starts over, or runs backwards where it autoreverses")
    func repeating() {
        let property = Animated(1.0)
        let timing = MediaTiming(duration: .seconds(1), repeatCount: .infinity, autoreverses: true)
        property.run(Animation(from: 1, to: 0, timing: timing, curve: .linear))
        #expect(property.presentation(at: at(0.25)) == 0.75)
        #expect(property.presentation(at: at(1.25)) == 0.25)
        #expect(property.velocity(at: at(1.25)) == 1)
        property.advance(to: at(1e6))
        #expect(property.isAnimating)
        #expect(property.model == 1)
    }

    @Test(
        "Values that are not finite are ignored and end the running animation at once",
        arguments: [Double.nan, .infinity])
    func hostileValues(bad: Double) {
        let (property, ends) = (Animated(3.0), Ends())
        property.model = bad
        #expect(property.model == 3)
        property.animate(to: bad, now: at(0), duration: .seconds(1), completion: ends.note)
        property.animate(to: bad, now: at(0), spring: Spring(response: 0.3), completion: ends.note)
        #expect(ends.all == [false, false])
        #expect(property.presentation(at: at(0.5)) == 3)
        property.animate(to: 9, now: at(0), spring: Spring(response: 0.3), velocity: bad, tolerance: bad)
        #expect(property.presentation(at: at(0.1)).isFinite)
        #expect(Animated(Rect(x: 0, y: bad, width: 1, height: 1)).model == .zero)
    }

    @Test("Zero or negative durations and time that runs backwards still give a value")
    func hostileTimes() {
        for duration in [Duration.zero, .seconds(-3), .seconds(1e15)] {
            let (property, ends) = (Animated(3.0), Ends())
            property.animate(to: 9, now: at(5), duration: duration, completion: ends.note)
            for time in [Int64.min, 0, 4_000_000_000, 5_000_000_000, .max].map(LocalTime.init(nanoseconds:)) {
                #expect((3.0...9).contains(property.presentation(at: time)))
                #expect(property.velocity(at: time).isFinite)
            }
            property.advance(to: at(4))
            #expect(ends.all == [])
            property.advance(to: at(5))
            #expect(ends.all == (duration > .zero ? [] : [true]))
        }
    }

    @Test("Points, sizes, rectangles and colors interpolate as vectors")
    func vectors() {
        #expect(Point(x: 3, y: 4).magnitude == 5)
        #expect(Size(width: 3, height: 4).magnitude == 5)
        #expect(Rect(x: 1, y: 1, width: 1, height: 1).magnitude == 2)
        #expect(Color(red: 0.5, green: 0.5, blue: 0.5, alpha: 0.5).magnitude == 1)
        let (a, b) = (Rect(x: 0, y: 2, width: 10, height: 20), Rect(x: 4, y: 0, width: 30, height: 20))
        #expect(a.mixed(with: b, fraction: 0.5) == Rect(x: 2, y: 1, width: 20, height: 20))
        #expect(a.mixed(with: b, fraction: 1) == b)
        #expect(
            Color.white.mixed(with: .zero, fraction: 0.25) == Color(red: 0.75, green: 0.75, blue: 0.75, alpha: 0.75))
        #expect(Point(x: .nan, y: 0).magnitude.isNaN)
    }

    @Test(
        "A value held by the fill mode stays visible, calls its completion once and does not count as moving")
    func held() {
        let (property, ends) = (Animated(0.0), Ends())
        let timing = MediaTiming(duration: .seconds(1), fillMode: .forwards)
        property.run(Animation(from: 0, to: 5, timing: timing, curve: .linear), completion: ends.note)
        property.advance(to: at(1))
        property.advance(to: at(2))
        #expect(property.presentation(at: at(9)) == 5)
        #expect(property.velocity(at: at(9)) == 0)
        #expect(!property.isAnimating && !property.isMoving)
        property.removeAnimations()
        #expect(property.presentation(at: at(9)) == 0)
        #expect(ends.all == [true])
    }

    @Test("A paused animation does not move, and a resumed one continues from the same value")
    func pausing() {
        let property = Animated(0.0)
        property.animate(to: 100, now: at(0), duration: .seconds(2), curve: .linear)
        property.pause(at: at(0.5))
        #expect(property.isAnimating && !property.isMoving)
        property.advance(to: at(1000))
        #expect(property.presentation(at: at(1000)) == 25)
        property.resume(at: at(1000))
        #expect(property.isMoving)
        #expect(property.presentation(at: at(1000.5)) == 50)
        property.removeAnimations()
        property.pause(at: at(1001))
        property.resume(at: at(1002))
        #expect(property.presentation(at: at(1002)) == 100)
    }
}
