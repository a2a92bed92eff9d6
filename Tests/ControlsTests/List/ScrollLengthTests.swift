import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Scrolling while the content changes length") struct ScrollLengthTests {
    // MARK: - Other lengths

    @Test("At rest the position stays within the ends of shortened content")
    func shorterAtRest() {
        var position = ScrollPosition.test(at: 4000)
        position.setLengths(content: 1000, viewport: 500)
        #expect(position.offset == 500)
        position.setLengths(content: 100, viewport: 500)
        #expect(position.offset == 0 && position.limit == 0)
    }

    @Test("Shortening the content while the wheel glides causes no jump, and the glide ends at the new end")
    func shorterUnderGlide() {
        var position = ScrollPosition.test()
        position.glide(by: 2000, now: ScrollPosition.at(0))
        position.advance(to: ScrollPosition.at(0.1))
        let (seen, speed) = (position.offset, ScrollPosition.speed(of: position, at: 0.1))
        position.setLengths(content: 2000, viewport: 500)
        #expect(ScrollPosition.offset(of: position, at: 0.1) == seen)
        #expect(abs(ScrollPosition.speed(of: position, at: 0.1) - speed) < 1)
        position.advance(to: ScrollPosition.at(9))
        #expect(position.offset == 1500)
    }

    @Test("Shortening the content beneath a fling causes no jump, and the content returns to its end")
    func shorterUnderThrow() {
        var position = ScrollPosition.test(at: 1000)
        position.beginDrag(now: ScrollPosition.at(0))
        position.endDrag(velocity: -1000, now: ScrollPosition.at(0))
        position.advance(to: ScrollPosition.at(0.2))
        let seen = position.offset
        position.setLengths(content: 1500, viewport: 500)
        #expect(abs(ScrollPosition.offset(of: position, at: 0.2) - seen) < 1e-9)
        #expect(abs(ScrollPosition.offset(of: position, at: 0.201) - seen) < 3)
        position.advance(to: ScrollPosition.at(9))
        #expect(position.offset == 1000)
    }

    @Test("Content that gets longer or shorter during a drag stays under the pointer")
    func otherUnderHand() {
        var position = ScrollPosition.test()
        position.beginDrag(now: ScrollPosition.at(0))
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

    @Test("Non-finite input moves nothing", arguments: [Double.nan, .infinity, -.infinity])
    func noNumber(value: Double) {
        var position = ScrollPosition.test(at: 1000)
        position.glide(by: value, now: ScrollPosition.at(0))
        position.glide(to: value, now: ScrollPosition.at(0))
        position.jump(to: value)
        #expect(position.offset == 1000 && !position.isMoving)
        position.beginDrag(now: ScrollPosition.at(0))
        position.drag(translation: value)
        position.endDrag(velocity: value, now: ScrollPosition.at(0))
        #expect(position.offset == 1000 && !position.isMoving && !position.isHeld)
        position.setLengths(content: value, viewport: value)
        #expect(position.offset == 0 && position.limit == 0)
    }

    @Test("The fastest fling stays finite and comes to rest at the end")
    func wild() {
        var position = ScrollPosition.test(at: 1000)
        position.beginDrag(now: ScrollPosition.at(0))
        position.endDrag(velocity: -1e300, now: ScrollPosition.at(0))
        for step in 1...500 {
            position.advance(to: ScrollPosition.at(Double(step) * 0.01))
            #expect(position.offset.isFinite)
        }
        #expect(position.offset == 4500)
    }

    @Test("Time that runs backwards and repeated releases change nothing")
    func orderless() {
        var position = ScrollPosition.test()
        position.glide(by: 400, now: ScrollPosition.at(0))
        position.advance(to: ScrollPosition.at(0.1))
        let seen = position.offset
        let moved = position.advance(to: ScrollPosition.at(0.05))
        #expect(!moved && position.offset == seen)
        position.endDrag(velocity: 1000, now: ScrollPosition.at(0.1))
        position.drag(translation: 100)
        position.advance(to: ScrollPosition.at(9))
        #expect(position.offset == 400)
    }

    @Test("Content that fits can be dragged a little and springs back")
    func noRoom() {
        var position = ScrollPosition()
        position.setLengths(content: 100, viewport: 500)
        position.glide(by: 100, now: ScrollPosition.at(0))
        #expect(!position.isMoving)
        position.beginDrag(now: ScrollPosition.at(0))
        position.drag(translation: -100)
        #expect(position.offset > 0 && position.offset < 100)
        position.endDrag(velocity: -1000, now: ScrollPosition.at(0))
        position.advance(to: ScrollPosition.at(9))
        #expect(position.offset == 0)
    }
}
