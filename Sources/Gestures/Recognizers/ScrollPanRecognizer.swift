public import Input

/// The pan of scrolling content. The pop pan asks its container which of the two a drag belongs to.
public final class ScrollPanRecognizer: PanRecognizer {
    /// The content that it scrolls.
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
