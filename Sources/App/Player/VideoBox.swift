import Animation
import Geometry
import Layers
import Time

/// A layer in which a picture lies, on whole device pixels: as large as it fits, or so large that it fills the box.
@MainActor final class VideoBox {
    /// How a picture of another shape than the box lies in it.
    enum Mode: Hashable, Sendable {
        /// All of the picture is seen, and beside it the box.
        case fit
        /// The picture covers the box, and what does not go in is not seen.
        case fill
    }

    /// How long the picture takes from one mode to the other.
    static let modeDuration = Duration.milliseconds(250)
    /// A picture is not enlarged more than this to fill its box, whatever its shape: a line would become a sheet.
    static let mostFill = 4.0

    /// As large as the box; black, or whatever its owner makes it.
    let layer: Layer
    private let picture = Layer()
    /// 0 where the picture fits, 1 where it fills.
    private let fill = Animated(0.0)
    /// What is seen of it.
    private var shownFill = 0.0

    init(background: Layer.Content = .color(.black)) {
        layer = Layer(content: background)
        picture.isHitTestable = false
        layer.add(picture)
    }

    /// The size for which the picture is to be made, in device pixels: in which it is seen, or will be once it has come
    /// to its mode, so that it is made once and not in each size on the way. Empty while there is none.
    private(set) var pixelSize = PixelSize(width: 0, height: 0)
    /// The size in which the picture is seen now, in device pixels.
    private(set) var seenSize = PixelSize(width: 0, height: 0)

    /// Where the picture is seen, or would be without the box's edges, in the box's points.
    var pictureFrame: Rect { picture.frame }

    /// How the picture lies, or is going to.
    var mode: Mode { fill.model == 0 ? .fit : .fill }

    /// Lets the picture grow or shrink to another mode, from where it is seen; `advance` and `layout` carry it there.
    ///
    /// - Parameter isAnimated: whether it takes its time, or is there with the next layout.
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

    /// Whether the picture is on its way to another mode, and the box to be laid out in each frame.
    var isMoving: Bool { fill.isMoving }

    /// The time is `now`: to be called before `layout`, in each frame while it moves. Returns whether it still does.
    @discardableResult func advance(to now: HostTime) -> Bool {
        guard fill.isAnimating else { return false }
        fill.advance(to: LocalTime(now))
        shownFill = fill.presentation(at: LocalTime(now))
        return fill.isMoving
    }

    /// Lays the box out over `frame` for a picture of `aspect`'s shape, with corners as round as `cornerRadius` points.
    ///
    /// - Parameters:
    ///   - goal: the size that the box is going to have, for which the picture is to be made; nil where it has it.
    ///   - turn: how far the picture is turned in it, clockwise, in quarter turns: at 1 it fits the box lying on its side.
    func layout(
        _ frame: Rect, goal: Size? = nil, aspect: Size?, cornerRadius: Double = 0, turn: Double = 0, scale: Double
    ) {
        picture.cornerRadius = cornerRadius
        if layer.frame != frame { layer.frame = frame }
        layer.clipsToBounds = shownFill > 0
        guard let aspect else {
            picture.isHidden = true
            pixelSize = PixelSize(width: 0, height: 0)
            return
        }
        if turn != 0 { return layout(frame, goal: goal ?? frame.size, aspect: aspect, turned: turn, scale: scale) }
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

    /// On the way from upright, where it fits the box, to lying on its side, where it does so again.
    private func layout(_ frame: Rect, goal: Size, aspect: Size, turned turn: Double, scale: Double) {
        let (upright, lying) = (Size.fitted(aspect, in: frame.size), Size.fitted(aspect, in: frame.size.lying))
        let size = Size(
            width: upright.width + (lying.width - upright.width) * turn,
            height: upright.height + (lying.height - upright.height) * turn)
        picture.quarterTurns = turn
        picture.frame = Rect(
            x: (frame.size.width - size.width) / 2, y: (frame.size.height - size.height) / 2, width: size.width,
            height: size.height)
        let target = Size.fitted(aspect, in: goal.lying)
        pixelSize = PixelSize(
            width: max(1, Int((target.width * scale).rounded())), height: max(1, Int((target.height * scale).rounded()))
        )
    }

    /// Where the picture lies in a box: whole device pixels, and the very size of the picture where it differs by less
    /// than one, so that it is drawn pixel by pixel.
    private func pixels(in box: Size, aspect: Size, fill: Double, scale: Double) -> PixelRect {
        let fitted = Rect(origin: .zero, size: box).fitting(aspect: aspect)
        var growth = 1.0
        if fill > 0, !fitted.size.isEmpty {
            let whole = max(box.width / fitted.size.width, box.height / fitted.size.height)
            growth += (min(whole, Self.mostFill) - 1) * fill
        }
        let (width, height) = (fitted.size.width * growth, fitted.size.height * growth)
        return PixelRect(
            rounding: Rect(
                x: (box.width - width) / 2 * scale, y: (box.height - height) / 2 * scale, width: width * scale,
                height: height * scale))
    }

    /// Shows `content`, a video view's.
    func show(_ content: Layer.Content) {
        picture.content = content
        picture.isHidden = content == .none
    }
}

extension Size {
    /// Width and height in each other's place.
    fileprivate var lying: Size { Size(width: height, height: width) }

    /// The largest size of `aspect`'s shape in `box`.
    fileprivate static func fitted(_ aspect: Size, in box: Size) -> Size {
        Rect(origin: .zero, size: box).fitting(aspect: aspect).size
    }
}
