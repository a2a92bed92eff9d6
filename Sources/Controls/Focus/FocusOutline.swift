import GlissadeAnimation
public import GlissadeGeometry
public import GlissadeLayers
public import GlissadeTime

/// An outline that shows which control has the keyboard focus.
///
/// A control adds the outline's layer to its own layer, and calls `layout` with the area to outline. Hit testing
/// ignores the outline's layer. Nothing is drawn while the outline is hidden. Main thread.
@MainActor public final class FocusOutline {
    /// The default `color`: light blue, visible on dark and on bright video.
    public nonisolated static let defaultColor = Color(red: 0.48, green: 0.66, blue: 1)
    /// The default `width`, in points.
    public nonisolated static let defaultWidth = 2.0
    /// The default `gap`, in points.
    public nonisolated static let defaultGap = 2.0
    /// The duration of fading in and out.
    public nonisolated static let fade = Duration.milliseconds(120)

    /// The outline's layer, larger than the outlined area. Add it to the control's layer.
    public let layer = Layer()
    /// The color of the line.
    public var color: Color { didSet { if color != oldValue { paint() } } }
    /// The thickness of the line, in points.
    public let width: Double
    /// The gap between the line and the outlined area, in points. If negative, the line overlaps the area.
    public let gap: Double
    /// Whether the outline is fully visible or fading in.
    public private(set) var isShown = false

    private let edges = [Layer(), Layer(), Layer(), Layer()]
    /// The corners of the outline. Each of these layers shows one quarter of a ring.
    private let corners = [Layer(), Layer(), Layer(), Layer()]

    public init(
        color: Color = FocusOutline.defaultColor, width: Double = FocusOutline.defaultWidth,
        gap: Double = FocusOutline.defaultGap
    ) {
        self.color = color
        self.width = width.isFinite ? max(0, width) : FocusOutline.defaultWidth
        self.gap = gap.isFinite ? gap : FocusOutline.defaultGap
        layer.isHitTestable = false
        layer.opacity = 0
        for corner in corners {
            corner.clipsToBounds = true
            corner.add(Layer())
        }
        for part in edges + corners {
            part.isHitTestable = false
            for inner in part.sublayers { inner.isHitTestable = false }
            layer.add(part)
        }
        paint()
    }

    private func paint() {
        for edge in edges { edge.content = .color(color) }
        for corner in corners { corner.sublayers[0].content = .icon(.ring, color) }
    }

    /// Places the outline around `frame`, in the coordinates of the parent layer. `cornerRadius` is the corner radius
    /// of the outlined area, in points.
    public func layout(around frame: Rect, cornerRadius: Double) {
        let reach = gap + width
        let outer = Size(
            width: max(0, frame.size.width + 2 * reach), height: max(0, frame.size.height + 2 * reach))
        guard outer.width.isFinite, outer.height.isFinite else { return }
        layer.frame = Rect(
            x: frame.minX - reach, y: frame.minY - reach, width: outer.width, height: outer.height)
        let roundness = cornerRadius.isFinite ? max(0, cornerRadius) + reach : reach
        let radius = min(roundness, outer.width / 2, outer.height / 2)
        let (across, down) = (outer.width - 2 * radius, outer.height - 2 * radius)
        edges[0].frame = Rect(x: radius, y: 0, width: across, height: width)
        edges[1].frame = Rect(x: radius, y: outer.height - width, width: across, height: width)
        edges[2].frame = Rect(x: 0, y: radius, width: width, height: down)
        edges[3].frame = Rect(x: outer.width - width, y: radius, width: width, height: down)
        for (index, corner) in corners.enumerated() {
            let (isRight, isLow) = (index % 2 == 1, index >= 2)
            corner.frame = Rect(
                x: isRight ? outer.width - radius : 0, y: isLow ? outer.height - radius : 0, width: radius,
                height: radius)
            corner.sublayers[0].frame = Rect(
                x: isRight ? -radius : 0, y: isLow ? -radius : 0, width: 2 * radius, height: 2 * radius)
        }
    }

    /// Fades the outline in or out.
    public func show(_ isShown: Bool, now: HostTime) {
        guard isShown != self.isShown else { return }
        self.isShown = isShown
        layer.animatedOpacity.animate(
            to: isShown ? 1 : 0, now: LocalTime(now), duration: Self.fade, curve: .easeOut)
    }
}
