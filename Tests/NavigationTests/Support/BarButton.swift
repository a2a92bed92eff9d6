import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation

/// A real button, as what a bar shows.
@MainActor final class BarButton: BarItem {
    private let button: Button
    var layer: Layer { button.layer }

    init(_ icon: Icon, action: (@MainActor () -> Void)? = nil) {
        button = Button(icon, style: Button.Style(color: .white), action: action)
    }

    func layout(_ frame: Rect) { button.layout(frame) }
}
