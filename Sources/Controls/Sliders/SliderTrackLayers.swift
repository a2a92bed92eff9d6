import GlissadeGeometry
import GlissadeLayers

/// The layers of a progress bar or slider. From bottom to top: track, buffered ranges, played range, marks, outline and
/// thumb.
///
/// All parts move by whole device pixels, counted from the bar's left end. The thumb therefore keeps its size while it
/// moves, and the thumb and the played range move in the same frame. Main thread.
@MainActor final class SliderTrackLayers {
    /// The maximum number of visible buffered ranges, and also of visible marks. Two ranges are merged if the gap
    /// between them is less than 1/256 of the length, or less than one pixel. A mark is left out if its distance from
    /// the previous visible mark is less than 1/256 of the length, or less than two mark widths.
    static let mostParts = 256.0

    /// The state that determines the appearance, apart from position and colors.
    struct Look: Equatable {
        /// How far the bar has grown: 0 at rest, 1 when fully grown.
        var growth = 0.0
        var isDisabled = false
        var isFocused = false
    }

    /// The layer that receives presses, including those in its hit margin. Its height is that of the bar at rest, even
    /// while the bar is grown.
    let layer = Layer()
    /// Device pixels per point.
    private(set) var scale = 1.0
    /// Whether anything has changed since the bar was last drawn.
    var isDirty = true
    /// The position of the thumb's center and the played range's right end, in device pixels from the bar's left end.
    private(set) var edge = 0.0

    /// Contains all visible parts. A disabled bar is dimmed by the opacity of this layer, because the owner may set
    /// that of `layer`.
    private let body = Layer()
    private let track = Layer()
    private let bufferedParts = Layer()
    private let played = Layer()
    private let markParts = Layer()
    private let outline = Layer()
    private let thumb = Layer()

    private var buffered: [ClosedRange<Double>] = []
    private var marks: [Double] = []
    private var style: SliderTrackStyle
    private var colors: SliderTrackStyle.Colors
    private var partsAreStale = true

    init(style: SliderTrackStyle) {
        self.style = style
        colors = style.rest
        layer.add(body)
        body.isHitTestable = false
        for part in [track, bufferedParts, played, markParts, outline, thumb] {
            part.isHitTestable = false
            body.add(part)
        }
        paint()
    }

    // MARK: - Appearance

    func setStyle(_ style: SliderTrackStyle, colors: SliderTrackStyle.Colors) {
        self.style = style
        self.colors = colors
        partsAreStale = true
        layout(layer.frame)
        paint()
    }

    func setColors(_ colors: SliderTrackStyle.Colors) {
        guard colors != self.colors else { return }
        self.colors = colors
        paint()
    }

    func setBuffered(_ ranges: [ClosedRange<Double>]) {
        buffered = ranges
        partsAreStale = true
    }

    func setMarks(_ fractions: [Double]) {
        marks = fractions
        partsAreStale = true
    }

    /// Places the bar over the whole width of `frame`, centered vertically. `frame` is in the parent's coordinates.
    func layout(_ frame: Rect, scale: Double? = nil) {
        if let scale, scale.isFinite, scale > 0 { self.scale = scale }
        let height = style.barHeight.usableLength
        let bar = Rect(
            x: frame.minX, y: frame.minY + (frame.size.height - height) / 2, width: frame.size.width.usableLength,
            height: height)
        guard bar.minX.isFinite, bar.minY.isFinite else { return }
        set(layer, bar)
        set(body, Rect(origin: .zero, size: bar.size))
        partsAreStale = true
    }

    private func paint() {
        isDirty = true
        track.content = .color(colors.track)
        played.content = .color(colors.played)
        thumb.content = style.thumbImage.map { .image($0) } ?? .color(colors.thumb)
        outline.content = .color(style.outlineColor)
        for part in bufferedParts.sublayers { part.content = .color(colors.buffered) }
        for part in markParts.sublayers { part.content = .color(colors.mark) }
    }

    // MARK: - Geometry

    /// The bar's length in device pixels.
    var length: Double { layer.frame.size.width * scale }

    /// Returns the device pixel nearest to `fraction` of the length.
    func pixel(at fraction: Double) -> Double { (fraction * length).rounded() }

