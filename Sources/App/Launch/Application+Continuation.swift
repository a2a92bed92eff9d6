import Desktop
import Geometry
import Library
import Media
import Platform
import Playback
import Settings
import Time
import Windowing

// Another renderer takes over in the middle of a run: windows, pages and images are made anew, what plays plays on.

extension Application {
    /// What one application hands to the next. Main thread.
    @MainActor struct Continuation {
        /// Keeps its player: the sound is not interrupted.
        var playing: PlaybackSession?
        /// Of the library's pages, from the lowest one on.
        var folders: [FilePath]
        /// Whether the player's page is among the pages.
        var hasPlayerPage: Bool
        /// What floats, in the order in which it first did.
        var floats: [FloatingWindowPositions.Kind]
        var window: WindowState?
        var isMainClosed: Bool
        var isOnTop: Bool
        var settings: Settings
        var desktop: DesktopSession?
        var screenshots: Screenshots
        var deadline: HostTime?
        var status: ExitStatus
        var earlierCounts: Player.Counts
        var frameRate: Double?
        var videoSize: PixelSize?
        var wasOpenedByHand: Bool
        var hasPlayed: Bool
        var lastLevels: (volume: Double, isMuted: Bool, speed: Double)
        var notice: String?
    }

    /// Where the main window is when it is not fullscreen, and whether it is.
    struct WindowState {
        /// In points.
        var size: Size
        /// Nil where the window manager may not have placed it yet.
        var position: Point?
        var isFullscreen: Bool
    }

    /// Ends this application, but not the program: takes down what was played, takes the windows off the screen, and
    /// gives the rest to the next.
    func handOver(now: HostTime) -> Continuation {
        arbiter.cancelAll(now: now)
        recordLast(now: now)
        log.interrupt()
        let state = windowState
        let floats = sessions.filter(\.isOpen).map(\.kind)
        rememberFloatingPlaces()
        for session in sessions { session.window?.window.hide() }
        window?.hide()
        return Continuation(
            playing: playing, folders: stack.pages.compactMap { ($0 as? LibraryPage)?.folder },
            hasPlayerPage: rowElement != nil || stack.pages.contains { $0 === playerPage },
            floats: floats, window: state, isMainClosed: isMainClosed, isOnTop: isOnTop, settings: settings,
            desktop: desktop, screenshots: screenshots, deadline: deadline, status: status,
            earlierCounts: earlierCounts, frameRate: frameRate, videoSize: videoSize, wasOpenedByHand: wasOpenedByHand,
            hasPlayed: hasPlayed, lastLevels: lastLevels, notice: notice)
    }

    private var windowState: WindowState? {
        guard let window else { return nil }
        let area = window.restoredArea ?? window.area
        let units = window.unitsPerPoint
        return WindowState(
            size: Size(width: Double(area.width) / units, height: Double(area.height) / units),
            position: log.presentCount > 0 ? Point(x: Double(area.minX), y: Double(area.minY)) : nil,
            isFullscreen: window.isFullscreen)
    }

    /// Opens the pages that the application before had, and takes over the rest.
    func take(_ previous: Continuation, now: HostTime) {
        (deadline, screenshots, earlierCounts) = (previous.deadline, previous.screenshots, previous.earlierCounts)
        (frameRate, videoSize) = (previous.frameRate, previous.videoSize)
        (wasOpenedByHand, hasPlayed, lastLevels) = (previous.wasOpenedByHand, previous.hasPlayed, previous.lastLevels)
        notice = previous.notice
        renderer.keepsPixels = !screenshots.isEmpty
        if previous.status != .done { status = previous.status }
        for folder in previous.folders.dropFirst() { openFolder(folder, animated: false, now: now) }
        if previous.hasPlayerPage { showPlayer(animated: false, now: now) }
        apply(previous.settings)
        playingChanged(now: now)
    }

    /// Floats again what floated. Called once the main window is shown, where it is to be.
    func refloat(_ previous: Continuation, now: HostTime) {
        for kind in previous.floats { toggle(kind, now: now) }
    }
}

extension LaunchOptions {
    /// The same for a window that is where another one was.
    func replacing(_ window: Application.WindowState?) -> LaunchOptions {
        guard let window else { return self }
        var options = self
        options.size = window.size
        options.position = window.position ?? position
        options.isFullscreen = window.isFullscreen
        return options
    }
}
