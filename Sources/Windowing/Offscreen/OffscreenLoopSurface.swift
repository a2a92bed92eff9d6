public import Geometry
public import Platform
public import Presentation
public import Rendering
public import Time

/// Runs a frame loop without a window: an invisible surface that sleeps and wakes like one.
@MainActor public final class OffscreenLoopSurface: FrameSurface {
    /// The surface that is drawn into.
    public let surface: any DrawableSurface
    private let signal: WakeSignal

    /// - Parameter signal: Ends the loop's sleep when it is raised.
    public init(_ surface: any DrawableSurface, signal: WakeSignal) {
        self.surface = surface
        self.signal = signal
    }

    public var pixelSize: PixelSize { surface.pixelSize }
    public var scale: Double { surface.scale }
    public var isVisible: Bool { surface.isVisible }
    public var refreshRate: Double? { surface.refreshRate }
    public func makeCurrent() { surface.makeCurrent() }
    public func swap() throws(RenderingError) { try surface.swap() }
    public func drainEvents(into taken: inout [WindowEvent]) {}

    public func wait(until deadline: HostTime?) {
        // A deadline in the past only polls for events, and there are none here.
        if let deadline, deadline.nanoseconds == 0 { return }
        signal.wait(until: deadline)
    }
}

extension Window: FrameSurface {}
