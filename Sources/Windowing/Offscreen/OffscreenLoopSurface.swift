public import GlissadeGeometry
public import GlissadePlatform
public import GlissadePresentation
public import GlissadeTime

/// A surface for a frame loop without a window. It reports no events, and its `wait` sleeps until a signal or a
/// deadline. Main thread.
@MainActor public final class OffscreenLoopSurface: FrameSurface {
    /// The surface to draw into.
    public let surface: any DrawableSurface
    private let signal: WakeSignal

    /// Creates a surface that draws into `surface`.
    ///
    /// - Parameter signal: Ends the loop's sleep when raised.
    public init(_ surface: any DrawableSurface, signal: WakeSignal) {
        self.surface = surface
        self.signal = signal
    }

    public var pixelSize: PixelSize { surface.pixelSize }
    public var scale: Double { surface.scale }
    public var isVisible: Bool { surface.isVisible }
    public var refreshRate: Double? { surface.refreshRate }
    public func makeCurrent() { surface.makeCurrent() }
    public func drainEvents(into taken: inout [WindowEvent]) {}

    public func wait(until deadline: HostTime?) {
        // The loop uses time 0 to poll for events. There are none, and the signal stays raised for the next wait.
        if let deadline, deadline.nanoseconds == 0 { return }
        signal.wait(until: deadline)
    }
}

extension Window: FrameSurface {}
