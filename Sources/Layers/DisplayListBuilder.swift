public import GlissadeAnimation
import GlissadeGeometry

extension Layer {
    /// Flattens the layer tree into `list`, reusing the list's storage.
    ///
    /// - Parameters:
    ///   - scale: Device pixels per point.
    ///   - time: The parent's time. Presentation values are read at this time.
    ///   - list: Receives the items. Its viewport is kept, and all items are clipped to it.
    ///
    /// Works front to back, so that layers are clipped by the opaque layers in front of them. Fully covered layers are
    /// left out. A fill is split into its visible pieces, such as letterbox bars, unless it is an opaque fill of the
    /// whole viewport that would need more than two pieces. Other items are clipped to the bounding box of their
    /// visible part.
    ///
    /// Translations are rounded to whole device pixels. Layers that move together therefore keep their relative
    /// positions.
    public func flatten(scale: Double, at time: LocalTime = .zero, into list: inout DisplayList) {
        var flattening = DisplayListBuilder(viewport: PixelRect(size: list.viewport))
        list.scale = scale
        // Swapped rather than assigned: shared storage would be copied on write.
        swap(&flattening.items, &list.items)
        swap(&flattening.scratch, &flatteningScratch)
        flattening.scratch.covered.removeAll(keepingCapacity: true)
        flattening.items.removeAll(keepingCapacity: true)
        flattening.visit(
            self,
            in: DisplayListBuilder.Space(
                x: 0, y: 0, unit: scale, clip: flattening.viewport, opacity: 1, shade: 0, time: time))
        flattening.reverseItems()
        swap(&flattening.items, &list.items)
        swap(&flattening.scratch, &flatteningScratch)
    }
}

/// Temporary rectangles of a flattening pass. The root layer keeps their storage for the next pass.
struct FlatteningScratch {
    /// The rectangles that opaque layers in front cover completely.
    var covered: [PixelRect] = []
    var pieces: [PixelRect] = []
    var nextPieces: [PixelRect] = []
}

/// A front-to-back pass over a layer tree that collects display items.
private struct DisplayListBuilder {
    /// The values that a layer passes on to its sublayers: its position, scale, clip, appearance and time.
    struct Space {
        /// The layer's top-left corner, in device pixels.
        var x: Double
        var y: Double
        /// The number of device pixels per point of the layer's coordinates.
        var unit: Double
        var clip: PixelRect
        var opacity: Double
        var shade: Double
        var time: LocalTime
    }

    /// The minimum area that `cover` records as opaque, as a fraction of the viewport's area. Smaller rectangles hide
    /// almost nothing, but would have to be tested against each layer beneath.
    static let smallestCover = 1.0 / 256
    /// The maximum number of pieces into which an opaque fill of the whole viewport is split. A fill that would need
    /// more pieces stays whole, because clearing the whole target is then cheaper with Mesa's software rasterizer.
    static let mostBars = 2

    let viewport: PixelRect
    var items: [DisplayList.Item] = []
    var scratch = FlatteningScratch()

    init(viewport: PixelRect) { self.viewport = viewport }

    mutating func visit(_ layer: Layer, in space: Space) {
        guard !layer.isHidden else { return }
        let time = layer.localTime(space.time)
        let opacity = space.opacity * min(max(layer.animatedOpacity.presentation(at: time), 0), 1)
        guard opacity > 0 else { return }
        let translation = layer.animatedTranslation.presentation(at: time)
        let enlargement = layer.animatedScale.presentation(at: time)
        guard enlargement > 0 else { return }

        let (unit, size) = (space.unit, layer.frame.size)
        var inner = space
        inner.time = time
        inner.opacity = opacity
        inner.shade = 1 - (1 - space.shade) * (1 - min(max(layer.shade, 0), 1))
        inner.unit = unit * enlargement
        inner.x += layer.frame.minX * unit + (translation.x * unit).rounded()
        inner.y += layer.frame.minY * unit + (translation.y * unit).rounded()
        if enlargement != 1 {
            inner.x += (1 - enlargement) * size.width / 2 * unit
            inner.y += (1 - enlargement) * size.height / 2 * unit
        }
        let rect = PixelRect(
            rounding: Rect(
                x: inner.x, y: inner.y, width: size.width * inner.unit, height: size.height * inner.unit))
        if layer.clipsToBounds {
            inner.clip = space.clip.intersection(rect)
            // Skips the sublayers of a layer that is completely covered, such as a page beneath another page.
            guard cut(rect, to: inner.clip) else { return drawShadow(of: layer, rect, in: space, look: inner) }
        }
        for sublayer in layer.sublayers.reversed() { visit(sublayer, in: inner) }
        draw(layer, rect, in: inner)
        drawShadow(of: layer, rect, in: space, look: inner)
    }

