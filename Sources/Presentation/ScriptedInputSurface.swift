public import Geometry
import Platform
public import Rendering
public import Time

/// Input events with given times.
@MainActor public protocol EventScript {
    /// When the next event comes; nil before the script has started.
    var nextTime: HostTime? { get }
    /// Starts the script at the first swap.
    mutating func begin(at time: HostTime)
    /// The next events, for a window of `size` points.
    mutating func next(in size: Size, into events: inout [WindowEvent])
}

/// A surface whose window also receives the events of a script, in one queue with real input.
@MainActor public final class ScriptedInputSurface<Script: EventScript>: FrameSurface {
    private let inner: any FrameSurface
    private var script: Script

    /// - Parameters:
    /// - inner: The surface to draw on. Its own events continue.
    /// - hand: The script; starts with the first swap.
    public init(_ inner: any FrameSurface, hand: Script) {
        self.inner = inner
        script = hand
    }

    public var pixelSize: PixelSize { inner.pixelSize }
    public var scale: Double { inner.scale }
    public var isVisible: Bool { inner.isVisible }
    public func takeReports(into taken: inout [DisplayReport]) { inner.takeReports(into: &taken) }
    public func isReady(at now: HostTime) -> Bool { inner.isReady(at: now) }
    public func requestRefreshes(_ count: Int, after last: Int64?) { inner.requestRefreshes(count, after: last) }
    public var refreshRate: Double? { inner.refreshRate }
    public var monitorGeneration: Int { inner.monitorGeneration }
    public func makeCurrent() { inner.makeCurrent() }
    public func beginFrame() -> Bool { inner.beginFrame() }
    public var isCurrent: Bool { inner.isCurrent }
    public var nextGeometryPoll: HostTime? { inner.nextGeometryPoll }
    public func pollGeometry(at now: HostTime) { inner.pollGeometry(at: now) }

    public func swap() throws(RenderingError) {
        try inner.swap()
        script.begin(at: .now())
    }

    public func drainEvents(into taken: inout [WindowEvent]) {
        inner.drainEvents(into: &taken)
        let now = HostTime.now()
        while let time = script.nextTime, time <= now { script.next(in: size, into: &taken) }
    }

    public func wait(until deadline: HostTime?) {
        guard let next = script.nextTime else { return inner.wait(until: deadline) }
        inner.wait(until: deadline.map { min($0, next) } ?? next)
    }
}
