import GlissadeGeometry
import GlissadeLayers
import GlissadePresentation

/// A bar graph of the intervals between the latest frames, newest on the right, with a line at 1/60 s. Main thread.
@MainActor final class IntervalGraph {
    static let height = 56.0
    /// The width of a bar including the gap beside it, in points.
    private static let step = 3.0
    static let width = step * Double(barCount)
    /// The number of bars, each of which represents one frame.
    static let barCount = 120
    /// The interval at which a bar has its full height.
    static let top = Duration.milliseconds(50)
    /// The interval that the line marks: 1/60 s.
    static let guide = Duration.microseconds(16_667)

    let layer = Layer(content: .color(Color(red: 1, green: 1, blue: 1, alpha: 0.045)))
    private let bars: [Layer]
    private let line = Layer(content: .color(Color(red: 1, green: 1, blue: 1, alpha: 0.55)))
    private let caption = Layer()
    private static let captionStyle = TextStyle(size: 10, color: Theme.secondaryText, hasTabularDigits: true)
    private static let normal = Layer.Content.color(Theme.accent)
    /// The color of the bars for intervals of more than 1.5 times `usual`.
    private static let long = Layer.Content.color(Color(red: 1, green: 0.62, blue: 0.25))

    /// The usual interval between frames, with which each bar's interval is compared; nil if unknown.
    var usual: Duration?

    init() {
        bars = (0..<Self.barCount).map { _ in Layer(content: Self.normal) }
        layer.clipsToBounds = true
        for bar in bars {
            bar.isHitTestable = false
            bar.isHidden = true
            layer.add(bar)
        }
        caption.content = .text(TextContent("16.7 ms", style: Self.captionStyle))
        for sign in [line, caption] {
            sign.isHitTestable = false
            layer.add(sign)
        }
        layer.isHitTestable = false
    }

    func layout(_ frame: Rect) {
        layer.frame = frame
        let y = Self.height - Self.length(of: Self.guide)
        line.frame = Rect(x: 0, y: y, width: frame.size.width, height: 1)
        caption.frame = Rect(x: 4, y: y - 15, width: 60, height: 14)
    }

    func show(_ recent: RecentFrames) {
        for (index, bar) in bars.enumerated() {
            guard let interval = recent[back: Self.barCount - 1 - index]?.interval else {
                bar.isHidden = true
                continue
            }
            let length = Self.length(of: interval)
            bar.isHidden = false
            bar.frame = Rect(
                x: Double(index) * Self.step, y: Self.height - length, width: Self.step - 1, height: length)
            let isLong = usual.map { interval > $0 * 1.5 } ?? false
            bar.content = isLong ? Self.long : Self.normal
        }
    }

    /// Returns the height of the bar for an interval, in points, limited to 1…`height`.
    static func length(of interval: Duration) -> Double {
        let fraction = interval.inSeconds / top.inSeconds
        return min(max(1, (fraction * height).rounded()), height)
    }
}