    /// Reverses the items in place, so that the bottom one is first. `reverse()` would copy and retain each item.
    mutating func reverseItems() {
        items.withUnsafeMutableBufferPointer { items in
            for index in 0..<items.count / 2 { items.swapAt(index, items.count - 1 - index) }
        }
    }

    private mutating func draw(_ layer: Layer, _ rect: PixelRect, in space: Space) {
        let radius = layer.cornerRadius * space.unit
        switch layer.content {
        case .none: return
        case .color(let color):
            let color = seen(color, in: space)
            guard color.alpha > 0, cut(rect, to: space.clip) else { return }
            if radius > 0 {
                addBox(Gradient(color), rect, radius)
            } else if color.isOpaque, rect.intersection(space.clip).contains(viewport),
                case let bars = barsOnTop(color), bars + scratch.pieces.count > Self.mostBars
            {
                items.removeLast(bars)
                items.append(.fill(viewport, color))
            } else {
                for piece in scratch.pieces { items.append(.fill(piece, color)) }
            }
            if color.isOpaque { cover(rect, radius, space.clip) }
        case .gradient(var gradient):
            gradient.start = seen(gradient.start, in: space)
            gradient.end = seen(gradient.end, in: space)
            guard gradient.start.alpha > 0 || gradient.end.alpha > 0, cut(rect, to: space.clip) else { return }
            addBox(gradient, rect, radius)
            if gradient.start.isOpaque, gradient.end.isOpaque { cover(rect, radius, space.clip) }
        case .image(let image): add(.image(image), rect, radius, in: space)
        case .text(let text): add(.text(text), rect, 0, in: space)
        case .icon(let icon, let color): add(.icon(icon, color), rect, 0, in: space)
        case .surface(let surface, let rotation, let isMirrored):
            let quarterTurns = layer.quarterTurns.isFinite ? layer.quarterTurns.remainder(dividingBy: 4) : 0
            guard cut(quarterTurns == 0 ? rect : rect.turned(by: quarterTurns), to: space.clip) else { return }
            items.append(
                .surface(
                    SurfacePlacement(
                        surface: surface, destination: rect, clip: boundsOfPieces(), rotation: rotation,
                        isMirrored: isMirrored, opacity: space.opacity, shade: space.shade, cornerRadius: radius,
                        quarterTurns: quarterTurns)))
            if space.opacity >= 1, quarterTurns == 0 { cover(rect, radius, space.clip) }
        }
    }

    /// Returns the number of consecutive fills of `color` directly above the layer being drawn. On a layer of the same
    /// color, these fills are invisible.
    private func barsOnTop(_ color: Color) -> Int {
        items.count - ((items.lastIndex { if case .fill(_, color) = $0 { false } else { true } }).map { $0 + 1 } ?? 0)
    }

    private mutating func drawShadow(of layer: Layer, _ rect: PixelRect, in space: Space, look: Space) {
        guard let shadow = layer.shadow else { return }
        let color = seen(shadow.color, in: look)
        let blur = shadow.blur * look.unit
        guard color.alpha > 0, blur >= 0 else { return }
        let (dx, dy) = (Self.whole(shadow.offset.x * look.unit), Self.whole(shadow.offset.y * look.unit))
        let caster = PixelRect(
            minX: rect.minX + dx, minY: rect.minY + dy, maxX: rect.maxX + dx, maxY: rect.maxY + dy)
        // Beyond one and a half times the blur (three standard deviations), the shadow is invisible.
        let reach = Self.whole((blur * 1.5).rounded(.up))
        let area = PixelRect(
            minX: caster.minX - reach, minY: caster.minY - reach, maxX: caster.maxX + reach, maxY: caster.maxY + reach)
        guard !caster.isEmpty, cut(area, to: space.clip) else { return }
        items.append(
            .shadow(
                ShadowPlacement(
                    caster: caster, clip: boundsOfPieces(), blur: blur, cornerRadius: layer.cornerRadius * look.unit,
                    color: color)))
    }

