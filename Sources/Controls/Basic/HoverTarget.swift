public import Geometry
public import Time

/// Something that looks different while the pointer is over it.
@MainActor public protocol HoverTarget: AnyObject {
    /// The pointer is at `point`, in window points, or elsewhere if nil.
    func hover(_ point: Point?, now: HostTime)
}
