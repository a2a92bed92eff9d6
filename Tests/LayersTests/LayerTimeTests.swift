import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Layer animations") struct LayerTimeTests {
    private func at(_ seconds: Double) -> LocalTime { LocalTime(seconds: seconds) }

    /// A root with one layer in it, and one in that.
    private let root = Layer()
    private let group = Layer()
    private let leaf = Layer(frame: Rect(x: 0, y: 0, width: 10, height: 10))

    init() {
        root.add(group)
        group.add(leaf)
    }

    private final class Ends {
        var all: [Bool] = []
    }

    @Test("Every animatable property has a model value and a presentation value")
    func values() {
        leaf.animatedTranslation.animate(to: Point(x: 100, y: 0), now: at(0), duration: .seconds(1), curve: .linear)
        leaf.animatedScale.animate(to: 2, now: at(0), duration: .seconds(1), curve: .linear)
        leaf.animatedOpacity.animate(to: 0, now: at(0), duration: .seconds(1), curve: .linear)
        #expect(leaf.translation == Point(x: 100, y: 0))
        #expect(leaf.scale == 2)
        #expect(leaf.opacity == 0)
        // Enlarged about its middle, at (5, 5).
        #expect(leaf.presentationFrame(at: at(0.5)) == Rect(x: 47.5, y: -2.5, width: 15, height: 15))
        #expect(leaf.animatedOpacity.presentation(at: at(0.25)) == 0.75)
    }

    @Test("Setting a layer's model value during an animation does not move its presentation value")
    func settingTheModel() {
        leaf.animatedTranslation.animate(to: Point(x: 100, y: 0), now: at(0), duration: .seconds(1), curve: .linear)
        leaf.translation = Point(x: 7, y: 7)
        #expect(leaf.presentationFrame(at: at(0.5)).origin == Point(x: 50, y: 0))
        root.advance(to: at(1))
        #expect(leaf.presentationFrame(at: at(1)).origin == Point(x: 7, y: 7))
    }

    @Test("Advancing a layer reports whether anything animates, and removes ended animations with their completions")
    func advancing() {
        #expect(!root.advance(to: at(0)))
        let ends = Ends()
        leaf.animatedOpacity.animate(to: 0, now: at(1), duration: .seconds(2)) { ends.all.append($0) }
        #expect(root.advance(to: at(0)))
        #expect(root.advance(to: at(2.999)))
        #expect(ends.all == [])
        #expect(!root.advance(to: at(3)))
        #expect(ends.all == [true])
        #expect(!leaf.animatedOpacity.isAnimating)
        #expect(!root.advance(to: at(4)))
        #expect(ends.all == [true])
    }

    @Test("An animating layer is noticed wherever and whenever it is added to the tree")
    func adding() {
        let other = Layer()
        leaf.animatedOpacity.animate(to: 0, now: at(0), duration: .seconds(2))
        #expect(!other.advance(to: at(0)))
        other.add(group)
        #expect(!root.advance(to: at(0)))
        #expect(other.advance(to: at(0)))
        root.add(other)
        #expect(root.advance(to: at(0)))
        leaf.removeFromSuperlayer()
        #expect(!root.advance(to: at(0)))
    }

    @Test("Once at rest, a layer tree is not traversed again until an animation starts")
    func rest() {
        leaf.animatedOpacity.animate(to: 0, now: at(0), duration: .seconds(1))
        #expect(!root.advance(to: at(1)))
        leaf.animatedOpacity.animate(to: 1, now: at(5), duration: .seconds(1))
        #expect(root.advance(to: at(5.5)))
        leaf.animatedOpacity.removeAnimations()
        #expect(!root.advance(to: at(5.5)))
    }

    @Test("A value held by the fill mode does not count as animating")
    func held() {
        let ends = Ends()
        let timing = MediaTiming(duration: .seconds(1), fillMode: .forwards)
        leaf.animatedOpacity.run(Animation(from: 1, to: 0.5, timing: timing, curve: .linear)) { ends.all.append($0) }
        #expect(root.advance(to: at(0.5)))
        #expect(!root.advance(to: at(1)))
        #expect(!root.advance(to: at(2)))
        #expect(ends.all == [true])
        #expect(leaf.animatedOpacity.presentation(at: at(9)) == 0.5)
        leaf.animatedOpacity.removeAnimations()
        #expect(leaf.animatedOpacity.presentation(at: at(9)) == 1)
        #expect(ends.all == [true])
    }

    @Test("Pausing a layer pauses its sublayers, and nothing in it counts as animating")
    func pausing() {
        leaf.animatedTranslation.animate(to: Point(x: 100, y: 0), now: at(0), duration: .seconds(10), curve: .linear)
        var timing = MediaTiming()
        timing.pause(at: at(4))
        group.timing = timing
        #expect(!root.advance(to: at(4)))
        #expect(leaf.presentationFrame(at: at(900)).minX == 40)
        #expect(!root.advance(to: at(900)))
        group.timing?.resume(at: at(1000))
        #expect(root.advance(to: at(1000)))
        #expect(leaf.presentationFrame(at: at(1000)).minX == 40)
        #expect(leaf.presentationFrame(at: at(1003)).minX == 70)
        #expect(!root.advance(to: at(1006)))
        #expect(leaf.presentationFrame(at: at(1006)).minX == 100)
    }

    @Test("Speeds of layers multiply down the tree")
    func speeds() {
        group.timing = MediaTiming(speed: 2)
        leaf.timing = MediaTiming(speed: 3)
        leaf.animatedTranslation.animate(to: Point(x: 60, y: 0), now: at(0), duration: .seconds(6), curve: .linear)
        #expect(leaf.presentationFrame(at: at(0.5)).minX == 30)
        #expect(root.advance(to: at(0.999)))
        #expect(!root.advance(to: at(1)))
    }

    @Test("An animation that is paused itself does not count as animating")
    func pausedAnimation() {
        leaf.animatedOpacity.animate(to: 0, now: at(0), duration: .seconds(2), curve: .linear)
        leaf.animatedOpacity.pause(at: at(1))
        #expect(!root.advance(to: at(50)))
        #expect(leaf.animatedOpacity.presentation(at: at(50)) == 0.5)
        leaf.animatedOpacity.resume(at: at(60))
        #expect(root.advance(to: at(60.5)))
        #expect(leaf.animatedOpacity.presentation(at: at(60.5)) == 0.25)
        #expect(!root.advance(to: at(61)))
    }
}

