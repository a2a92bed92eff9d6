public import GlissadeGeometry
public import GlissadeTime

/// An element that looks different while the pointer is over it.
@MainActor public protocol HoverTarget: AnyObject {
    /// Called when the pointer moves over the element, or leaves it. `point` is the pointer's position in layout
    /// points; nil if the pointer has left.
    func hover(_ point: Point?, now: HostTime)
}
