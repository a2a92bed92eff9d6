import Motion
import Testing

@testable import Controls

@Suite("Where scrolling content is") struct ScrollPositionTests {
    private static let start = HostTime(nanoseconds: 1_000_000_000)

    private static func at(_ seconds: Double) -> HostTime { start + .seconds(seconds) }

    /// 5000 points of content in a viewport of 500: offsets from 0 to 4500.
    private static func position(at offset: Double = 0) -> ScrollPosition {
        var position = ScrollPosition()
        position.setLengths(content: 5000, viewport: 500)
        position.jump(to: offset)
        return position
    }

    private static func offset(of position: ScrollPosition, at seconds: Double) -> Double {
        var position = position
        position.advance(to: at(seconds))
        return position.offset
    }

    /// Points a second around that time, measured from outside.
    private static func speed(of position: ScrollPosition, at seconds: Double) -> Double {
        (offset(of: position, at: seconds + 1e-6) - offset(of: position, at: seconds)) / 1e-6
    }

    // MARK: - Wheel and keys

    @Test("A wheel glides: it begins at rest, never passes its place, and arrives exactly")
    func glide() {
        var position = Self.position()
        position.glide(by: 80, now: Self.at(0))
        #expect(position.isMoving && !position.isDecelerating)
        #expect(abs(Self.speed(of: position, at: 0)) < 1)
        var last = 0.0
        for step in 1...100 {
            position.advance(to: Self.at(Double(step) * 0.01))
            #expect(position.offset >= last && position.offset <= 80)
            last = position.offset
        }
        #expect(position.offset == 80 && !position.isMoving)
    }

    @Test("A further turn moves the place, and adds to what is still to go", arguments: [80.0, -200, 4000])
    func retarget(second: Double) {
        var position = Self.position(at: 1000)
        position.glide(by: 300, now: Self.at(0))
        var turned = position
        turned.glide(by: second, now: Self.at(0.07))
        #expect(turned.offset == Self.offset(of: position, at: 0.07))
        #expect(abs(Self.speed(of: turned, at: 0.07) - Self.speed(of: position, at: 0.07)) < 1)
        turned.advance(to: Self.at(9))
        #expect(turned.offset == min(1300 + second, 4500))
    }

    @Test("A wheel that catches a throw takes over its speed, and goes on from where that is by then")
    func wheelDuringThrow() {
        var thrown = Self.position(at: 1000)
        thrown.beginDrag(now: Self.at(0))
        thrown.endDrag(velocity: -2000, now: Self.at(0))
        var turned = thrown
        turned.glide(by: 80, now: Self.at(0.1))
        let seen = Self.offset(of: thrown, at: 0.1)
        #expect(turned.offset == seen)
        #expect(abs(Self.speed(of: turned, at: 0.1) - Self.speed(of: thrown, at: 0.1)) < 1)
        turned.advance(to: Self.at(9))
        #expect(abs(turned.offset - (seen + 80)) < 1e-9)
    }

    @Test("A place beyond an end is that end", arguments: [(1e9, 4500.0), (-1e9, 0)])
    func beyond(distance: Double, end: Double) {
        var position = Self.position(at: 2000)
        position.glide(by: distance, now: Self.at(0))
        position.advance(to: Self.at(9))
        #expect(position.offset == end)
        position.glide(by: distance, now: Self.at(10))
        #expect(!position.isMoving)
    }

    @Test(
        "reveal goes no further than is needed",
        arguments: [
            (1000.0, 1050.0, 1000.0), (400, 450, 400), (1480, 1530, 1030), (1450, 1500, 1000), (1600, 2400, 1600),
        ])
    func reveal(from: Double, to: Double, rests: Double) {
        var position = Self.position(at: 1000)
        position.reveal(from...to, now: Self.at(0))
        position.advance(to: Self.at(9))
        #expect(position.offset == rests)
    }

    // MARK: - A hand

    @Test("Content follows the hand point by point, and stands when it is let go of at rest")
    func hand() {
        var position = Self.position(at: 1000)
        position.beginDrag(now: Self.at(0))
        position.drag(translation: 150)
        #expect(position.offset == 850 && position.isHeld)
        position.drag(translation: -50)
        #expect(position.offset == 1050)
        position.endDrag(velocity: 7, now: Self.at(1))
        #expect(!position.isMoving && !position.isHeld && position.offset == 1050)
    }