    /// Rounds a length in pixels, clamping it to ±1e9 instead of trapping; NaN becomes 0.
    private static func whole(_ length: Double) -> Int {
        length.isNaN ? 0 : Int(min(max(length.rounded(), -1e9), 1e9))
    }

    private mutating func add(
        _ source: ImagePlacement.Source, _ rect: PixelRect, _ radius: Double, in space: Space
    ) {
        guard cut(rect, to: space.clip) else { return }
        items.append(
            .image(
                ImagePlacement(
                    source: source, destination: rect, clip: boundsOfPieces(), opacity: space.opacity,
                    shade: space.shade, cornerRadius: radius)))
    }

    private mutating func addBox(_ gradient: Gradient, _ rect: PixelRect, _ radius: Double) {
        items.append(
            .box(
                BoxPlacement(destination: rect, clip: boundsOfPieces(), cornerRadius: radius, gradient: gradient)))
    }

    /// Returns `color` with the shade and opacity of the layer and its ancestors applied.
    private func seen(_ color: Color, in space: Space) -> Color {
        let light = 1 - space.shade
        return Color(
            red: color.red * light, green: color.green * light, blue: color.blue * light,
            alpha: color.alpha * space.opacity)
    }

    // MARK: - Occlusion

    /// Records the part of `rect` inside `clip` as opaque, so that layers beneath are clipped. For a rounded rectangle,
    /// records an inner rectangle whose corners touch the rounded corners. Ignores an area smaller than
    /// `smallestCover`.
    private mutating func cover(_ rect: PixelRect, _ radius: Double, _ clip: PixelRect) {
        var inner = rect
        if radius > 0 {
            let inset = Int((min(radius, 1e6) * (1 - 0.5.squareRoot())).rounded(.up))
            inner = PixelRect(
                minX: rect.minX + inset, minY: rect.minY + inset, maxX: rect.maxX - inset, maxY: rect.maxY - inset)
        }
        let cover = inner.intersection(clip)
        guard !cover.isEmpty else { return }
        let area = Double(cover.width) * Double(cover.height)
        let whole = Double(viewport.width) * Double(viewport.height)
        if area >= whole * Self.smallestCover { scratch.covered.append(cover) }
    }

    /// Stores the visible pieces of `rect` inside `clip` in `scratch.pieces`. Returns false if nothing is visible.
    private mutating func cut(_ rect: PixelRect, to clip: PixelRect) -> Bool {
        scratch.pieces.removeAll(keepingCapacity: true)
        let visible = rect.intersection(clip)
        if visible.isEmpty { return false }
        scratch.pieces.append(visible)
        for cover in scratch.covered {
            // Most covers do not overlap `rect`.
            if cover.intersection(visible).isEmpty { continue }
            scratch.nextPieces.removeAll(keepingCapacity: true)
            for piece in scratch.pieces { piece.subtract(cover, into: &scratch.nextPieces) }
            swap(&scratch.pieces, &scratch.nextPieces)
            if scratch.pieces.isEmpty { return false }
        }
        return true
    }

    private func boundsOfPieces() -> PixelRect {
        var bounds = scratch.pieces[0]
        for piece in scratch.pieces.dropFirst() {
            bounds = PixelRect(
                minX: min(bounds.minX, piece.minX), minY: min(bounds.minY, piece.minY),
                maxX: max(bounds.maxX, piece.maxX), maxY: max(bounds.maxY, piece.maxY))
        }
        return bounds
    }
}

extension PixelRect {
    /// Returns the bounding box of the rectangle rotated about its center by `quarters` quarter turns.
    fileprivate func turned(by quarters: Double) -> PixelRect {
        let (across, down) = (abs(QuarterTurn.cosine(quarters)), abs(QuarterTurn.sine(quarters)))
        let (width, height) = (Double(width), Double(height))
        let (x, y) = (Double(minX) + width / 2, Double(minY) + height / 2)
        let (reachX, reachY) = ((width * across + height * down) / 2, (width * down + height * across) / 2)
        return PixelRect(
            minX: Int((x - reachX).rounded(.down)), minY: Int((y - reachY).rounded(.down)),
            maxX: Int((x + reachX).rounded(.up)), maxY: Int((y + reachY).rounded(.up)))
    }
}
