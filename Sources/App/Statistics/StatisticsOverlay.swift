import GlissadeGeometry
import GlissadeLayers
import GlissadePresentation
import GlissadeTime

/// The statistics shown over the video: a panel of figures, and a graph of the intervals between the latest frames.
///
/// Main thread. The graph changes with each presented frame. The figures change only four times a second, because
/// rasterizing text is expensive. The overlay never requests a frame, and costs nothing while it is hidden.
@MainActor final class StatisticsOverlay {
    /// The time between updates of the figures.
    static let timeout = Duration.milliseconds(250)
    /// The statistics of frame times cover the latest period of this length.
    static let span = Duration.seconds(1)
    /// The maximum number of lines updated per frame. Rasterizing all of them at once would drop a frame.
    static let linesPerFrame = 2

    /// The panel, above the video.
    let layer = Layer(content: .color(Color(red: 0.03, green: 0.03, blue: 0.045, alpha: 0.78)))
    private let log: FrameLog
    private var rows: [StatisticsRow] = []
    private let graph = IntervalGraph()
    private var changed: HostTime?
    private var drawn = -1
    private var space = Size.zero

    init(log: FrameLog) {
        self.log = log
        layer.isHidden = true
        layer.isHitTestable = false
        layer.cornerRadius = Self.radius
        layer.clipsToBounds = true
        layer.add(graph.layer)
    }

    isolated deinit { if isShown { log.keepsRecent = false } }

    /// Whether the overlay is visible. The log keeps recent frames only while the overlay is visible.
    var isShown = false {
        didSet {
            guard isShown != oldValue else { return }
            layer.isHidden = !isShown || isSuspended
            log.keepsRecent = isShown
            changed = nil
            drawn = -1
        }
    }

    /// Whether the panel is hidden even if `isShown` is true, because the video is being rotated.
    var isSuspended = false { didSet { layer.isHidden = !isShown || isSuspended } }

    /// Updates the graph, and the figures if their update is due. Must be called for each frame.
    ///
    /// - Parameter figures: Returns the current figures. Called only when an update of the figures is due.
    func update(now: HostTime, _ figures: () -> Figures) {
        guard isShown, let recent = log.recent else { return }
        if log.presentCount != drawn {
            drawn = log.presentCount
            graph.show(recent)
        }
        if let changed, now - changed < Self.timeout, now >= changed { return settle(Self.linesPerFrame) }
        changed = now
        let begin = now - Self.span
        graph.usual = recent.times(since: begin) { $0.interval }?.median
        let costs = Costs(
            interval: recent.times(since: begin) { $0.interval }, upload: recent.times(since: begin) { $0.upload },
            draw: recent.times(since: begin) { $0.draw }, swap: recent.times(since: begin) { $0.swap })
        show(StatisticsText.lines(figures(), costs, shown: log.shownCount, repeated: log.repeatedCount))
    }

    /// Lays out the panel in the upper left corner of a page of `size`.
    func layout(_ size: Size) {
        if size == space { return }
        space = size
        place()
    }

    // MARK: - Layers

    private static let radius = 10.0
    private static let padding = 14.0
    private static let rowHeight = 18.0
    private static let labelWidth = 76.0
    private static let valueWidth = IntervalGraph.width - labelWidth
    /// The width of a value that has a detail beside it, in points.
    private static let shortWidth = 64.0
    private static let graphGap = 10.0

    /// The current lines of text. Normally, at most `linesPerFrame` rows are updated to match them in each frame.
    private(set) var lines: [StatisticsText.Line] = []

    private func show(_ lines: [StatisticsText.Line]) {
        self.lines = lines
        let isSame = lines.map { $0.detail == nil } == rows.map { $0.line.detail == nil }
        while rows.count < lines.count {
            let row = StatisticsRow()
            rows.append(row)
            layer.add(row.label)
            layer.add(row.value)
            layer.add(row.detail)
        }
        while rows.count > lines.count {
            let row = rows.removeLast()
            layer.remove(row.label)
            layer.remove(row.value)
            layer.remove(row.detail)
        }
        if isSame { return settle(Self.linesPerFrame) }
        settle(.max)
        place()
    }

    /// Updates up to `count` of the rows that differ from `lines`.
    private func settle(_ count: Int) {
        var left = count
        for (row, line) in zip(rows, lines) where row.line != line {
            if left == 0 { return }
            left -= 1
            row.line = line
        }
    }

    private func place() {
        let inner = Self.labelWidth + Self.valueWidth
        let width = inner + 2 * Self.padding
        var y = Self.padding
        for row in rows {
            row.label.frame = Rect(x: Self.padding, y: y, width: Self.labelWidth, height: Self.rowHeight)
            let left = Self.padding + Self.labelWidth
            let isShort = row.line.detail != nil
            row.value.frame = Rect(
                x: left, y: y, width: isShort ? Self.shortWidth : Self.valueWidth, height: Self.rowHeight)
            row.detail.frame = Rect(
                x: left + Self.shortWidth, y: y, width: isShort ? Self.valueWidth - Self.shortWidth : 0,
                height: Self.rowHeight)
            y += Self.rowHeight
        }
        y += Self.graphGap
        graph.layout(Rect(x: Self.padding, y: y, width: inner, height: IntervalGraph.height))
        y += IntervalGraph.height + Self.padding
        // On a small page, the panel is clipped.
        layer.frame = Rect(
            x: Theme.margin, y: Theme.barHeight + 8, width: max(0, min(width, space.width - 2 * Theme.margin)),
            height: max(0, min(y, space.height - Theme.barHeight - 8 - Theme.margin)))
    }
}

/// The layers of one line of the panel: label, value and detail.
@MainActor private final class StatisticsRow {
    private static let labelStyle = TextStyle(size: 12, color: Theme.secondaryText)
    private static let detailStyle = TextStyle(size: 12, color: Theme.secondaryText, hasTabularDigits: true)
    private static let valueStyle = TextStyle(size: 12, weight: .medium, color: Theme.text, hasTabularDigits: true)

    let label = Layer()
    let value = Layer()
    let detail = Layer()

    var line = StatisticsText.Line("", "") {
        didSet {
            if line.label != oldValue.label {
                label.content = .text(TextContent(line.label, style: Self.labelStyle))
            }
            if line.value != oldValue.value {
                value.content = .text(TextContent(line.value, style: Self.valueStyle, truncation: .middle))
            }
            if line.detail != oldValue.detail {
                detail.content = line.detail.map { .text(TextContent($0, style: Self.detailStyle)) } ?? .none
            }
        }
    }

    init() {
        for layer in [label, value, detail] { layer.isHitTestable = false }
    }
}
