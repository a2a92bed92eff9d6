import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import GlissadeTestSupport
import GlissadeTime

/// Trees of layers with everything that a layer can have, the same ones for the same seed.
struct RandomForest {
    private var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// A root the size of the viewport, with `count` layers in it at any depth.
    mutating func tree(of count: Int, in viewport: PixelSize) -> Layer {
        let root = Layer(frame: Rect(origin: .zero, size: viewport.size), content: .color(color(opaque: true)))
        var all = [root]
        for _ in 0..<count {
            let layer = layer(in: viewport)
            // Mostly flat, and sometimes deep.
            let parent = chance(0.4) ? root : all[Int.random(in: 0..<all.count, using: &random)]
            parent.add(layer)
            all.append(layer)
        }
        return root
    }

    private mutating func layer(in viewport: PixelSize) -> Layer {
        let layer = Layer(frame: frame(in: viewport), content: content())
        if chance(0.1) { layer.zPosition = Double(Int.random(in: -2...2, using: &random)) }
        if chance(0.1) { layer.opacity = Double.random(in: -0.2...1.2, using: &random) }
        if chance(0.1) { layer.shade = Double.random(in: -0.2...1.2, using: &random) }
        if chance(0.3) { layer.cornerRadius = Double.random(in: 0...20, using: &random) }
        if chance(0.15) { layer.clipsToBounds = true }
        if chance(0.05) { layer.isHidden = true }
        if chance(0.1) { layer.scale = Double.random(in: 0.3...1.8, using: &random) }
        if chance(0.02) { layer.scale = 0 }
        if chance(0.2) { layer.translation = point(20) }
        if chance(0.1) {
            layer.shadow = Layer.Shadow(
                color: color(opaque: false), blur: Double.random(in: 0...8, using: &random), offset: point(4))
        }
        if chance(0.1) { animate(layer) }
        if chance(0.05) {
            layer.timing = MediaTiming(speed: Double.random(in: 0...3, using: &random), timeOffset: .milliseconds(100))
        }
        return layer
    }

    private mutating func animate(_ layer: Layer) {
        layer.animatedTranslation.animate(to: point(20), now: .zero, duration: .seconds(1))
        layer.animatedOpacity.animate(to: 0.3, now: .zero, duration: .seconds(1))
        layer.animatedScale.animate(to: 1.2, now: .zero, spring: Spring(response: 0.5, dampingRatio: 0.4))
    }

    /// Whole pixels and fractions, from nothing to more than the viewport.
    private mutating func frame(in viewport: PixelSize) -> Rect {
        let (width, height) = (Double(viewport.width), Double(viewport.height))
        let rect = Rect(
            x: Double.random(in: -20...width, using: &random), y: Double.random(in: -20...height, using: &random),
            width: Double.random(in: 0...width, using: &random) * (chance(0.3) ? 1 : 0.4),
            height: Double.random(in: 0...height, using: &random) * (chance(0.3) ? 1 : 0.4))
        if chance(0.5) { return rect }
        return Rect(
            x: rect.minX.rounded(), y: rect.minY.rounded(), width: rect.size.width.rounded(),
            height: rect.size.height.rounded())
    }

    private mutating func content() -> Layer.Content {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .none
        case 1, 2, 3: .color(color(opaque: true))
        case 4: .color(color(opaque: false))
        case 5:
            .gradient(
                Gradient(
                    from: color(opaque: chance(0.7)), to: color(opaque: chance(0.7)),
                    axis: chance(0.5) ? .horizontal : .vertical))
        case 6: .image(ImageID(rawValue: Int.random(in: 0..<5, using: &random)))
        case 7: .text(TextContent("Eine Zeile", style: TextStyle(size: 9, color: .white)))
        case 8: .icon(.play, .white)
        default:
            .surface(
                SurfaceID(rawValue: Int.random(in: 0..<3, using: &random)), rotation: .none,
                isMirrored: Bool.random(using: &random))
        }
    }

    private mutating func color(opaque: Bool) -> Color {
        Color(
            red: Double.random(in: 0...1, using: &random), green: Double.random(in: 0...1, using: &random),
            blue: Double.random(in: 0...1, using: &random),
            alpha: opaque ? 1 : Double.random(in: 0...1, using: &random))
    }

    private mutating func point(_ reach: Double) -> Point {
        Point(
            x: Double.random(in: -reach...reach, using: &random), y: Double.random(in: -reach...reach, using: &random))
    }

    private mutating func chance(_ fraction: Double) -> Bool { Double.random(in: 0..<1, using: &random) < fraction }
}