    @Test("Thrown, it has 1/e of its speed after decayTime, and comes to rest speed · decayTime further on")
    func thrown() {
        var position = Self.position(at: 1000)
        position.beginDrag(now: Self.at(0))
        position.endDrag(velocity: -1000, now: Self.at(0))
        #expect(position.isDecelerating)
        #expect(abs(Self.speed(of: position, at: 0) - 1000) < 1)
        #expect(abs(Self.speed(of: position, at: ScrollPosition.decayTime) - 1000 * 0.36787944) < 0.1)
        position.advance(to: Self.at(5))
        #expect(!position.isMoving)
        #expect(abs(position.offset - (1000 + 1000 * ScrollPosition.decayTime)) < 8 * ScrollPosition.decayTime + 1e-9)
    }

    @Test("Thrown beyond an end it is taken back from there, wherever the frames fall", arguments: [-4000.0, 4000])
    func thrownBeyond(velocity: Double) {
        var thrown = Self.position(at: velocity < 0 ? 4000 : 500)
        thrown.beginDrag(now: Self.at(0))
        thrown.endDrag(velocity: velocity, now: Self.at(0))
        var (fine, farthest) = (thrown, 0.0)
        for step in 1...100 {
            fine.advance(to: Self.at(Double(step) * 0.002))
            farthest = max(farthest, fine.offset - 4500, -fine.offset)
        }
        #expect(farthest > 10 && farthest < 200)
        // One late frame finds it where a hundred found it.
        #expect(abs(fine.offset - Self.offset(of: thrown, at: 0.2)) < 1e-6)
        fine.advance(to: Self.at(5))
        #expect(fine.offset == (velocity < 0 ? 4500 : 0) && !fine.isMoving)
    }

    @Test("Past an end it gives way ever less, never more than its share of the viewport")
    func rubber() {
        var position = Self.position()
        position.beginDrag(now: Self.at(0))
        var last = (offset: 0.0, step: Double.infinity)
        for step in 1...50 {
            position.drag(translation: Double(step) * 20)
            let given = last.offset - position.offset
            #expect(given > 0 && given < last.step && given < 20)
            last = (position.offset, given)
        }
        position.drag(translation: 1e12)
        #expect(position.offset >= -ScrollPosition.rubberShare * 500)
    }

    @Test(
        "A hand that takes hold of it past an end finds it where it is, and goes on as the first one did",
        arguments: [-300.0, 300])
    func rubberInverse(translation: Double) {
        var position = Self.position(at: translation > 0 ? 0 : 4500)
        position.beginDrag(now: Self.at(0))
        position.drag(translation: translation)
        let seen = position.offset
        var whole = position
        whole.drag(translation: translation * 1.5)
        position.endDrag(velocity: 0, now: Self.at(1))
        position.beginDrag(now: Self.at(1))
        position.drag(translation: 0)
        #expect(abs(position.offset - seen) < 1e-9)
        position.drag(translation: translation * 0.5)
        #expect(abs(position.offset - whole.offset) < 1e-6)
    }

    @Test(
        "Let go of past an end it springs back to that end, and not beyond it, whatever the speed",
        arguments: [0.0, 5000, -5000])
    func springBack(velocity: Double) {
        var position = Self.position()
        position.beginDrag(now: Self.at(0))
        position.drag(translation: 200)
        position.endDrag(velocity: velocity, now: Self.at(0))
        #expect(position.isMoving && !position.isDecelerating)
        for step in 1...100 {
            position.advance(to: Self.at(Double(step) * 0.01))
            #expect(position.offset <= 0)
        }
        #expect(position.offset == 0 && !position.isMoving)
    }

    @Test("A hand stops what moves where it is seen")
    func holdStops() {
        var position = Self.position(at: 1000)
        position.beginDrag(now: Self.at(0))
        position.endDrag(velocity: -1000, now: Self.at(0))
        let seen = Self.offset(of: position, at: 0.2)
        position.beginDrag(now: Self.at(0.2))
        #expect(position.offset == seen)
        position.endDrag(velocity: 0, now: Self.at(0.3))
        #expect(position.offset == seen && !position.isMoving)
    }

    @Test("stop stands where it is seen; past an end it springs back")
    func stop() {
        var position = Self.position(at: 4490)
        position.beginDrag(now: Self.at(0))
        position.endDrag(velocity: -2000, now: Self.at(0))
        position.stop(now: Self.at(0.05))
        #expect(position.offset > 4500 && position.isMoving)
        position.advance(to: Self.at(5))
        #expect(position.offset == 4500)
        position.glide(by: -1000, now: Self.at(5))
        position.stop(now: Self.at(5.1))
        let seen = position.offset
        #expect(!position.isMoving && seen > 3500 && seen < 4500)
    }

