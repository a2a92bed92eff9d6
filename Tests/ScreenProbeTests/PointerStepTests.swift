import GlissadeGeometry
import Testing
import GlissadeTime
import GlissadeScreenProbe

@Suite("Pointer steps") struct PointerStepTests {
    @Test("A swing moves as a sine between its ends at constant height")
    func swing() throws {
        let step = try #require(PointerStep("swing:100,300,2,0.5"))
        #expect(step.seconds == 2)
        let start = Point(x: 100, y: 40)
        for (time, x) in [(0.0, 100.0), (0.125, 200), (0.25, 300), (0.375, 200), (0.5, 100), (0.75, 300), (9, 100)] {
            let place = step.position(at: time, from: start)
            #expect(abs(place.x - x) < 1e-9, "at \(time)")
            #expect(place.y == 40)
        }
    }

    @Test("A throw ends at its distance with its velocity", arguments: [300.0, -300])
    func fling(distance: Double) throws {
        let step = try #require(PointerStep("throw:\(distance),2000"))
        let start = Point(x: 500, y: 40)
        #expect(step.seconds == 0.3)
        #expect(step.position(at: 0, from: start) == start)
        #expect(step.position(at: 0.3, from: start).x == 500 + distance)
        let before = step.position(at: 0.2999, from: start).x
        let velocity = (step.position(at: 0.3, from: start).x - before) / 0.0001
        #expect(abs(abs(velocity) - 2000) < 1)
    }

    @Test("A glide starts and ends at rest, and a move is immediate")
    func glide() throws {
        let step = try #require(PointerStep("glide:10,20,1"))
        #expect(step.position(at: 0, from: .zero) == .zero)
        let middle = step.position(at: 0.5, from: .zero)
        #expect(abs(middle.x - 5) < 1e-9 && abs(middle.y - 10) < 1e-9)
        #expect(step.position(at: 1, from: .zero) == Point(x: 10, y: 20))
        #expect(step.position(at: 0.01, from: .zero).x < 0.01)
        #expect(PointerStep("move:3,4")?.position(at: 0, from: .zero) == Point(x: 3, y: 4))
    }

    @Test("Button and wait steps are parsed")
    func others() {
        #expect(PointerStep("press") == .press(button: 1))
        #expect(PointerStep("press:3") == .press(button: 3))
        #expect(PointerStep("release") == .release(button: 1))
        #expect(PointerStep("wait:1.5") == .wait(seconds: 1.5))
        #expect(PointerStep("key:bracketleft") == .key("bracketleft"))
        #expect(PointerStep("key:XF86AudioPlay")?.seconds == 0)
        #expect(PointerStep("swing:1,2,3") == .swing(from: 1, to: 2, seconds: 3, period: 1))
    }

    @Test(
        "Malformed steps are refused",
        arguments: [
            "", ":", "jump", "key", "key:", "key:a b", "key:a,b", "move", "move:", "move:1", "move:1,2,3", "move:a,b",
            "move:nan,0", "move:inf,0",
            "move:1e9,0", "press:0", "press:1.5", "press:10", "press:1,2", "release:x", "wait", "wait:0", "wait:-1",
            "glide:1,2,0", "swing:1,2", "swing:1,2,3,0", "throw:0,5", "throw:5,0", "throw:5,-5",
        ])
    func refused(text: String) {
        #expect(PointerStep(text) == nil)
    }
}
