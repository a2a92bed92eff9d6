public import Motion

// Hit tests go by presentation values: what moves is hit where it is seen.

extension Layer {
    /// The frontmost layer at `point` and the layers that it is in, innermost first; empty where there is none.
    ///
    /// - Parameters:
    ///   - point: in the coordinates of this layer's parent; for a window's root, of the window.
    ///   - time: the parent's.
    public func path(to point: Point, at time: LocalTime) -> [Layer] {
        var path: [Layer] = []
        _ = hit(point, at: time, path: &path)
        return path
    }

    /// The frontmost layer at `point`, as for `path(to:at:)`.
    public func hitTest(_ point: Point, at time: LocalTime) -> Layer? { path(to: point, at: time).first }

    private func hit(_ point: Point, at time: LocalTime, path: inout [Layer]) -> Bool {
        let time = localTime(time)
        guard !isHidden, animatedOpacity.presentation(at: time) > 0 else { return false }
        guard let local = presentation(at: time).inverse(point), local.x.isFinite, local.y.isFinite else {
            return false
        }
        let bounds = Rect(origin: .zero, size: frame.size)
        let isInside = bounds.contains(local)
        if isInside || !clipsToBounds || sublayers.contains(where: { $0.hitMargin > 0 }) {
            for sublayer in sublayers.reversed() where isInside || !clipsToBounds || sublayer.hitMargin > 0 {
                if sublayer.hit(local, at: time, path: &path) {
                    path.append(self)
                    return true
                }
            }
        }
        guard isHitTestable else { return false }
        let margin = max(0, hitMargin)
        let area = Rect(
            x: -margin, y: -margin, width: frame.size.width + 2 * margin, height: frame.size.height + 2 * margin)
        guard area.contains(local) else { return false }
        path.append(self)
        return true
    }

    /// `point` of the window, which is the root's parent, in this layer's coordinates.
    ///
    /// - Parameter time: the time of the root's parent.
    public func convert(fromWindow point: Point, at time: LocalTime) -> Point {
        inverse(point, at: time).point
    }

    private func inverse(_ point: Point, at time: LocalTime) -> (point: Point, time: LocalTime) {
        let (outer, parentTime) = superlayer.map { $0.inverse(point, at: time) } ?? (point, time)
        let time = localTime(parentTime)
        return (presentation(at: time).inverse(outer) ?? outer, time)
    }

    /// The layer's rectangle in the window, as it is seen.
    ///
    /// - Parameter time: the time of the root's parent.
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

    /// Where the layer's corner is in its parent, and how much it is enlarged, at its own `time`.
    private func presentation(at time: LocalTime) -> Placement {
        let translation = animatedTranslation.presentation(at: time)
        let scale = animatedScale.presentation(at: time)
        return Placement(
            x: frame.minX + translation.x + (1 - scale) * frame.size.width / 2,
            y: frame.minY + translation.y + (1 - scale) * frame.size.height / 2, scale: scale)
    }
}

/// A corner and an enlargement.
private struct Placement {
    var x: Double
    var y: Double
    var scale: Double

    func inverse(_ point: Point) -> Point? {
        scale > 0 ? Point(x: (point.x - x) / scale, y: (point.y - y) / scale) : nil
    }
}
