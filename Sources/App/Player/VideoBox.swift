import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

/// A box that shows a picture, either video or cover art, aligned to whole device pixels.
@MainActor final class VideoBox {
    /// How a picture is scaled if its aspect ratio differs from the box's.
    enum Mode: Hashable, Sendable {
        /// The whole picture is visible. The background fills the rest of the box.
        case fit
        /// The picture is enlarged until it covers the box, and is cropped to the box. It is enlarged at most by the
        /// factor `mostFill`.
        case fill
    }

    /// The duration of an animated change of mode.
    static let modeDuration = Duration.milliseconds(250)
    /// The maximum size of a picture in `fill` mode, as a multiple of its size in `fit` mode.
    static let mostFill = 4.0

    /// The layer of the box. Its content is the background.
    let layer: Layer
    private let picture = Layer()
    /// The animated mode: 0 for `fit`, 1 for `fill`.
    private let fill = Animated(0.0)
    /// The value of `fill` for the next layout.
    private var shownFill = 0.0

    init(background: Layer.Content = .color(.black)) {
        layer = Layer(content: background)
        picture.isHitTestable = false
        layer.add(picture)
    }

    /// The size for which the picture must be prepared, in device pixels; empty if there is no picture.
    ///
    /// During a change of mode or a transition, this is the picture's final size.
    private(set) var pixelSize = PixelSize(width: 0, height: 0)
    /// The picture's current size on the screen, in device pixels. Not updated while the picture is rotated, or while
    /// there is no picture.
    private(set) var seenSize = PixelSize(width: 0, height: 0)

    /// The frame of the whole picture, before cropping and rotation, in the box's coordinates.
    var pictureFrame: Rect { picture.frame }

    /// The current mode or, during an animated change, the new mode.
    var mode: Mode { fill.model == 0 ? .fit : .fill }

    /// Changes the mode. During an animated change, `advance` and then `layout` must be called in each frame.
    func setMode(_ mode: Mode, isAnimated: Bool = true, now: HostTime) {
        let target = mode == .fill ? 1.0 : 0.0
        if !isAnimated {
            fill.removeAnimations()
            fill.model = target
            shownFill = target
        } else if fill.model != target {
            fill.animate(to: target, now: LocalTime(now), duration: Self.modeDuration, curve: .easeInOut)
        }
    }

    /// Whether an animated change of mode is in progress. If so, the box must be laid out in each frame.
    var isMoving: Bool { fill.isMoving }

    /// Advances an animated change of mode to `now`. Must be called before `layout`. Returns whether the animation is
    /// still running.
    @discardableResult func advance(to now: HostTime) -> Bool {
        guard fill.isAnimating else { return false }
        fill.advance(to: LocalTime(now))
        shownFill = fill.presentation(at: LocalTime(now))
        return fill.isMoving
    }

    /// Lays out the box in `frame`, and the picture in the box.
    ///
    /// - Parameters:
    ///   - goal: The box's size at the end of a transition, for which the picture is prepared; nil if there is no
    ///     transition.
    ///   - aspect: A size with the picture's aspect ratio; nil if there is no picture.
    ///   - cornerRadius: The picture's corner radius in points.
    ///   - quarterTurns: The clockwise rotation of the picture in quarter turns, 0…1. At 1, the picture covers the same
    ///     area as an upright picture in a box that is rotated as a whole.
    ///   - scale: Device pixels per point.
    func layout(
        _ frame: Rect, goal: Size? = nil, aspect: Size?, cornerRadius: Double = 0, quarterTurns: Double = 0,
        scale: Double
    ) {
        picture.cornerRadius = cornerRadius
        if layer.frame != frame { layer.frame = frame }
        layer.clipsToBounds = shownFill > 0
        guard let aspect else {
            picture.isHidden = true
            pixelSize = PixelSize(width: 0, height: 0)
            return
        }
        if quarterTurns != 0 {
            return layout(frame, goal: goal ?? frame.size, aspect: aspect, quarterTurns: quarterTurns, scale: scale)
        }
        picture.quarterTurns = 0
        let seen = pixels(in: frame.size, aspect: aspect, fill: shownFill, scale: scale)
        let target =
            shownFill == fill.model && goal == nil
            ? seen : pixels(in: goal ?? frame.size, aspect: aspect, fill: fill.model, scale: scale)
        pixelSize = PixelSize(width: max(1, target.width), height: max(1, target.height))
        seenSize = PixelSize(width: max(1, seen.width), height: max(1, seen.height))
        let size = Size(width: Double(max(1, seen.width)) / scale, height: Double(max(1, seen.height)) / scale)
        picture.frame = Rect(
            origin: Point(x: Double(seen.minX) / scale, y: Double(seen.minY) / scale), size: size)
    }

    /// Lays out a picture that is rotated by up to a quarter turn. The picture fits or fills the box before and after
    /// the rotation. In between, its size is interpolated.
    private func layout(_ frame: Rect, goal: Size, aspect: Size, quarterTurns: Double, scale: Double) {
        let upright = pictureSize(in: frame.size, aspect: aspect, fill: shownFill)
        let lying = pictureSize(in: frame.size.rotated(by: .quarter), aspect: aspect, fill: shownFill)
        let size = Size(
            width: upright.width + (lying.width - upright.width) * quarterTurns,
            height: upright.height + (lying.height - upright.height) * quarterTurns)
        picture.quarterTurns = quarterTurns
        picture.frame = Rect(
            x: (frame.size.width - size.width) / 2, y: (frame.size.height - size.height) / 2, width: size.width,
            height: size.height)
        let target = pixels(in: goal.rotated(by: .quarter), aspect: aspect, fill: fill.model, scale: scale)
        pixelSize = PixelSize(width: max(1, target.width), height: max(1, target.height))
    }

    /// Returns the picture's frame in a box of size `box`, rounded to whole device pixels.
    ///
    /// - Parameter fill: The progress of the animation between the modes: 0 for `fit`, 1 for `fill`.
    private func pixels(in box: Size, aspect: Size, fill: Double, scale: Double) -> PixelRect {
        let size = pictureSize(in: box, aspect: aspect, fill: fill)
        return PixelRect(
            rounding: Rect(
                x: (box.width - size.width) / 2 * scale, y: (box.height - size.height) / 2 * scale,
                width: size.width * scale, height: size.height * scale))
    }

    /// Returns the picture's size in a box of size `box`, in points. `fill` is as in `pixels`.
    private func pictureSize(in box: Size, aspect: Size, fill: Double) -> Size {
        let fitted = Rect(origin: .zero, size: box).fitting(aspect: aspect).size
        guard fill > 0, !fitted.isEmpty else { return fitted }
        let whole = max(box.width / fitted.width, box.height / fitted.height)
        let growth = 1 + (min(whole, Self.mostFill) - 1) * fill
        return Size(width: fitted.width * growth, height: fitted.height * growth)
    }

    /// Shows `content`, which comes from a `FilmScreen`; `.none` hides the picture.
    func show(_ content: Layer.Content) {
        picture.content = content
        picture.isHidden = content == .none
    }
}
