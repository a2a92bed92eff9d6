import GlissadeControls
import GlissadeGeometry
import GlissadeLayers

/// The sign on the player's page while the video is in a floating window, with a button that brings the video back.
@MainActor final class FloatingSign {
    let layer = Layer(content: .gradient(Theme.stage))
    let back = Button(.text("Bring it back"), style: Theme.signButton)
    private let icon = Layer(content: .icon(.floating, Theme.posterIcon))
    private let text = Label("Playing in a floating window", style: Theme.coverTitle, alignment: .center)

    init() {
        back.name = "Bring the video back"
        layer.isHitTestable = false
        icon.isHitTestable = false
        layer.isHidden = true
        for part in [icon, text.layer, back.layer] { layer.add(part) }
    }

    func setPaused(_ isPaused: Bool) {
        text.text = isPaused ? "Paused in a floating window" : "Playing in a floating window"
    }

    func layout(_ size: Size) {
        layer.frame = Rect(origin: .zero, size: size)
        let side = min(96, max(size.height - 200, 0)).rounded()
        let top = max(((size.height - side - 100) / 2).rounded(), 0)
        icon.frame = Rect(x: ((size.width - side) / 2).rounded(), y: top, width: side, height: side)
        text.layout(Rect(x: 8, y: top + side + 14, width: max(size.width - 16, 0), height: 34))
        back.layout(Rect(x: ((size.width - 150) / 2).rounded(), y: top + side + 60, width: 150, height: 38))
    }
}
