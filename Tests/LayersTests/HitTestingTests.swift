import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Hit testing") struct HitTestingTests {
    private func at(_ seconds: Double) -> LocalTime { LocalTime(seconds: seconds) }

    private let root = Layer(frame: Rect(x: 0, y: 0, width: 200, height: 100))
    private let box = Layer(frame: Rect(x: 20, y: 20, width: 40, height: 20))

    init() { root.add(box) }

    private func hit(_ x: Double, _ y: Double, at time: Double = 0) -> Layer? {
        root.hitTest(Point(x: x, y: y), at: at(time))
    }

    @Test("A hit test finds the frontmost layer and its ancestors, and nothing outside the root")
    func path() {
        let inner = Layer(frame: Rect(x: 10, y: 5, width: 10, height: 10))
        box.add(inner)
        let path = root.path(to: Point(x: 35, y: 30), at: .zero)
        #expect(path.map(ObjectIdentifier.init) == [inner, box, root].map(ObjectIdentifier.init))
        #expect(hit(29.9, 30) === box)
        #expect(hit(30, 30) === inner)
        #expect(hit(40, 30) === box)
        #expect(hit(19, 30) === root)
        #expect(hit(200, 30) == nil)
        let above = Layer(frame: box.frame)
        root.add(above)
        #expect(hit(35, 30) === above)
        box.zPosition = 1
        #expect(hit(35, 30) === inner)
    }

    @Test("Hit tests of animating layers use the presentation value")
    func presentation() {
        box.animatedTranslation.animate(to: Point(x: 100, y: 0), now: at(0), duration: .seconds(1), curve: .linear)
        #expect(hit(25, 25, at: 0) === box)
        #expect(hit(125, 25, at: 0) === root)
        #expect(hit(25, 25, at: 0.5) === root)
        #expect(hit(75, 25, at: 0.5) === box)
        #expect(hit(125, 25, at: 1) === box)
        // A press that came in before the movement began still finds it where it was.
        #expect(hit(25, 25, at: -1) === box)
    }

    @Test("Scaled layers and their sublayers are hit where they are drawn")
    func scaled() {
        let inner = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        box.add(inner)
        box.scale = 2
        // 80 by 40 about (40, 30): from (0, 10).
        #expect(hit(0, 10) === inner)
        #expect(hit(19.9, 29.9) === inner)
        #expect(hit(20, 30) === box)
        #expect(hit(79.9, 49.9) === box)
        #expect(hit(80, 30) === root)
        box.scale = 0
        #expect(hit(40, 30) === root)
    }

    @Test("Hidden and transparent layers and their sublayers are not hit")
    func unseen() {
        let inner = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        box.add(inner)
        box.isHidden = true
        #expect(hit(25, 25) === root)
        box.isHidden = false
        box.opacity = 0
        #expect(hit(25, 25) === root)
        box.opacity = 0.01
        #expect(hit(25, 25) === inner)
    }

    @Test("A layer that ignores hits lets them through, but its sublayers are still hit")
    func untestable() {
        let inner = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))
        box.add(inner)
        box.isHitTestable = false
        #expect(hit(25, 25) === inner)
        #expect(hit(45, 25) === root)
        root.isHitTestable = false
        #expect(hit(45, 25) == nil)
    }

    @Test("Sublayers outside of their parent are hit unless the parent clips")
    func clips() {
        let outside = Layer(frame: Rect(x: 35, y: 0, width: 20, height: 20))
        box.add(outside)
        #expect(hit(70, 30) === outside)
        box.clipsToBounds = true
        #expect(hit(58, 30) === outside)
        #expect(hit(70, 30) === root)
    }

    @Test(
        "The hit area is the layer plus a margin on every side, even outside of the parent's bounds",
        arguments: [false, true])
    func margin(clips: Bool) {
        let bar = Layer(frame: Rect(x: 0, y: 18, width: 40, height: 2))
        bar.hitMargin = 16
        box.add(bar)
        box.clipsToBounds = clips
        #expect(hit(25, 55.9) === bar)
        #expect(hit(25, 56) === root)
        #expect(hit(4, 39) === bar)
        #expect(hit(3.9, 39) === root)
        #expect(hit(75.9, 39) === bar)
        #expect(hit(76, 39) === root)
        #expect(hit(25, 22) === bar)
        #expect(hit(25, 21.9) === box)
        let path = root.path(to: Point(x: 25, y: 50), at: .zero)
        #expect(path.map(ObjectIdentifier.init) == [bar, box, root].map(ObjectIdentifier.init))
    }

    @Test("The hit margin of a bar scrolled out of view does not reach beyond the clipping list")
    func marginOfTheUnseen() {
        box.clipsToBounds = true
        let bar = Layer(frame: Rect(x: 0, y: 30, width: 40, height: 2))
        bar.hitMargin = 16
        box.add(bar)
        #expect(hit(25, 51) === root)
        bar.frame.origin.y = 10
        #expect(hit(25, 41) === bar)
        bar.isHidden = true
        #expect(hit(25, 41) === root)
        bar.isHidden = false
        bar.opacity = 0
        #expect(hit(25, 41) === root)
        bar.opacity = 1
        bar.isHitTestable = false
        #expect(hit(25, 41) === root)
    }

    @Test("Non-finite points hit nothing", arguments: [Double.nan, .infinity, -.infinity])
    func nonsense(bad: Double) {
        #expect(hit(bad, 10) == nil)
        #expect(hit(10, bad) == nil)
        box.frame = Rect(x: bad, y: 0, width: bad, height: bad)
        box.hitMargin = bad
        #expect(hit(10, 10) === root)
    }

    @Test("Points are converted through translations, scales and the local times of all ancestors")
    func converting() {
        let inner = Layer(frame: Rect(x: 10, y: 4, width: 20, height: 10))
        box.add(inner)
        box.scale = 2
        box.animatedTranslation.animate(to: Point(x: 100, y: 0), now: at(0), duration: .seconds(1), curve: .linear)
        inner.scale = 0.5
        inner.translation = Point(x: 0, y: 3)
        var timing = MediaTiming()
        timing.pause(at: at(0.5))
        root.timing = timing
        // The box: 80 by 40 about (40 + 50, 30). In it, the inner one: 10 by 5 about (20, 12), twice as large.
        #expect(box.presentationFrame(at: at(77)) == Rect(x: 50, y: 10, width: 80, height: 40))
        #expect(inner.presentationFrame(at: at(77)) == Rect(x: 80, y: 29, width: 20, height: 10))
        #expect(inner.convert(fromLayout: Point(x: 80, y: 29), at: at(77)) == .zero)
        #expect(inner.convert(fromLayout: Point(x: 100, y: 39), at: at(77)) == Point(x: 20, y: 10))
        #expect(root.convert(fromLayout: Point(x: 3, y: 4), at: at(77)) == Point(x: 3, y: 4))
        #expect(hit(80, 29, at: 77) === inner)
        #expect(hit(79.9, 29, at: 77) === box)
    }
}
