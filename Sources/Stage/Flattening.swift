import Motion

extension Layer {
    /// Flattens the tree into `list`, reusing its storage.
    ///
    /// - Parameters:
    ///   - scale: device pixels per point.
    ///   - list: what is drawn, replaced; its viewport clips everything.
    ///
    /// Works from the top down, so that each layer is cut by the opaque ones above it: a fill into the pieces that show
    /// (the bars beside a letterboxed picture), a picture to the bounding rectangle of what shows, either to nothing.
    public func flatten(scale: Double, into list: inout DisplayList) {
        var flattening = Flattening(scale: scale, viewport: PixelRect(size: list.viewport))
        // Swapped, not assigned: two owners of the storage would have it copied.
        list.scale = scale
        swap(&flattening.items, &list.items)
        flattening.items.removeAll(keepingCapacity: true)
        flattening.visit(self, origin: .zero, opacity: 1)
        flattening.items.reverse()
        swap(&flattening.items, &list.items)
    }
}

/// One pass over a tree, front to back.
private struct Flattening {
    let scale: Double
    let viewport: PixelRect
    var items: [DisplayList.Item] = []
    /// Rectangles that opaque layers nearer to the eye cover wholly.
    var covered: [PixelRect] = []
    var pieces: [PixelRect] = []
    var nextPieces: [PixelRect] = []

    mutating func visit(_ layer: Layer, origin: Point, opacity: Double) {
        let opacity = opacity * layer.opacity
        guard !layer.isHidden, opacity > 0 else { return }
        let corner = Point(x: origin.x + layer.frame.minX, y: origin.y + layer.frame.minY)
        for sublayer in layer.sublayers.reversed() { visit(sublayer, origin: corner, opacity: opacity) }

        let rect = PixelRect(
            rounding: Rect(
                x: corner.x * scale, y: corner.y * scale, width: layer.frame.size.width * scale,
                height: layer.frame.size.height * scale))
        switch layer.content {
        case .none:
            return
        case .color(var color):
            color.alpha *= opacity
            guard color.alpha > 0, cut(rect) else { return }
            for piece in pieces { items.append(.fill(piece, color)) }
            if color.isOpaque { covered.append(rect) }
        case .gradient(let gradient):
            guard cut(rect) else { return }
            items.append(.box(BoxPlacement(destination: rect, clip: boundsOfPieces(), gradient: gradient)))
        case .image(let image): add(.image(image), at: rect, opacity: opacity)
        case .text(let text): add(.text(text), at: rect, opacity: opacity)
        case .icon(let icon, let color): add(.icon(icon, color), at: rect, opacity: opacity)
        case .surface(let surface, let rotation):
            guard cut(rect) else { return }
            items.append(
                .surface(
                    SurfacePlacement(
                        surface: surface, destination: rect, clip: boundsOfPieces(), rotation: rotation,
                        opacity: opacity)))
            if opacity >= 1 { covered.append(rect) }
        }
    }

    private mutating func add(_ source: ImagePlacement.Source, at rect: PixelRect, opacity: Double) {
        guard cut(rect) else { return }
        items.append(
            .image(ImagePlacement(source: source, destination: rect, clip: boundsOfPieces(), opacity: opacity)))
    }

    /// Cuts `rect` into the pieces of it that show; false where there are none.
    private mutating func cut(_ rect: PixelRect) -> Bool {
        pieces.removeAll(keepingCapacity: true)
        let visible = rect.intersection(viewport)
        if visible.isEmpty { return false }
        pieces.append(visible)
        for cover in covered {
            nextPieces.removeAll(keepingCapacity: true)
            for piece in pieces { piece.subtract(cover, into: &nextPieces) }
            swap(&pieces, &nextPieces)
            if pieces.isEmpty { return false }
        }
        return true
    }

    private func boundsOfPieces() -> PixelRect {
        pieces.dropFirst().reduce(pieces[0]) { bounds, piece in
            PixelRect(
                minX: min(bounds.minX, piece.minX), minY: min(bounds.minY, piece.minY),
                maxX: max(bounds.maxX, piece.maxX), maxY: max(bounds.maxY, piece.maxY))
        }
    }
}