@Suite("Completions of layer animations") struct LayerCompletionTests {
    private let end = LocalTime(seconds: 1)
    private let root = Layer()
    private let layers = (0..<5).map { _ in Layer() }

    init() { for layer in layers { root.add(layer) } }

    private func animate(_ layer: Layer, then completion: @escaping () -> Void) {
        layer.animatedOpacity.animate(to: 0, now: .zero, duration: .seconds(1)) { _ in completion() }
    }

    @Test("A completion may remove its own layer and siblings, whose completions are then not called")
    func removing() {
        var told: [Int] = []
        for (index, layer) in layers.enumerated() {
            animate(layer) { [root] in
                told.append(index)
                if index == 1 { for layer in self.layers[1...3] { root.remove(layer) } }
            }
        }
        #expect(!root.advance(to: end))
        #expect(told == [0, 1, 4])
        #expect(root.sublayers.count == 2)
        // Put back, they have an end to come to yet.
        root.add(layers[2])
        #expect(!root.advance(to: end))
        #expect(told == [0, 1, 4, 2])
    }

    @Test("A completion may change its own property")
    func sameProperty() {
        animate(layers[0]) { [layers, end] in
            layers[0].opacity = 0.5
            layers[0].animatedOpacity.animate(to: 1, now: end, duration: .seconds(1), curve: .linear)
        }
        #expect(root.advance(to: end))
        #expect(layers[0].animatedOpacity.presentation(at: LocalTime(seconds: 1.5)) == 0.75)
        #expect(!root.advance(to: LocalTime(seconds: 2)))
    }

    @Test("An animation started by a completion counts as animating, wherever in the tree it is", arguments: 0..<5)
    func elsewhere(begun: Int) {
        animate(layers[2]) { [layers, end] in
            layers[begun].animatedTranslation.animate(to: Point(x: 9, y: 9), now: end, duration: .seconds(1))
        }
        #expect(root.advance(to: end))
        #expect(!root.advance(to: LocalTime(seconds: 2)))
    }

    @Test("An animation started by a completion in the parent layer counts as animating")
    func above() {
        animate(layers[2]) { [root, end] in root.animatedOpacity.animate(to: 0, now: end, duration: .seconds(1)) }
        #expect(root.advance(to: end))
        #expect(!root.advance(to: LocalTime(seconds: 2)))
        #expect(!root.animatedOpacity.isAnimating)
    }

    @Test("A completion may add animating layers and remove the common parent")
    func growing() {
        let added = Layer()
        let window = Layer()
        window.add(root)
        animate(layers[0]) { [root, end] in
            root.add(added)
            added.animatedOpacity.animate(to: 0, now: end, duration: .seconds(1))
        }
        #expect(window.advance(to: end))
        added.animatedOpacity.animate(to: 1, now: end, duration: .seconds(1)) { [root] _ in root.removeFromSuperlayer()
        }
        #expect(!window.advance(to: LocalTime(seconds: 2)))
        #expect(window.sublayers.isEmpty)
    }
}
