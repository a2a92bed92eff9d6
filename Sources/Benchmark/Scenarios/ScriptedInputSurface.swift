import GlissadeGeometry
import GlissadePresentation
import GlissadeTime

/// A surface that adds scripted input to the events of another surface.
@MainActor final class ScriptedInputSurface: FrameSurface {
    private let inner: any FrameSurface
    private var script: InputScript

    /// - Parameters:
    ///   - inner: The surface to draw on. Its own events are passed on.
    ///   - script: The script, which starts at the first frame.
    init(_ inner: any FrameSurface, script: InputScript) {
        self.inner = inner
        self.script = script
    }

    var pixelSize: PixelSize { inner.pixelSize }
    var scale: Double { inner.scale }
    var isVisible: Bool { inner.isVisible }
    func takeReports(into taken: inout [DisplayReport]) { inner.takeReports(into: &taken) }
    func isReady(at now: HostTime) -> Bool { inner.isReady(at: now) }
    func requestRefreshes(_ count: Int, after last: Int64?) { inner.requestRefreshes(count, after: last) }
    var refreshRate: Double? { inner.refreshRate }
    var monitorGeneration: Int { inner.monitorGeneration }
    func makeCurrent() { inner.makeCurrent() }
    func beginFrame() -> Bool { inner.beginFrame() }
    var isCurrent: Bool { inner.isCurrent }
    func hold(until time: HostTime) { inner.hold(until: time) }
    var nextGeometryPoll: HostTime? { inner.nextGeometryPoll }
    func pollGeometry(at now: HostTime) { inner.pollGeometry(at: now) }

    func frameHoldDeadline(at now: HostTime) -> HostTime? { inner.frameHoldDeadline(at: now) }

    func frameWasShown() {
        // The script begins with the frame, not with what the window makes of it.
        let now = HostTime.now()
        inner.frameWasShown()
        script.begin(at: now)
    }

    func drainEvents(into taken: inout [WindowEvent]) {
        inner.drainEvents(into: &taken)
        let now = HostTime.now()
        while let time = script.nextTime, time <= now { script.next(in: size, into: &taken) }
    }

    func wait(until deadline: HostTime?) {
        guard let next = script.nextTime else { return inner.wait(until: deadline) }
        inner.wait(until: deadline.map { min($0, next) } ?? next)
    }
}
