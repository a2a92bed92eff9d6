import GlissadeDesktop
import GlissadeGeometry
import GlissadeLibrary
import GlissadePlatform
import GlissadeSettings
import GlissadeTime
import GlissadeWindowing

// Switching to another renderer during a run. A new application creates the windows, pages and images again, while
// playback continues.

extension Application {
    /// Ends this application, and returns the state from which the next application continues. Saves the playback
    /// position and the positions of the floating windows, and hides all windows.
    func handOver(now: HostTime) -> Continuation {
        let pages = state.pages
        input.cancelGestures(now: now)
        state.history.recordLast(state.playback.session, now: now)
        environment.services.log.interrupt()
        let windowState = windowState
        let floats = state.floatingWindows.open.map(\.kind)
        pageControllers.floating.savePositions()
        state.settings.finish()
        state.floatingWindows.hide()
        environment.window?.hide()
        return Continuation(
            playing: state.playback.session, record: state.playback.record, folders: pages.libraries.map(\.folder),
            hasPlayerPage: pages.fullscreenRow != nil || pages.stack.pages.contains { $0 === pages.playerPage },
            floats: floats, window: windowState, isMainClosed: state.window.isClosed,
            isOnTop: state.window.isOnTop, settings: state.settings.current,
            chosenView: state.settings.chosenView, desktop: desktop.session,
            screenshots: playbackControllers.screenshots.ordered, deadline: state.lifecycle.deadline,
            status: state.lifecycle.status, notice: crashNotice.notice)
    }

    private var windowState: WindowState? {
        guard let window = environment.window else { return nil }
        let area = window.restoredArea ?? window.area
        let units = window.unitsPerPoint
        let isPlaced = environment.services.log.presentCount > 0
        return WindowState(
            size: Size(width: Double(area.width) / units, height: Double(area.height) / units),
            position: isPlaced ? Point(x: Double(area.minX), y: Double(area.minY)) : nil,
            isFullscreen: window.isFullscreen)
    }

    /// Continues from the previous application: takes over its exit status, deadline, crash notice and settings.
    /// Reopens the library pages above the bottom one, and the player's page if it was open, without animations.
    func restore(_ previous: Continuation, now: HostTime) {
        crashNotice.notice = previous.notice
        state.lifecycle.resume(status: previous.status, deadline: previous.deadline)
        for folder in previous.folders.dropFirst() {
            pageControllers.library.openFolder(folder, animated: false, now: now)
        }
        if previous.hasPlayerPage { pageControllers.navigator.showPlayer(animated: false, now: now) }
        state.settings.apply(previous.settings)
        state.playback.sessionChanged(now: now)
    }

    /// Reopens the floating windows that were open in the previous application. Unless the main window stays closed,
    /// call after the main window has been shown.
    func refloat(_ previous: Continuation, now: HostTime) {
        for kind in previous.floats { pageControllers.floating.toggle(kind, now: now) }
    }
}
