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

    var secondaryWindows: [any FrameLoopWindow] { state.floatingWindows.visible }
    var film: (any FrameLoopFilm)? { state.playback.session?.film }

    var demand: LoopDemand {
        let frames = state.pages.frames
        return LoopDemand(
            window: WindowDemand(
                isAnimating: isAnimating, needsRedraw: frames.needsRedraw,
                needsImmediateRelayout: frames.needsImmediateRelayout,
                showsFilm: pageControllers.placement.isPresentedByMainWindow),
            usesVariableRefresh: usesVariableRefresh, isFinished: isFinished, failure: failure)
    }

    var isFinished: Bool { state.lifecycle.isFinished }
    /// The film's failure, if another renderer can take over.
    private var failure: RenderingError? { mayChangeRenderer ? state.playback.session?.film.failure : nil }

    func nextWake(now: HostTime) -> HostTime? { parts.nextWake(now: now) }

    var usesVariableRefresh: Bool {
        state.settings.current.playback.usesVariableRefresh && state.window.isFullscreen
            && state.playback.session != nil
    }

    // MARK: - Frames

    func placeFilm(hasNewFrame: Bool) {
        pageControllers.placement.placeFloating(
            hasNewFrame: hasNewFrame, isMainWindowVisible: environment.surface.isVisible)
    }

    func compose(_ list: inout DisplayList, scale: Double, visibleAt time: HostTime) {
        let isRotated = pageControllers.fullscreen.layoutRotation.current.isRotated
        if isRotated { list.viewport = list.viewport.rotated(by: .quarter) }
        state.pages.root.flatten(scale: scale, at: LocalTime(time), into: &list)
        if isRotated { list.rotateClockwise() }
    }

    func videoTarget(for surface: SurfaceID) -> (any VideoTarget)? { state.surfaces(surface) }

    func willPresent(_ pixels: PixelSize) { playbackControllers.screenshots.willPresent(pixels) }

    func didPresent(at time: HostTime) {
        state.floatingWindows.openWaiting()
        preparation.prewarm(isBusy: isFullscreenMoving, nextFrameDue: film?.nextFrameDue)
        let session = state.playback.session
        if session == nil { state.lifecycle.startTimer(at: time) }
        if session?.film.pending != nil { preparation.noteFirstFrame(at: time) }
    }

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
            pageControllers.fullscreen.windowChanged(isFullscreen: isFullscreen, now: now)
        case .moved: updateScreenLines()
        case .displayRateChanged(let rate): window.refreshRate = rate
        }
    }
}
