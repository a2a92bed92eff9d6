import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeInput
import GlissadeLayers
import GlissadeTime

/// A progress bar of 1000 points, from x = 100 on, in the middle of a window at y = 250; and what it tells.
@MainActor final class ProgressBarHarness {
    let window = SliderHarness()
    let bar: ProgressBar
    var told: [String] = []
    /// What a completion was told.
    var ends: [Bool] = []

    var now: HostTime { window.now }

    let scale: Double

    init(scale: Double = 1, style: ProgressBar.Style = ProgressBar.Style()) {
        self.scale = scale
        bar = ProgressBar(style: style)
        window.root.add(bar.layer)
        bar.layout(Rect(x: 100, y: 240, width: 1000, height: 20), scale: scale)
        bar.advance(to: window.now)
        bar.onDragBegan = { [unowned self] in tell("began", $0, $1) }
        bar.onDrag = { [unowned self] in tell("drag", $0, $1) }
        bar.onDragEnded = { [unowned self] in tell("ended", $0, $1) }
        bar.onDragCancelled = { [unowned self] in tell("cancelled", nil, $0) }
        bar.onHover = { [unowned self] in tell("hover", $0, $1) }
        bar.onStep = { [unowned self] in tell("step", $0, $1) }
    }

    private func tell(_ what: String, _ value: Double?, _ time: HostTime) {
        let number = value.map { ($0 * 10000).rounded() / 10000 }
        told.append(number.map { "\(what) \(Int(exactly: $0).map { "\($0)" } ?? "\($0)")" } ?? what)
        if time != window.now { told.append("at another time") }
    }

    /// What it told since the last call.
    func took() -> [String] {
        defer { told = [] }
        return told
    }

    @discardableResult func frame(after milliseconds: Double = 10) -> Bool {
        window.wait(milliseconds)
        return bar.advance(to: window.now)
    }

    /// Moves to `value` over so many seconds; what the completion says is in `ends`.
    func run(to value: Double, seconds: Double) {
        bar.setValue(value, duration: .seconds(seconds), now: now) { [unowned self] in ends.append($0) }
    }

    @discardableResult func key(_ key: Key, _ modifiers: Modifiers = []) -> Bool {
        bar.handle(KeyEvent(key: key, modifiers: modifiers, time: now))
    }

    // MARK: - What is seen

    /// What a renderer would be given, bottom first.
    var drawn: [DisplayList.Item] {
        var list = DisplayList(viewport: PixelSize(width: 2400, height: 1000))
        window.root.flatten(scale: scale, at: LocalTime(now), into: &list)
        return list.items
    }

    private var body: [Layer] { bar.layer.sublayers[0].sublayers }
    var track: Layer { body[0] }
    var bufferedParts: [Layer] { body[1].sublayers.filter { !$0.isHidden } }
    var played: Layer { body[2] }
    var markParts: [Layer] { body[3].sublayers.filter { !$0.isHidden } }
    var outline: Layer { body[4] }
    var thumb: Layer { body[5] }
    var opacity: Double { bar.layer.sublayers[0].opacity }
    /// Where the thumb's middle is, in points of the bar.
    var thumbX: Double { thumb.frame.minX + thumb.frame.size.width / 2 }
}

extension Layer.Content {
    var color: Color? { if case .color(let color) = self { color } else { nil } }
}
