import Geometry
import Layers
import Presentation
import Time

/// What goes on beneath the film: a panel of figures and a graph of the last frames' intervals, over the picture.
///
/// Main thread. Hidden, it costs nothing, and the log keeps nothing for it. Shown, it moves its graph with each frame
/// that was presented, in place; its figures change four times a second, as setting text costs more than drawing it. It
/// never asks for a frame: where nothing else is drawn, nothing changes.
@MainActor final class StatisticsOverlay {
    /// So long figures stay, to be read and to spare the machine.
    static let patience = Duration.milliseconds(250)
    /// What times are taken over.
    static let span = Duration.seconds(1)
    /// So many lines take on what they are to say in a frame: setting them all at once would cost a film a frame.
    static let linesPerFrame = 2

    /// Above the picture; as large as the panel.
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

    /// Whether it is to be seen.
    var isShown = false {
        didSet {
            guard isShown != oldValue else { return }
            layer.isHidden = !isShown
            log.keepsRecent = isShown
            changed = nil
            drawn = -1
        }
    }

    /// Takes in what was presented since the last call; to be called before each frame that is drawn.
    ///
    /// - Parameters:
    ///   - now: the time.
    ///   - figures: asked only when they are to be shown.
    func update(now: HostTime, _ figures: () -> Figures) {
        guard isShown, let recent = log.recent else { return }
        if log.presentCount != drawn {
            drawn = log.presentCount
            graph.show(recent)
        }
        if let changed, now - changed < Self.patience, now >= changed { return settle(Self.linesPerFrame) }
        changed = now
        let begin = now - Self.span
        graph.usual = recent.times(since: begin) { $0.interval }?.median
        let costs = Costs(
            interval: recent.times(since: begin) { $0.interval }, upload: recent.times(since: begin) { $0.upload },
            draw: recent.times(since: begin) { $0.draw }, swap: recent.times(since: begin) { $0.swap })
        show(StatisticsText.lines(figures(), costs, shown: log.shownCount, repeated: log.repeatedCount))
    }

    /// Lays it out at the upper left of a page of `size`.
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
    /// Of a value that has a detail beside it.
    private static let shortWidth = 64.0
    private static let graphGap = 10.0

    /// What it says, or is about to.
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

    /// Lets so many lines take on what they are to say.
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
        // Where the page is too small it is cut off, not pushed over its edge.
        layer.frame = Rect(
            x: Theme.margin, y: Theme.barHeight + 8, width: max(0, min(width, space.width - 2 * Theme.margin)),
            height: max(0, min(y, space.height - Theme.barHeight - 8 - Theme.margin)))
    }
}

/// A line of the panel.
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
