import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Deep and wide layer trees") struct DeepTreeTests {
    /// The outermost layer of `depth`, and the innermost one, each at (0.001, 0) of the one it is in.
    private func chain(_ depth: Int) -> (root: Layer, leaf: Layer) {
        let root = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 60))
        var leaf = root
        for _ in 1..<depth {
            let inner = Layer(frame: Rect(x: 0.001, y: 0, width: 5, height: 5))
            leaf.add(inner)
            leaf = inner
        }
        leaf.content = .color(.white)
        return (root, leaf)
    }

    @Test("A tree of any depth can be drawn, hit-tested, moved and released", arguments: [1000])
    func deep(depth: Int) {
        let (root, leaf) = chain(depth)
        var list = DisplayList(viewport: PixelSize(width: 100, height: 60))
        root.flatten(scale: 1, into: &list)
        let x = Int((Double(depth - 1) * 0.001).rounded())
        #expect(list.items == [.fill(PixelRect(minX: x, minY: 0, maxX: x + 5, maxY: 5), .white)])
        #expect(root.path(to: Point(x: Double(x) + 1, y: 1), at: .zero).count == depth)
        #expect(abs(leaf.presentationFrame(at: .zero).minX - Double(depth - 1) * 0.001) < 1e-6)
        #expect(abs(leaf.convert(fromLayout: Point(x: 50, y: 0), at: .zero).x - 50 + Double(depth - 1) * 0.001) < 1e-6)
        leaf.animatedOpacity.animate(to: 0, now: .zero, duration: .seconds(1))
        #expect(root.advance(to: LocalTime(seconds: 0.5)))
        #expect(!root.advance(to: LocalTime(seconds: 1)))
    }

    @Test("Ten thousand siblings are drawn in order")
    func wide() {
        let root = Layer(frame: Rect(x: 0, y: 0, width: 100, height: 60))
        for index in 0..<10_000 {
            root.add(
                Layer(
                    frame: Rect(x: Double(index % 100), y: 0, width: 1, height: 1),
                    content: .image(ImageID(rawValue: index))))
        }
        var list = DisplayList(viewport: PixelSize(width: 100, height: 60))
        root.flatten(scale: 1, into: &list)
        let ids = list.items.map { item in
            if case .image(let image) = item, case .image(let id) = image.source { id.rawValue } else { -1 }
        }
        #expect(ids == Array(0..<10_000))
    }
}
