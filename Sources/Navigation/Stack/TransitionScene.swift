import GlissadeGeometry
import GlissadeLayers

/// The layers of a transition, from bottom to top: the lower page or its snapshot, the shadow, and the upper page. A
/// stack uses one scene for all its transitions.
@MainActor final class TransitionScene {
    private let snapshot = Layer()
    private let shadow = Layer()

    init() { for layer in [snapshot, shadow] { layer.isHitTestable = false } }

    func begin(_ transition: Transition, in parent: Layer) {
        transition.upper.container.removeFromSuperlayer()
        transition.lower.container.removeFromSuperlayer()
        parent.add(transition.lower.container)
        parent.add(shadow)
        parent.add(transition.upper.container)
    }

    /// Shows `content`, a snapshot, in place of the lower page's content and bar. If `content` is nil, they are drawn
    /// live.
    func setSnapshot(_ content: Layer.Content?, of transition: Transition, size: Size) {
        let lower = transition.lower
        lower.captured.isHidden = content != nil
        guard let content else { return snapshot.removeFromSuperlayer() }
        snapshot.content = content
        snapshot.frame = Rect(origin: .zero, size: size)
        lower.container.insert(snapshot, at: 0)
    }

    func place(_ transition: Transition, style: TransitionStyle, progress: Double, size: Size) {
        let composition = TransitionComposition(style: style, progress: progress, width: size.width)
        transition.upper.container.translation = Point(x: composition.upperX, y: 0)
        transition.lower.container.translation = Point(x: composition.beneathX, y: 0)
        transition.lower.container.shade = composition.dim
        shadow.isHidden = composition.shadowAlpha <= 0
        let black = Color(red: 0, green: 0, blue: 0, alpha: composition.shadowAlpha)
        shadow.content = .gradient(
            Gradient(from: Color(red: 0, green: 0, blue: 0, alpha: 0), to: black, axis: .horizontal))
        let width = TransitionStyle.shadowWidth
        shadow.frame = Rect(x: -width, y: 0, width: width, height: size.height)
        shadow.translation = Point(x: composition.upperX, y: 0)
    }

    func end(_ transition: Transition, in parent: Layer, shows page: Page) {
        for layer in [transition.upper.container, transition.lower.container, shadow] {
            layer.removeFromSuperlayer()
            layer.translation = .zero
            layer.shade = 0
        }
        transition.lower.captured.isHidden = false
        snapshot.removeFromSuperlayer()
        snapshot.content = .none
        parent.add(page.container)
    }
}
