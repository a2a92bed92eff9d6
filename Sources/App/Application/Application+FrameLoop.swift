import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import GlissadePresentation
import GlissadeRendering
import GlissadeTime

// The application as the client of the frame loop: what is drawn, and how events are handled.

extension Application: FrameLoopClient {
    /// The change in the window's width or height in one event, in points, above which the window is laid out again
    /// immediately. Dragging the window's edge causes smaller changes.
    private static let jump = 120.0

    var isFinished: Bool { state.lifecycle.isFinished }
    var failure: RenderingError? { mayChangeRenderer ? state.playback.session?.video.failure : nil }
    var secondaryWindows: [any FrameLoopWindow] { state.floatingWindows.visible }
    var needsRedraw: Bool { state.pages.frames.needsRedraw }
    var needsImmediateRelayout: Bool { state.pages.frames.needsImmediateRelayout }
    var nextFrameDue: HostTime? { state.playback.session?.player.nextFrameDue }
    var takenFrameDue: HostTime? { state.playback.session?.video.takenFrameDue }

    var videoSurface: SurfaceID? { state.playback.session?.video.surface }
    var filmThreadSource: (any FilmThreadSource)? { state.playback.session?.video.late }

    func nextWake(now: HostTime) -> HostTime? {
        let session = state.playback.session
        var wake = state.lifecycle.deadline
        // A nested function, since an array of times would be allocated in each iteration of the frame loop.
        func consider(_ time: HostTime?) {
            if let time { wake = wake.map { min($0, time) } ?? time }
        }
        consider(session?.player.nextWake(now: now))
        consider(player.previews.nextWake)
        consider(state.history.nextWake(for: session))
        consider(input.nextWake)
        consider(screens.status.nextWake)
        if let change = player.comments.nextWake {
            consider(change)
        }
        consider(preparation.nextWake(now: now))
        for case let page as any ProgramPage in state.pages.visible { consider(page.nextWake) }
        return wake
    }

    var usesVariableRefresh: Bool {
        state.settings.current.playback.usesVariableRefresh && state.window.isFullscreen
            && state.playback.session != nil
    }

    func displayRateChanged(to rate: Double?) { state.window.refreshRate = rate }

    // MARK: - Frames

    func skip(to time: HostTime) { screens.placement.skip(to: time) }

    func update(visibleAt time: HostTime, framesBy: HostTime) -> Bool {
        screens.placement.update(by: framesBy, isMainWindowVisible: environment.surface.isVisible)
    }

    func wantsDraw(hasNewFrame: Bool) -> Bool {
        isAnimating || screens.placement.changesMainWindow(hasNewFrame: hasNewFrame)
    }

    func bringPicture() { state.playback.session?.video.bring() }

    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
        let isRotated = screens.fullscreen.layoutRotation.current.isRotated
        if isRotated { list.viewport = list.viewport.rotated(by: .quarter) }
        state.pages.root.flatten(scale: scale, at: LocalTime(time), into: &list)
        if isRotated { list.rotateClockwise() }
    }

    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { state.surfaces(surface) }

    func willPresent(_ pixels: PixelSize) { player.screenshots.willPresent(pixels) }

    func didPresent(at time: HostTime) {
        state.floatingWindows.openWaiting()
        preparation.prewarm(isBusy: isFullscreenMoving, nextFrameDue: nextFrameDue)
        let session = state.playback.session
        if session == nil { state.lifecycle.startTimer(at: time) }
        if session?.video.pending != nil { preparation.noteFirstFrame(at: time) }
        screens.placement.didPresent(at: time)
    }

    func didLeaveOut() { screens.placement.didLeaveOut() }

    // MARK: - Events

    func handle(_ event: WindowEvent, now: HostTime) {
        let (window, frames) = (state.window, state.pages.frames)
        switch event {
        case .input(let event):
            preparation.noteInput(at: now)
            input.handle(event, now: now)
        case .resized, .scaleChanged, .needsRedraw:
            let before = window.size
            window.updateSize()
            frames.setNeedsRedraw()
            updateScreenLines()
            if abs(window.size.width - before.width) > Self.jump || abs(window.size.height - before.height) > Self.jump
            {
                frames.setNeedsImmediateRelayout()
            }
        case .iconified(let isIconified):
            window.updateSize()
            frames.setNeedsRedraw()
            if isIconified { input.cancelGestures(now: now) }
        case .focusChanged(let isFocused): if !isFocused { input.cancelGestures(now: now) }
        case .closeRequested: closeWindow(now: now)
        case .filesDropped(let paths): drops.open(paths)
        case .fullscreenChanged(let isFullscreen):
            screens.fullscreen.windowChanged(isFullscreen: isFullscreen, now: now)
        case .moved: updateScreenLines()
        }
    }
}
