public import GlissadeInput

/// Recognizes a drag that scrolls a container. `PopPanRecognizer` decides from the container's properties whether to
/// leave a drag to this recognizer.
public final class ScrollPanRecognizer: PanRecognizer {
    /// The content that the pan scrolls, held weakly.
    public private(set) weak var container: (any ScrollContainer)?

    public init(container: any ScrollContainer, name: String = "scroll") {
        self.container = container
        super.init(axes: container.axis, name: name)
    }

    public override func pressed(_ event: PointerEvent) {
        super.pressed(event)
        guard let container, container.isScrollEnabled else { return fail() }
        axes = container.axis
    }

    public override func canBegin() -> Bool { container?.isScrollEnabled == true }
}
