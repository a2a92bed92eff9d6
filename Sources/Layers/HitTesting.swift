public import GlissadeAnimation
public import GlissadeGeometry

// Hit tests use presentation values, so a moving layer is hit where it is visible.
//
// Layout points are the coordinates of the root layer's parent. They are the window's points, unless the layout is drawn
// rotated.

extension Layer {
    /// Returns the frontmost layer at `point`, followed by its ancestors up to this layer. Returns an empty array if no
    /// layer is hit.
    ///
    /// - Parameters:
    ///   - point: A point in the coordinates of this layer's parent: for a root layer, in layout points.
    ///   - time: The parent's time.
    public func path(to point: Point, at time: LocalTime) -> [Layer] {
        var path: [Layer] = []
        _ = hit(point, at: time, path: &path)
        return path
    }

    /// Returns the frontmost layer at `point`; nil if no layer is hit.
    public func hitTest(_ point: Point, at time: LocalTime) -> Layer? { path(to: point, at: time).first }

    private func hit(_ point: Point, at time: LocalTime, path: inout [Layer]) -> Bool {
        let time = localTime(time)
        guard !isHidden, animatedOpacity.presentation(at: time) > 0 else { return false }
        guard let local = presentation(at: time).inverse(point), local.x.isFinite, local.y.isFinite else {
            return false
        }
        let bounds = Rect(origin: .zero, size: frame.size)
        let isClipped = clipsToBounds && !bounds.contains(local)
        for sublayer in sublayers.reversed() {
            if isClipped {
                // A sublayer's hit margin is not clipped, so the point may still be within it.
                guard sublayer.isHitByMargin(local, at: time, shownIn: bounds) else { continue }
                path.append(sublayer)
            } else {
                guard sublayer.hit(local, at: time, path: &path) else { continue }
            }
            path.append(self)
            return true
        }
        guard isHitTestable else { return false }
        guard bounds.enlarged(by: max(0, hitMargin)).contains(local) else { return false }
        path.append(self)
        return true
    }

    /// Whether `point` is within the hit margin around the part of this layer that is visible in `bounds`. `point`
    /// and `bounds` are in the parent's coordinates.
    private func isHitByMargin(_ point: Point, at time: LocalTime, shownIn bounds: Rect) -> Bool {
        guard hitMargin > 0, isHitTestable, !isHidden else { return false }
        let time = localTime(time)
        guard animatedOpacity.presentation(at: time) > 0 else { return false }
        let place = presentation(at: time)
        let (minX, minY) = (max(place.x, bounds.minX), max(place.y, bounds.minY))
        let shown = Rect(
            x: minX, y: minY, width: min(place.x + frame.size.width * place.scale, bounds.maxX) - minX,
            height: min(place.y + frame.size.height * place.scale, bounds.maxY) - minY)
        return !shown.size.isEmpty && shown.enlarged(by: hitMargin * place.scale).contains(point)
    }

    /// Converts `point` from layout points to this layer's coordinates.
    ///
    /// - Parameter time: The parent time of the root layer.
    public func convert(fromLayout point: Point, at time: LocalTime) -> Point {
        inverse(point, at: time).point
    }

    private func inverse(_ point: Point, at time: LocalTime) -> (point: Point, time: LocalTime) {
        let (outer, parentTime) = superlayer.map { $0.inverse(point, at: time) } ?? (point, time)
        let time = localTime(parentTime)
        return (presentation(at: time).inverse(outer) ?? outer, time)
    }

    /// The layer's rectangle in layout points, computed from presentation values.
    ///
    /// - Parameter time: The parent time of the root layer.
    public func presentationFrame(at time: LocalTime) -> Rect {
        let (place, _) = forward(at: time)
        return Rect(
            x: place.x, y: place.y, width: frame.size.width * place.scale, height: frame.size.height * place.scale)
    }

    private func forward(at time: LocalTime) -> (place: Placement, time: LocalTime) {
        let (outer, parentTime) = superlayer?.forward(at: time) ?? (Placement(x: 0, y: 0, scale: 1), time)
        let time = localTime(parentTime)
        let inner = presentation(at: time)
        return (
            Placement(
                x: outer.x + inner.x * outer.scale, y: outer.y + inner.y * outer.scale,
                scale: outer.scale * inner.scale), time
        )
    }

    /// Returns the position of the layer's top-left corner in its parent, and the layer's scale, at the layer's local
    /// `time`.
    private func presentation(at time: LocalTime) -> Placement {
        let translation = animatedTranslation.presentation(at: time)
        let scale = animatedScale.presentation(at: time)
        return Placement(
            x: frame.minX + translation.x + (1 - scale) * frame.size.width / 2,
            y: frame.minY + translation.y + (1 - scale) * frame.size.height / 2, scale: scale)
    }
}

extension Rect {
    fileprivate func enlarged(by margin: Double) -> Rect {
        Rect(x: minX - margin, y: minY - margin, width: size.width + 2 * margin, height: size.height + 2 * margin)
    }
}

/// The position and scale of a layer in the coordinates of its parent or in layout points.
private struct Placement {
    var x: Double
    var y: Double
    var scale: Double

    func inverse(_ point: Point) -> Point? {
        scale > 0 ? Point(x: (point.x - x) / scale, y: (point.y - y) / scale) : nil
    }
}
