import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

/// The spinner over the video while playback waits for data, and the message below it while the player reconnects.
/// Main thread.
@MainActor final class WaitingView {
    let layer = Layer()
    private let spinner = Spinner(style: Theme.spinner)
    /// The message's background. Contains `label`.
    private let sign = Layer(content: .color(Theme.toast.background))
    private let label = Label("Reconnecting…", style: Theme.toast.text, alignment: .center)

    private static let spinnerSize = 64.0
    private static let signSize = Size(width: 170, height: 30)
    private static let gap = 12.0

    init() {
        for part in [layer, spinner.layer, sign] { part.isHitTestable = false }
        sign.isHidden = true
        sign.cornerRadius = Self.signSize.height / 2
        sign.add(label.layer)
        layer.add(spinner.layer)
        layer.add(sign)
    }

    var isAnimating: Bool { spinner.isAnimating }
    var nextWake: HostTime? { spinner.nextWake }

    /// Shows the spinner and the message, or hides them.
    func show(isWaiting: Bool, isReconnecting: Bool, now: HostTime) {
        spinner.setWanted(isWaiting, now: now)
        sign.isHidden = !isReconnecting
    }

    func advance(to now: HostTime) -> Bool { spinner.advance(to: now) }

    /// Places the spinner in the middle of a page of the given size.
    func layout(_ size: Size) {
        layer.frame = Rect(origin: .zero, size: size)
        let side = Self.spinnerSize
        spinner.layout(
            Rect(
                x: ((size.width - side) / 2).rounded(), y: ((size.height - side) / 2).rounded(), width: side,
                height: side))
        let box = Size(width: min(Self.signSize.width, size.width), height: Self.signSize.height)
        sign.frame = Rect(
            origin: Point(
                x: ((size.width - box.width) / 2).rounded(), y: ((size.height + side) / 2).rounded() + Self.gap),
            size: box)
        label.layout(Rect(origin: .zero, size: box))
    }
}