    /// Places all parts, with the thumb at `fraction` of the length.
    func place(at fraction: Double, _ look: Look) {
        let size = layer.frame.size
        let height = snapped(style.barHeight, style.grownBarHeight, look.growth)
        let y = (size.height - height) / 2
        edge = pixel(at: fraction)
        let x = edge / scale
        let radius = min(style.cornerRadius.usableLength, height / 2)
        if partsAreStale || track.frame.size.height != height {
            partsAreStale = false
            set(track, Rect(x: 0, y: y, width: size.width, height: height), radius: radius)
            placeBuffered(y: y, height: height, radius: radius)
            placeMarks(y: y, height: height)
        }
        set(played, Rect(x: 0, y: y, width: x, height: height), radius: min(radius, x / 2))
        let side = snapped(style.showsThumbAtRest ? style.dotHeight : 0, style.grownDotHeight, look.growth)
        set(thumb, disc(side, at: x), radius: style.thumbImage == nil ? side / 2 : 0)
        let reach = look.isFocused ? max(side, height) + 2 * style.outlineWidth.usableLength : 0
        set(outline, disc(reach, at: x), radius: reach / 2)
        let opacity = look.isDisabled ? style.disabledOpacity.fraction ?? 1 : 1
        if body.opacity != opacity {
            body.opacity = opacity
            isDirty = true
        }
    }

    /// Interpolates between the lengths `rest` and `grown` by the fraction `growth`. Returns points, rounded to whole
    /// device pixels. A positive length is at least one pixel.
    private func snapped(_ rest: Double, _ grown: Double, _ growth: Double) -> Double {
        let length = rest.usableLength.mixed(with: grown.usableLength, fraction: growth)
        return length > 0 ? max(1, (length * scale).rounded()) / scale : 0
    }

    private func disc(_ side: Double, at x: Double) -> Rect {
        Rect(x: x - side / 2, y: (layer.frame.size.height - side) / 2, width: side, height: side)
    }

    private func set(_ part: Layer, _ frame: Rect, radius: Double = 0) {
        if part.cornerRadius != radius { part.cornerRadius = radius }
        guard part.frame != frame else { return }
        part.frame = frame
        isDirty = true
    }

    // MARK: - Ranges and marks

    private func placeBuffered(y: Double, height: Double, radius: Double) {
        var count = 0
        var run: (start: Double, end: Double)?
        func close() {
            guard let run, run.end > run.start else { return }
            let width = (run.end - run.start) / scale
            set(
                part(count, of: bufferedParts, colors.buffered),
                Rect(x: run.start / scale, y: y, width: width, height: height), radius: min(radius, width / 2))
            count += 1
        }
        let gap = max(1, length / Self.mostParts)
        for range in buffered {
            let (start, end) = (pixel(at: range.lowerBound), pixel(at: range.upperBound))
            if let last = run, start - last.end < gap {
                run = (last.start, end)
            } else {
                close()
                run = (start, end)
            }
        }
        close()
        hideParts(of: bufferedParts, from: count)
    }

    private func placeMarks(y: Double, height: Double) {
        let width = snapped(style.markWidth, style.markWidth, 0)
        let spacing = max(2 * width, length / scale / Self.mostParts)
        var count = 0
        var last = -Double.infinity
        for mark in marks where width > 0 {
            let x = ((mark * length) - width * scale / 2).rounded() / scale
            guard x - last >= spacing, x > 0, x + width < length / scale else { continue }
            last = x
            set(part(count, of: markParts, colors.mark), Rect(x: x, y: y, width: width, height: height))
            count += 1
        }
        hideParts(of: markParts, from: count)
    }

    private func part(_ index: Int, of group: Layer, _ color: Color) -> Layer {
        if index == group.sublayers.count {
            let part = Layer(content: .color(color))
            part.isHitTestable = false
            group.add(part)
            isDirty = true
        }
        let part = group.sublayers[index]
        if part.isHidden {
            part.isHidden = false
            isDirty = true
        }
        return part
    }

    private func hideParts(of group: Layer, from count: Int) {
        for part in group.sublayers.dropFirst(count) where !part.isHidden {
            part.isHidden = true
            isDirty = true
        }
    }
}