    // MARK: - Other lengths

    @Test("At rest it stays within the ends of shorter content")
    func shorterAtRest() {
        var position = Self.position(at: 4000)
        position.setLengths(content: 1000, viewport: 500)
        #expect(position.offset == 500)
        position.setLengths(content: 100, viewport: 500)
        #expect(position.offset == 0 && position.limit == 0)
    }

    @Test("Content that gets shorter under a glide: no jump in place or speed, and its end is where it goes")
    func shorterUnderGlide() {
        var position = Self.position()
        position.glide(by: 2000, now: Self.at(0))
        position.advance(to: Self.at(0.1))
        let (seen, speed) = (position.offset, Self.speed(of: position, at: 0.1))
        position.setLengths(content: 2000, viewport: 500)
        #expect(Self.offset(of: position, at: 0.1) == seen)
        #expect(abs(Self.speed(of: position, at: 0.1) - speed) < 1)
        position.advance(to: Self.at(9))
        #expect(position.offset == 1500)
    }

    @Test("Content that gets shorter than a throw has come: no jump, and then back to its end")
    func shorterUnderThrow() {
        var position = Self.position(at: 1000)
        position.beginDrag(now: Self.at(0))
        position.endDrag(velocity: -1000, now: Self.at(0))
        position.advance(to: Self.at(0.2))
        let seen = position.offset
        position.setLengths(content: 1500, viewport: 500)
        #expect(abs(Self.offset(of: position, at: 0.2) - seen) < 1e-9)
        #expect(abs(Self.offset(of: position, at: 0.201) - seen) < 3)
        position.advance(to: Self.at(9))
        #expect(position.offset == 1000)
    }

    @Test("Content that gets longer or shorter under a hand stays under it")
    func otherUnderHand() {
        var position = Self.position()
        position.beginDrag(now: Self.at(0))
        position.drag(translation: -4600)
        let seen = position.offset
        #expect(seen > 4500 && seen < 4600)
        position.setLengths(content: 9000, viewport: 500)
        position.drag(translation: -4600)
        #expect(position.offset == seen)
        position.drag(translation: -4700)
        #expect(position.offset == seen + 100)
    }

    // MARK: - Bad input

    @Test("What is no number moves nothing", arguments: [Double.nan, .infinity, -.infinity])
    func noNumber(value: Double) {
        var position = Self.position(at: 1000)
        position.glide(by: value, now: Self.at(0))
        position.glide(to: value, now: Self.at(0))
        position.jump(to: value)
        #expect(position.offset == 1000 && !position.isMoving)
        position.beginDrag(now: Self.at(0))
        position.drag(translation: value)
        position.endDrag(velocity: value, now: Self.at(0))
        #expect(position.offset == 1000 && !position.isMoving && !position.isHeld)
        position.setLengths(content: value, viewport: value)
        #expect(position.offset == 0 && position.limit == 0)
    }

    @Test("The wildest throw stays a number, and comes to rest at the end")
    func wild() {
        var position = Self.position(at: 1000)
        position.beginDrag(now: Self.at(0))
        position.endDrag(velocity: -1e300, now: Self.at(0))
        for step in 1...500 {
            position.advance(to: Self.at(Double(step) * 0.01))
            #expect(position.offset.isFinite)
        }
        #expect(position.offset == 4500)
    }

    @Test("Time that runs back, and hands that let go twice, change nothing")
    func orderless() {
        var position = Self.position()
        position.glide(by: 400, now: Self.at(0))
        position.advance(to: Self.at(0.1))
        let seen = position.offset
        let moved = position.advance(to: Self.at(0.05))
        #expect(!moved && position.offset == seen)
        position.endDrag(velocity: 1000, now: Self.at(0.1))
        position.drag(translation: 100)
        position.advance(to: Self.at(9))
        #expect(position.offset == 400)
    }

    @Test("Nothing to scroll: a hand draws it a little, and it comes back")
    func noRoom() {
        var position = ScrollPosition()
        position.setLengths(content: 100, viewport: 500)
        position.glide(by: 100, now: Self.at(0))
        #expect(!position.isMoving)
        position.beginDrag(now: Self.at(0))
        position.drag(translation: -100)
        #expect(position.offset > 0 && position.offset < 100)
        position.endDrag(velocity: -1000, now: Self.at(0))
        position.advance(to: Self.at(9))
        #expect(position.offset == 0)
    }
}
