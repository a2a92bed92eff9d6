import GlissadeAnimation
import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Layer tree") struct LayerTreeTests {
    private let parent = Layer()
    private let a = Layer()
    private let b = Layer()
    private let c = Layer()

    private func expectOrder(_ layers: [Layer], location: SourceLocation = #_sourceLocation) {
        #expect(
            parent.sublayers.map(ObjectIdentifier.init) == layers.map(ObjectIdentifier.init), sourceLocation: location)
        #expect(parent.sublayers.allSatisfy { $0.superlayer === parent }, sourceLocation: location)
    }

    @Test("Adding puts a layer above its siblings, and inserting puts it at its index")
    func order() {
        parent.add(a)
        parent.add(b)
        expectOrder([a, b])
        parent.insert(c, below: b)
        expectOrder([a, c, b])
        parent.insert(c, at: 0)
        expectOrder([c, a, b])
        parent.insert(c, at: 2)
        expectOrder([a, c, b])
        parent.insert(c, at: 3)
        expectOrder([a, b, c])
        parent.add(a)
        expectOrder([b, c, a])
    }

    @Test("An index out of range is clamped, and inserting below a stranger puts the layer on top")
    func strayIndices() {
        parent.insert(a, at: 7)
        parent.insert(b, at: -3)
        expectOrder([b, a])
        parent.insert(c, below: Layer())
        expectOrder([b, a, c])
        parent.insert(b, below: b)
        expectOrder([b, a, c])
    }

    @Test("Adding moves a layer from its former parent")
    func moving() {
        let other = Layer()
        other.add(a)
        parent.add(a)
        #expect(other.sublayers.isEmpty)
        expectOrder([a])
        other.add(a)
        expectOrder([])
        #expect(a.superlayer === other)
    }

    @Test("Removing affects only own sublayers")
    func removing() {
        let other = Layer()
        other.add(a)
        parent.remove(a)
        #expect(a.superlayer === other)
        other.remove(a)
        #expect(a.superlayer == nil && other.sublayers.isEmpty)
        a.removeFromSuperlayer()
        parent.add(b)
        b.removeFromSuperlayer()
        expectOrder([])
    }

    @Test("A layer cannot be added to itself or to its descendants")
    func cycles() {
        parent.add(a)
        a.add(b)
        b.add(parent)
        #expect(parent.superlayer == nil)
        #expect(b.sublayers.isEmpty)
        a.add(a)
        #expect(a.superlayer === parent)
        expectOrder([a])
    }

    @Test("Siblings are ordered by zPosition, and then by the order in which they were added")
    func zPosition() {
        for layer in [a, b, c] { parent.add(layer) }
        a.zPosition = 1
        expectOrder([b, c, a])
        c.zPosition = 1
        expectOrder([b, a, c])
        b.zPosition = 1
        expectOrder([a, b, c])
        c.zPosition = -1
        expectOrder([c, a, b])
        c.zPosition = 1
        expectOrder([a, b, c])
        let above = Layer()
        above.zPosition = 2
        parent.insert(above, at: 0)
        expectOrder([a, b, c, above])
        let last = Layer()
        last.zPosition = 1
        parent.add(last)
        expectOrder([a, b, c, last, above])
        let between = Layer()
        between.zPosition = 1
        parent.insert(between, below: b)
        expectOrder([a, between, b, c, last, above])
        b.zPosition = 0
        b.zPosition = 1
        expectOrder([a, between, b, c, last, above])
    }

    @Test("A zPosition that is not a number loses no sibling")
    func absurdPosition() {
        for layer in [a, b, c] { parent.add(layer) }
        b.zPosition = .nan
        a.zPosition = .infinity
        c.zPosition = -.infinity
        #expect(parent.sublayers.count == 3)
    }

    @Test("A parent that is released releases its sublayers")
    func parentGone() {
        var parent: Layer? = Layer()
        parent?.add(a)
        parent = nil
        #expect(a.superlayer == nil)
    }

    @Test("A property that outlives its layer can still be animated")
    func outliving() {
        var layer: Layer? = Layer()
        let property = layer!.animatedOpacity  // There is one: it was made a line ago.
        layer = nil
        property.animate(to: 0, now: .zero, duration: .seconds(1))
        #expect(property.presentation(at: LocalTime(seconds: 1)) == 0)
    }
}
