import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@Suite("Occlusion culling") struct OcclusionTests {
    private static let viewport = PixelSize(width: 64, height: 48)

    @Test("A random tree looks the same as drawn without culling", arguments: 0..<60)
    func small(seed: Int) { compare(seed: UInt64(seed), count: 40) }

    @Test("A tree of 500 layers looks the same as drawn without culling", arguments: 0..<6)
    func large(seed: Int) { compare(seed: UInt64(1000 + seed), count: 500) }

    private func compare(seed: UInt64, count: Int) {
        var forest = RandomForest(seed: seed)
        let root = forest.tree(of: count, in: Self.viewport)
        var list = DisplayList(viewport: Self.viewport)
        for (time, scale) in [(0.0, 1.0), (0.3, 1.5)] {
            let now = LocalTime(seconds: time)
            root.flatten(scale: scale, at: now, into: &list)
            let whole = NaivePainter(root, viewport: Self.viewport, scale: scale, at: now).items
            var (seen, expected) = (Canvas(Self.viewport), Canvas(Self.viewport))
            seen.draw(list.items)
            expected.draw(whole)
            var (worst, place) = (0.0, 0)
            for (index, (a, b)) in zip(seen.pixels, expected.pixels).enumerated() {
                let difference = abs((a - b).x) + abs((a - b).y) + abs((a - b).z)
                if !(difference <= worst) { (worst, place) = (difference, index) }
            }
            #expect(worst < 1e-9, "seed \(seed), at \(time): pixel \(place % 64), \(place / 64) is off by \(worst)")
            // It must have had something to leave out, and something to show.
            #expect(list.items.count < whole.count || count < 100)
            #expect(!list.items.isEmpty)
        }
    }
}
