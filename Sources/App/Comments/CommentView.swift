import GlissadeAnimation
import GlissadeControls
import GlissadeDanmaku
import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

/// The moving comments over the video, each a layer. Main thread.
///
/// Once as many comments as fit have been visible, frames allocate no memory.
@MainActor final class CommentView {
    /// A comment that the user is holding: it stops, and a bubble shows its whole text.
    struct Held {
        var index: Int
        /// The bubble's frame, in the coordinates of `layer`'s parent.
        var frame: Rect
    }

    /// A layer, and the comment that it shows.
    private struct Slot {
        let layer = Layer()
        /// The comment's index; nil while the layer is not in use.
        var index: Int?
        /// The last pass in which the comment was visible.
        var pass = 0
        var fontSize = 0.0
    }

    let layer = Layer()
    /// The bubble with the text of the held comment, above the controls.
    let bubble = Layer(content: .color(Theme.commentBubble))
    private let bubbleText = Layer()
    private var slots: [Slot] = []
    /// The place in `slots` of each visible comment, by the comment's index. The slots are not stored here, because
    /// changing a value in a dictionary allocates memory.
    private var places: [Int: Int] = [:]
    /// The places in `slots` that are not in use.
    private var unused: [Int] = []
    private var pass = 0
    /// The layout and the time of the last pass; nil while no comments are shown.
    private var shown: (placement: FilmComments.Placement, time: MediaTime)?
    private var scale = 1.0
    private(set) var held: Held?
    /// Whether a comment was moving in the last pass.
    private(set) var isMoving = false

    private static let fadeIn = Duration.milliseconds(180)
    private static let outline = Color(red: 0, green: 0, blue: 0, alpha: 0.9)
    /// The width on either side of a comment's area that its outline may use, as a multiple of the font size.
    private static let bleed = 0.2
    private static let bubblePadding = Point(x: 14, y: 10)
    /// The range of the bubble's font size, in points.
    private static let bubbleFonts = 14.0...24.0
    private static let bubbleLine = 1.4
    /// The width of the bubble, in points, where little of the page can be seen.
    private static let narrowestBubble = 160.0

    init() {
        layer.isHitTestable = false
        layer.clipsToBounds = true
        layer.isHidden = true
        bubble.isHitTestable = false
        bubble.cornerRadius = 10
        bubble.isHidden = true
        bubble.shadow = Theme.popoverShadow
        bubble.add(bubbleText)
        bubbleText.isHitTestable = false
    }

    /// Shows the comments that are visible at `time`.
    ///
    /// - Parameters:
    ///   - time: The position in the video, counted from its start.
    ///   - area: The part of the page that the video covers, in the coordinates of `layer`'s parent. Its size is that
    ///     for which the comments were placed.
    ///   - isRunning: Whether the video's position advances.
    ///   - scale: Device pixels per point.
    ///   - now: The time at which the frame becomes visible.
    func show(
        _ placement: FilmComments.Placement, at time: MediaTime, in area: Rect, isRunning: Bool, scale: Double,
        now: HostTime
    ) {
        let (layout, comments) = (placement.layout, placement.comments)
        if layer.isHidden {
            layer.isHidden = false
            layer.animatedOpacity.removeAnimations()
            layer.opacity = 0
            layer.animatedOpacity.animate(to: 1, now: LocalTime(now), duration: Self.fadeIn, curve: .easeOut)
        }
        layer.frame = area
        if scale != self.scale || shown.map({ !$0.placement.isOfSameFile(as: placement) }) ?? false {
            release()
            recycleAll()
        }
        self.scale = scale
        pass += 1
        isMoving = false
        layout.forEachVisible(at: time) { comment in
            if isRunning, comment.kind.isMoving { isMoving = true }
            let layer = layer(comment, comments[comment.index])
            layer.frame = onPixels(layout.frame(of: comment, at: time), bleed: comment.fontSize * Self.bleed)
            layer.isHidden = comment.index == held?.index
        }
        recycle()
        shown = (placement, time)
    }

    /// Hides all comments, and lets go of a held one.
    func clear() {
        guard !layer.isHidden else { return }
        layer.isHidden = true
        release()
        recycleAll()
        shown = nil
        isMoving = false
    }

    /// The opacity of the comments, 0…1. The bubble of a held comment is opaque.
    var opacity = 0.8

    /// Returns the index of the comment whose current position on the screen contains `point`, in layout points; nil
    /// if there is none.
    func comment(at point: Point, now: HostTime) -> Int? {
        guard let shown, !layer.isHidden else { return nil }
        let local = layer.convert(fromLayout: point, at: LocalTime(now))
        guard Rect(origin: .zero, size: layer.frame.size).contains(local) else { return nil }
        return shown.placement.layout.comment(at: local, time: shown.time)?.index
    }

