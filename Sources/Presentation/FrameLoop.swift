import GlissadeLayers
import GlissadePlatform
public import GlissadeRendering
import GlissadeTime

/// Runs a program frame by frame. Each iteration handles events, and then draws, shows and logs a frame, or sleeps
/// until the next step is due.
///
/// The surface passed to `init` is the main window. The client may also have secondary windows. Secondary windows are
/// usually drawn along with the main window and show the same video frame. If only secondary windows have changed, they
/// are drawn on their own schedule.
///
/// Threads: main thread. Blocks only while it sleeps, holds a finished frame, or waits for a swap or for `RenderLock`.
@MainActor public final class FrameLoop {
    /// Records what each frame cost and when it became visible.
    public let log: FrameLog
    let client: any FrameLoopClient
    let main: WindowPresenter
    var surface: any FrameSurface { main.surface }
    private(set) var secondaryWindows: [WindowPresenter] = [] { didSet { windows = [main] + secondaryWindows } }
    /// All windows, the main window first.
    private var windows: [WindowPresenter]
    let filmThread = FilmThread()
    private var events: [WindowEvent] = []
    /// The refresh rate last reported to the client, in Hz; nil if it was unknown or variable.
    private var reportedRate: Double?
    /// What the client wanted after it was advanced in this iteration.
    private(set) var demand = LoopDemand()
    /// Whether the main window is visible in this iteration.
    private(set) var isMainSeen = false
    /// The window whose display decides when the video frames are taken; nil if no window is visible.
    private(set) weak var pacingWindow: WindowPresenter?
    var pacer: FramePacer { main.pacing.pacer }

    /// Creates a loop. `surface` is the main window, `renderer` draws it, and `log` records each frame.
    public init(surface: any FrameSurface, renderer: any Renderer, client: any FrameLoopClient, log: FrameLog) {
        main = WindowPresenter(content: nil, surface: surface, renderer: renderer)
        windows = [main]
        self.client = client
        self.log = log
    }

    /// Runs until the client's demand `isFinished`.
    ///
    /// - Throws: The error that prevented drawing or showing a window, or the `failure` in the client's demand.
    public func run() throws(RenderingError) {
        defer {
            filmThread.end()
            secondaryWindows = []
        }
        while true {
            // Polls without waiting. Otherwise no event would be read while there is always something to draw.
            surface.wait(until: HostTime(nanoseconds: 0))
            var now = HostTime.now()
            surface.pollGeometry(at: now)
            for window in secondaryWindows { window.surface.pollGeometry(at: now) }
            drainEvents()
            takeReports()
            now = .now()
            if surface.frameHoldDeadline(at: now) != nil { filmThread.rest(in: main.renderer) }
            client.advance(to: now)
            for window in secondaryWindows { window.content?.advance(to: now) }
            demand = client.demand
            if demand.isFinished { return }
            updateSecondaryWindows()
            for window in windows { window.pacing.readRefreshRate(at: now) }
            main.pacing.setVariable(demand.usesVariableRefresh)
            isMainSeen = main.isSeen(at: now)
            if !isMainSeen { filmThread.rest(in: main.renderer) }
            choosePacingWindow(at: now)
            guard pacingWindow != nil else {
                filmThread.rest()
                if let film = client.film { while film.take(by: now) != nil { film.leaveOut() } }
                log.interrupt()
                let due = Self.earliest(client.film?.nextFrameDue, client.nextWake(now: now))
                surface.wait(until: Self.earliest(due, nextWake(now: now)))
                continue
            }
            now = .now()
            var deadline: HostTime?
            if let draw = mainPlan(now: now, &deadline) ?? secondaryPlan(now: now, &deadline) {
                try self.draw(draw)
                if let failure = client.demand.failure { throw failure }
            } else {
                surface.wait(until: Self.earliest(deadline, nextWake(now: now)))
            }
        }
    }

