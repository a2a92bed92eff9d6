import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Scroll position") struct ScrollPositionTests {
    // MARK: - Wheel and keys

    @Test("The wheel scrolls smoothly: it starts from rest, never overshoots and arrives exactly")
    func glide() {
        var position = ScrollPosition.test()
        position.glide(by: 80, now: ScrollPosition.at(0))
        #expect(position.isMoving && !position.isDecelerating)
        #expect(abs(ScrollPosition.speed(of: position, at: 0)) < 1)
        var last = 0.0
        for step in 1...100 {
            position.advance(to: ScrollPosition.at(Double(step) * 0.01))
            #expect(position.offset >= last && position.offset <= 80)
            last = position.offset
        }
        #expect(position.offset == 80 && !position.isMoving)
    }

    @Test("Turning the wheel again moves the target and adds to the remaining distance", arguments: [80.0, -200, 4000])
    func retarget(second: Double) {
        var position = ScrollPosition.test(at: 1000)
        position.glide(by: 300, now: ScrollPosition.at(0))
        var turned = position
        turned.glide(by: second, now: ScrollPosition.at(0.07))
        #expect(turned.offset == ScrollPosition.offset(of: position, at: 0.07))
        #expect(abs(ScrollPosition.speed(of: turned, at: 0.07) - ScrollPosition.speed(of: position, at: 0.07)) < 1)
        turned.advance(to: ScrollPosition.at(9))
        #expect(turned.offset == min(1300 + second, 4500))
    }

    @Test("Turning the wheel during a fling takes over its speed and current position")
    func wheelDuringThrow() {
        var thrown = ScrollPosition.test(at: 1000)
        thrown.beginDrag(now: ScrollPosition.at(0))
        thrown.endDrag(velocity: -2000, now: ScrollPosition.at(0))
        var turned = thrown
        turned.glide(by: 80, now: ScrollPosition.at(0.1))
        let seen = ScrollPosition.offset(of: thrown, at: 0.1)
        #expect(turned.offset == seen)
        #expect(abs(ScrollPosition.speed(of: turned, at: 0.1) - ScrollPosition.speed(of: thrown, at: 0.1)) < 1)
        turned.advance(to: ScrollPosition.at(9))
        #expect(abs(turned.offset - (seen + 80)) < 1e-9)
    }

    @Test("A target beyond an end is clamped to the end", arguments: [(1e9, 4500.0), (-1e9, 0)])
    func beyond(distance: Double, end: Double) {
        var position = ScrollPosition.test(at: 2000)
        position.glide(by: distance, now: ScrollPosition.at(0))
        position.advance(to: ScrollPosition.at(9))
        #expect(position.offset == end)
        position.glide(by: distance, now: ScrollPosition.at(10))
        #expect(!position.isMoving)
    }

    @Test(
        "Revealing a row scrolls no further than needed",
        arguments: [
            (1000.0, 1050.0, 1000.0), (400, 450, 400), (1480, 1530, 1030), (1450, 1500, 1000), (1600, 2400, 1600),
        ])
    func reveal(from: Double, to: Double, rests: Double) {
        var position = ScrollPosition.test(at: 1000)
        position.reveal(from...to, now: ScrollPosition.at(0))
        position.advance(to: ScrollPosition.at(9))
        #expect(position.offset == rests)
    }

    // MARK: - Dragging

    @Test("Content follows the pointer exactly and stops when released at rest")
    func harness() {
        var position = ScrollPosition.test(at: 1000)
        position.beginDrag(now: ScrollPosition.at(0))
        position.drag(translation: 150)
        #expect(position.offset == 850 && position.isHeld)
        position.drag(translation: -50)
        #expect(position.offset == 1050)
        position.endDrag(velocity: 7, now: ScrollPosition.at(1))
        #expect(!position.isMoving && !position.isHeld && position.offset == 1050)
    }

    @Test("A fling keeps 1/e of its speed after decayTime and comes to rest after speed · decayTime")
    func thrown() {
        var position = ScrollPosition.test(at: 1000)
        position.beginDrag(now: ScrollPosition.at(0))
        position.endDrag(velocity: -1000, now: ScrollPosition.at(0))
        #expect(position.isDecelerating)
        #expect(abs(ScrollPosition.speed(of: position, at: 0) - 1000) < 1)
        #expect(abs(ScrollPosition.speed(of: position, at: ScrollPosition.decayTime) - 1000 * 0.36787944) < 0.1)
        position.advance(to: ScrollPosition.at(5))
        #expect(!position.isMoving)
        #expect(abs(position.offset - (1000 + 1000 * ScrollPosition.decayTime)) < 8 * ScrollPosition.decayTime + 1e-9)
    }

    @Test("A fling beyond an end is pulled back, independently of the frame rate", arguments: [-4000.0, 4000])
    func thrownBeyond(velocity: Double) {
        var thrown = ScrollPosition.test(at: velocity < 0 ? 4000 : 500)
        thrown.beginDrag(now: ScrollPosition.at(0))
        thrown.endDrag(velocity: velocity, now: ScrollPosition.at(0))
        var (fine, farthest) = (thrown, 0.0)
        for step in 1...100 {
            fine.advance(to: ScrollPosition.at(Double(step) * 0.002))
            farthest = max(farthest, fine.offset - 4500, -fine.offset)
        }
        #expect(farthest > 10 && farthest < 200)
        // One late frame finds it where a hundred found it.
        #expect(abs(fine.offset - ScrollPosition.offset(of: thrown, at: 0.2)) < 1e-6)
        fine.advance(to: ScrollPosition.at(5))
        #expect(fine.offset == (velocity < 0 ? 4500 : 0) && !fine.isMoving)
    }

    @Test("Dragging beyond an end meets growing resistance, up to a fraction of the viewport")
    func rubber() {
        var position = ScrollPosition.test()
        position.beginDrag(now: ScrollPosition.at(0))
        var last = (offset: 0.0, step: Double.infinity)
        for step in 1...50 {
            position.drag(translation: Double(step) * 20)
            let given = last.offset - position.offset
            #expect(given > 0 && given < last.step && given < 20)
            last = (position.offset, given)
        }
        position.drag(translation: 1e12)
        #expect(position.offset >= -ScrollPosition.rubberFraction * 500)
    }

    @Test(
        "A drag that catches overscrolled content continues from where it is",
        arguments: [-300.0, 300])
    func rubberInverse(translation: Double) {
        var position = ScrollPosition.test(at: translation > 0 ? 0 : 4500)
        position.beginDrag(now: ScrollPosition.at(0))
        position.drag(translation: translation)
        let seen = position.offset
        var whole = position
        whole.drag(translation: translation * 1.5)
        position.endDrag(velocity: 0, now: ScrollPosition.at(1))
        position.beginDrag(now: ScrollPosition.at(1))
        position.drag(translation: 0)
        #expect(abs(position.offset - seen) < 1e-9)
        position.drag(translation: translation * 0.5)
        #expect(abs(position.offset - whole.offset) < 1e-6)
    }

    @Test(
        "Released beyond an end, content springs back to the end without overshooting, whatever its speed",
        arguments: [0.0, 5000, -5000])
    func springBack(velocity: Double) {
        var position = ScrollPosition.test()
        position.beginDrag(now: ScrollPosition.at(0))
        position.drag(translation: 200)
        position.endDrag(velocity: velocity, now: ScrollPosition.at(0))
        #expect(position.isMoving && !position.isDecelerating)
        for step in 1...100 {
            position.advance(to: ScrollPosition.at(Double(step) * 0.01))
            #expect(position.offset <= 0)
        }
        #expect(position.offset == 0 && !position.isMoving)
    }

    @Test("A press stops moving content where it is")
    func holdStops() {
        var position = ScrollPosition.test(at: 1000)
        position.beginDrag(now: ScrollPosition.at(0))
        position.endDrag(velocity: -1000, now: ScrollPosition.at(0))
        let seen = ScrollPosition.offset(of: position, at: 0.2)
        position.beginDrag(now: ScrollPosition.at(0.2))
        #expect(position.offset == seen)
        position.endDrag(velocity: 0, now: ScrollPosition.at(0.3))
        #expect(position.offset == seen && !position.isMoving)
    }

    @Test("Stopping leaves content where it is, and beyond an end it springs back")
    func stop() {
        var position = ScrollPosition.test(at: 4490)
        position.beginDrag(now: ScrollPosition.at(0))
        position.endDrag(velocity: -2000, now: ScrollPosition.at(0))
        position.stop(now: ScrollPosition.at(0.05))
        #expect(position.offset > 4500 && position.isMoving)
        position.advance(to: ScrollPosition.at(5))
        #expect(position.offset == 4500)
        position.glide(by: -1000, now: ScrollPosition.at(5))
        position.stop(now: ScrollPosition.at(5.1))
        let seen = position.offset
        #expect(!position.isMoving && seen > 3500 && seen < 4500)
    }
}
