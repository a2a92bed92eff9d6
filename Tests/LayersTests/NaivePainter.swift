import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers

/// What a tree of layers looks like by the words of its documentation: every layer, bottom first, whole, whether it can
/// be seen or not. What flattening leaves out must make no difference to it.
struct NaivePainter {
    private struct Space {
        var x = 0.0
        var y = 0.0
        var unit: Double
        var clip: PixelRect
        var opacity = 1.0
        var light = 1.0
        var time: LocalTime
    }

    private(set) var items: [DisplayList.Item] = []

    init(_ root: Layer, viewport: PixelSize, scale: Double, at time: LocalTime) {
        paint(root, in: Space(unit: scale, clip: PixelRect(size: viewport), time: time))
    }

    private mutating func paint(_ layer: Layer, in parent: Space) {
        if layer.isHidden { return }
        var space = parent
        space.time = layer.timing?.activeTime(parent: parent.time) ?? parent.time
        let enlargement = layer.animatedScale.presentation(at: space.time)
        let translation = layer.animatedTranslation.presentation(at: space.time)
        space.opacity *= min(max(layer.animatedOpacity.presentation(at: space.time), 0), 1)
        space.light *= 1 - min(max(layer.shade, 0), 1)
        if !(enlargement > 0) || space.opacity == 0 { return }
        let (width, height) = (layer.frame.size.width * parent.unit, layer.frame.size.height * parent.unit)
        space.unit *= enlargement
        space.x += layer.frame.minX * parent.unit + (translation.x * parent.unit).rounded()
        space.y += layer.frame.minY * parent.unit + (translation.y * parent.unit).rounded()
        if enlargement != 1 {
            space.x += (1 - enlargement) * layer.frame.size.width / 2 * parent.unit
            space.y += (1 - enlargement) * layer.frame.size.height / 2 * parent.unit
        }
        let rect = PixelRect(
            rounding: Rect(x: space.x, y: space.y, width: width * enlargement, height: height * enlargement))
        if layer.clipsToBounds { space.clip = parent.clip.intersection(rect) }

        paintShadow(of: layer, rect, clip: parent.clip, in: space)
        paintContent(of: layer, rect, in: space)
        for sublayer in layer.sublayers { paint(sublayer, in: space) }
    }

    private mutating func paintShadow(of layer: Layer, _ rect: PixelRect, clip: PixelRect, in space: Space) {
        guard let shadow = layer.shadow, !rect.isEmpty else { return }
        let (dx, dy) = (shadow.offset.x * space.unit, shadow.offset.y * space.unit)
        let caster = PixelRect(
            minX: rect.minX + Int(dx.rounded()), minY: rect.minY + Int(dy.rounded()),
            maxX: rect.maxX + Int(dx.rounded()), maxY: rect.maxY + Int(dy.rounded()))
        items.append(
            .shadow(
                ShadowPlacement(
                    caster: caster, clip: clip, blur: shadow.blur * space.unit, color: seen(shadow.color, in: space))))
    }

    private mutating func paintContent(of layer: Layer, _ rect: PixelRect, in space: Space) {
        let clip = rect.intersection(space.clip)
        let radius = layer.cornerRadius * space.unit
        func image(_ source: ImagePlacement.Source, radius: Double = 0) -> DisplayList.Item {
            .image(
                ImagePlacement(
                    source: source, destination: rect, clip: clip, opacity: space.opacity, shade: 1 - space.light,
                    cornerRadius: radius))
        }
        switch layer.content {
        case .none: return
        case .color(let color):
            let gradient = Gradient(seen(color, in: space))
            items.append(
                .box(BoxPlacement(destination: rect, clip: clip, cornerRadius: radius, gradient: gradient)))
        case .gradient(var gradient):
            gradient.start = seen(gradient.start, in: space)
            gradient.end = seen(gradient.end, in: space)
            items.append(
                .box(BoxPlacement(destination: rect, clip: clip, cornerRadius: radius, gradient: gradient)))
        case .image(let id): items.append(image(.image(id), radius: radius))
        case .text(let text): items.append(image(.text(text)))
        case .icon(let icon, let color): items.append(image(.icon(icon, color)))
        case .surface(let surface, let rotation, let isMirrored):
            items.append(
                .surface(
                    SurfacePlacement(
                        surface: surface, destination: rect, clip: clip, rotation: rotation, isMirrored: isMirrored,
                        opacity: space.opacity, shade: 1 - space.light, cornerRadius: radius)))
        }
    }

    private func seen(_ color: Color, in space: Space) -> Color {
        Color(
            red: color.red * space.light, green: color.green * space.light, blue: color.blue * space.light,
            alpha: color.alpha * space.opacity)
    }
}
