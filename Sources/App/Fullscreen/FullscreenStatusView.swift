import GlissadeControls
import GlissadeDesktop
import GlissadeGeometry
import GlissadeLayers

/// What the desktop's panel would show, in the title bar of a fullscreen video: the time of day, the battery and, for a
/// stream, the state of the network. Main thread.
@MainActor final class FullscreenStatusView {
    struct Content: Hashable {
        var time: String
        var battery: BatteryStatus?
        /// The state of the network; nil for a file.
        var network: String?
    }

    let layer = Layer()
    private let time = Label(style: Theme.statusText, alignment: .trailing)
    private let level = Label(style: Theme.statusText, alignment: .trailing)
    private let network = Label(style: Theme.statusText, alignment: .trailing)
    private let outline = Layer(content: .color(Theme.batteryOutline))
    private let interior = Layer(content: .color(Theme.background))
    private let charge = Layer()
    private let terminal = Layer(content: .color(Theme.batteryOutline))
    /// The content that is shown; nil if the view is hidden.
    private(set) var content: Content?

    private static let gap = 14.0
    private static let timeWidth = 66.0
    private static let levelWidth = 44.0
    private static let networkWidth = 190.0
    private static let battery = Size(width: 25, height: 12)
    /// The charge below which the battery is shown in another color.
    private static let low = 0.15

    init() {
        layer.isHitTestable = false
        layer.isHidden = true
        for part in [outline, interior, charge, terminal] { part.isHitTestable = false }
        for part in [network.layer, level.layer, outline, interior, charge, terminal, time.layer] { layer.add(part) }
    }

    /// Shows `content`; nil hides the view. Returns whether the content has changed.
    func show(_ content: Content?) -> Bool {
        guard content != self.content else { return false }
        self.content = content
        layer.isHidden = content == nil
        guard let content else { return true }
        time.text = content.time
        level.text = content.battery.map { "\(Int(($0.level * 100).rounded())) %" } ?? ""
        network.text = content.network ?? ""
        for part in [outline, interior, charge, terminal] { part.isHidden = content.battery == nil }
        if let battery = content.battery {
            charge.content = .color(
                battery.isCharging ? Theme.batteryCharging : battery.level < Self.low ? Theme.batteryLow : Theme.text)
        }
        return true
    }

    /// The width that the view takes, in points; 0 while it is hidden.
    var width: Double {
        guard let content else { return 0 }
        var width = Self.timeWidth
        if content.battery != nil { width += Self.gap + Self.battery.width + 3 + Self.levelWidth }
        if content.network != nil { width += Self.gap + Self.networkWidth }
        return width
    }

    /// Lays out the view with its right edge at `right`, in a bar of `height` points.
    func layout(right: Double, height: Double) {
        layer.frame = Rect(x: right - width, y: 0, width: width, height: height)
        var x = width - Self.timeWidth
        time.layout(Rect(x: x, y: 0, width: Self.timeWidth, height: height))
        if let battery = content?.battery {
            let size = Self.battery
            x -= Self.gap + size.width + 3
            let frame = Rect(x: x, y: ((height - size.height) / 2).rounded(), width: size.width, height: size.height)
            outline.frame = frame
            outline.cornerRadius = 3
            interior.frame = Rect(x: frame.minX + 1, y: frame.minY + 1, width: size.width - 2, height: size.height - 2)
            interior.cornerRadius = 2
            let room = size.width - 5
            charge.frame = Rect(
                x: frame.minX + 2.5, y: frame.minY + 2.5, width: max((room * battery.level).rounded(), 1),
                height: size.height - 5)
            charge.cornerRadius = 1
            terminal.frame = Rect(x: frame.maxX + 1, y: frame.minY + 4, width: 1.5, height: size.height - 8)
            x -= Self.levelWidth
            level.layout(Rect(x: x, y: 0, width: Self.levelWidth - 7, height: height))
        }
        if content?.network != nil {
            x -= Self.gap + Self.networkWidth
            network.layout(Rect(x: x, y: 0, width: Self.networkWidth, height: height))
        }
    }
}
