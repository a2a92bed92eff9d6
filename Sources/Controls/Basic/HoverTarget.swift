public import Geometry
public import Time

/// Something that looks different while the pointer is over it.
@MainActor public protocol HoverTarget: AnyObject {
    /// Follows the pointer, which is at `point` in window points; nil if it is elsewhere.
    func hover(_ point: Point?, now: HostTime)
}