    /// Returns the earliest time at which the loop must run for a window or for the content of a secondary window,
    /// visible or not; nil if there is no such time.
    private func nextWake(now: HostTime) -> HostTime? {
        secondaryWindows.reduce(main.nextWake(now: now)) { wake, window in
            Self.earliest(wake, Self.earliest(window.content?.nextWake(now: now), window.nextWake(now: now)))
        }
    }

    // MARK: - Windows

    private func drainEvents() {
        takeMainEvents()
        updateSecondaryWindows()
        for window in secondaryWindows { drainEvents(of: window) }
    }

    func takeMainEvents() {
        events.removeAll(keepingCapacity: true)
        surface.drainEvents(into: &events)
        if events.isEmpty { return }
        let now = HostTime.now()
        // Handlers may call other functions of this loop, but not this one, which keeps the storage of `events` until
        // it returns.
        var taken: [WindowEvent] = []
        swap(&taken, &events)
        main.pacing.take(taken)
        if taken.contains(.needsRedraw) { main.setDamaged() }
        if taken.contains(where: Self.changesWindow) { filmThread.rest(in: main.renderer) }
        for event in taken {
            client.handle(event, now: now)
        }
        swap(&taken, &events)
    }

    /// Whether the window's last display list may no longer fit the window after `event`.
    private static func changesWindow(_ event: WindowEvent) -> Bool {
        switch event {
        case .resized, .scaleChanged, .fullscreenChanged, .iconified: true
        default: false
        }
    }

    func drainEvents(of window: WindowPresenter) {
        guard let content = window.content else { return }
        events.removeAll(keepingCapacity: true)
        window.surface.drainEvents(into: &events)
        if events.isEmpty { return }
        let now = HostTime.now()
        if events.contains(.needsRedraw) { window.setDamaged() }
        if events.contains(where: Self.changesWindow) { filmThread.rest(in: window.renderer) }
        window.pacing.take(events)
        for index in events.indices {
            // A handler may have closed the window.
            guard client.secondaryWindows.contains(where: { $0 === content }) else { return }
            content.handle(events[index], now: now)
        }
    }

    /// Chooses the window whose display decides when video frames are taken.
    ///
    /// This is usually the main window. A secondary window is chosen if the main window is not visible. A secondary
    /// window is also chosen if only that window shows the video and its refresh rate has been measured.
    private func choosePacingWindow(at now: HostTime) {
        var (first, video): (WindowPresenter?, WindowPresenter?)
        for window in secondaryWindows {
            window.wasSeen = window.isSeen(at: now)
            guard window.wasSeen else { continue }
            first = first ?? window
            if window.showsFilm { video = video ?? window }
        }
        guard isMainSeen else {
            pacingWindow = video ?? first
            return
        }
        pacingWindow = main
        if !main.showsFilm, let video, video.pacing.refreshRate != nil { pacingWindow = video }
    }

    /// Creates presenters for new secondary windows and drops the presenters of closed ones.
    private func updateSecondaryWindows() {
        let current = client.secondaryWindows
        if current.isEmpty, secondaryWindows.isEmpty { return }
        let isGone = { (window: WindowPresenter) in !current.contains { $0 === window.content } }
        if secondaryWindows.contains(where: isGone) {
            for window in secondaryWindows where isGone(window) { filmThread.rest(in: window.renderer) }
            secondaryWindows.removeAll(where: isGone)
        }
        for content in current where !secondaryWindows.contains(where: { $0.content === content }) {
            secondaryWindows.append(
                WindowPresenter(content: content, surface: content.surface, renderer: content.renderer))
        }
    }

    // MARK: - The display's clock

    private func takeReports() {
        main.pacing.takeReports(isSeen: isMainSeen) { log.recordPresented($0) }
        for window in secondaryWindows { window.pacing.takeReports(isSeen: window.wasSeen) }
        let rate = (pacingWindow ?? main).pacing.refreshRate
        if rate != reportedRate {
            reportedRate = rate
            client.handle(.displayRateChanged(rate), now: .now())
        }
    }

    static func earliest(_ a: HostTime?, _ b: HostTime?) -> HostTime? {
        guard let a, let b else { return a ?? b }
        return min(a, b)
    }
}