    /// Stops a comment and shows its whole text.
    ///
    /// - Parameter right: The right edge of what can be seen, in the superlayer's points. Less than the page's width
    ///   while the page is moved aside.
    func hold(_ index: Int, leftOf right: Double) {
        guard let shown, let placed = shown.placement.layout.placed.first(where: { $0.index == index }) else { return }
        release()
        let comment = shown.placement.comments[index]
        let place = shown.placement.layout.frame(of: placed, at: shown.time)
        let area = layer.frame.size
        let padding = Self.bubblePadding
        let font = min(max(placed.fontSize, Self.bubbleFonts.lowerBound), Self.bubbleFonts.upperBound)
        let room = min(area.width, right - layer.frame.minX)
        let widest = max(
            min(area.width * 0.7, max(room - 8, Self.narrowestBubble)) - 2 * padding.x, 40)
        var whole = comment
        var width = 0.0
        // `estimatedWidth` is that of the shortened text, so a long text is measured in pieces.
        var rest = comment.text.unicodeScalars[...]
        while !rest.isEmpty {
            whole.text = String(String.UnicodeScalarView(rest.prefix(MovingComment.longestLine)))
            width += whole.estimatedWidth * font
            rest = rest.dropFirst(MovingComment.longestLine)
        }
        let lines = max((width * 1.15 / widest).rounded(.up), 1)
        let size = Size(
            width: (min(width * 1.05, widest) + 2 * padding.x).rounded(.up),
            height: (lines * font * Self.bubbleLine + 2 * padding.y).rounded(.up))
        func clamped(_ value: Double, _ length: Double, within limit: Double) -> Double {
            min(max(value, 4), max(limit - length - 4, 0)).rounded()
        }
        bubble.frame = Rect(
            x: layer.frame.minX + clamped(place.minX + (place.size.width - size.width) / 2, size.width, within: room),
            y: layer.frame.minY
                + clamped(place.minY + (place.size.height - size.height) / 2, size.height, within: area.height),
            width: size.width, height: size.height)
        bubbleText.frame = Rect(
            x: padding.x, y: padding.y, width: size.width - 2 * padding.x, height: size.height - 2 * padding.y)
        bubbleText.content = .text(
            TextContent(
                comment.text, style: TextStyle(size: font, weight: .medium, color: comment.color.readable),
                alignment: .center, lineLimit: Int(lines) + 1))
        bubble.isHidden = false
        held = Held(index: index, frame: bubble.frame)
        layer(of: index)?.isHidden = true
    }

    private func layer(of index: Int) -> Layer? { places[index].map { slots[$0].layer } }

    /// Lets the held comment go on. Does nothing if there is none.
    func release() {
        guard let held else { return }
        bubble.isHidden = true
        layer(of: held.index)?.isHidden = false
        self.held = nil
    }

    // MARK: - Layers

    /// Returns the layer that shows a comment, and marks the comment as visible in this pass.
    private func layer(_ placed: CommentLayout.Placed, _ comment: MovingComment) -> Layer {
        let place = places[placed.index] ?? take(for: placed, comment)
        slots[place].pass = pass
        let layer = slots[place].layer
        layer.opacity = opacity
        if slots[place].fontSize != placed.fontSize {
            slots[place].fontSize = placed.fontSize
            layer.content = Self.content(comment, fontSize: placed.fontSize)
        }
        return layer
    }

    private static func content(_ comment: MovingComment, fontSize: Double) -> Layer.Content {
        .text(
            TextContent(
                comment.line,
                style: TextStyle(size: fontSize, weight: .semibold, color: comment.color, outline: outline),
                alignment: .center))
    }

    private func take(for placed: CommentLayout.Placed, _ comment: MovingComment) -> Int {
        if unused.isEmpty {
            unused.append(slots.count)
            slots.append(Slot())
        }
        let place = unused.removeLast()
        slots[place].index = placed.index
        places[placed.index] = place
        let layer = slots[place].layer
        layer.isHitTestable = false
        slots[place].fontSize = placed.fontSize
        layer.content = Self.content(comment, fontSize: placed.fontSize)
        layer.zPosition = placed.start.seconds
        self.layer.add(layer)
        return place
    }

    /// Removes the layers of the comments that are no longer visible.
    private func recycle() {
        for place in slots.indices where slots[place].pass != pass {
            guard let index = slots[place].index else { continue }
            slots[place].index = nil
            places.removeValue(forKey: index)
            slots[place].layer.removeFromSuperlayer()
            unused.append(place)
        }
    }

    private func recycleAll() {
        pass += 1
        recycle()
    }

    /// Moves a comment's frame to whole device pixels, and widens it by `bleed` on either side. The size is the same in
    /// each frame.
    private func onPixels(_ frame: Rect, bleed: Double) -> Rect {
        Rect(
            x: ((frame.minX - bleed) * scale).rounded() / scale, y: (frame.minY * scale).rounded() / scale,
            width: ((frame.size.width + 2 * bleed) * scale).rounded(.up) / scale,
            height: (frame.size.height * scale).rounded(.up) / scale)
    }
}

extension Color {
    /// The color, made lighter if it would be hard to read on the dark background of a bubble.
    fileprivate var readable: Color {
        let luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue
        guard luminance < 0.35 else { return self }
        let amount = (0.35 - luminance) / (1 - luminance)
        return Color(
            red: red + (1 - red) * amount, green: green + (1 - green) * amount, blue: blue + (1 - blue) * amount,
            alpha: alpha)
    }
}
