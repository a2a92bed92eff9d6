public import Geometry
public import Time

/// An element that looks different while the pointer is over it.
@MainActor public protocol HoverTarget: AnyObject {
    /// Called when the pointer moves over the element. `point` is in window points; nil when the pointer leaves.
    func hover(_ point: Point?, now: HostTime)
}
