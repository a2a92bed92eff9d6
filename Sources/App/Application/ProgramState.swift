import GlissadeLayers
import GlissadeLibrary
import GlissadeNavigation
import GlissadeRendering

/// The models that the controllers share: the playback session, the pages, the windows and the settings. Main thread.
@MainActor struct ProgramState {
    let services: PlaybackServices
    let libraryServices: LibraryPage.Services
    let lifecycle: Lifecycle
    let window: MainWindow
    let pages: Pages
    let settings: SettingsController
    let history: HistoryController
    let playback: PlaybackController
    let commands = Commands()
    let floatingWindows: FloatingWindows
    let snapshots: PageSnapshots
    /// Returns the video target for a surface in a display list; nil if there is none.
    let surfaces: @MainActor (SurfaceID) -> (any VideoTarget)?

    /// - Parameters:
    ///   - library: The library page at the bottom of the stack.
    ///   - chosenView: What remembers the view of the library that the user has chosen.
    ///   - isOnTop: Whether the main window is initially kept above other windows.
    init(_ environment: ApplicationEnvironment, library: LibraryPage, chosenView: LibraryViewMemory, isOnTop: Bool) {
        let options = environment.options
        services = environment.services
        libraryServices = environment.libraryServices
        lifecycle = Lifecycle(duration: options.duration, console: services.console)
        window = MainWindow(environment.window, surface: environment.surface, isOnTop: isOnTop)
        let pages = Pages(root: library, frames: FrameRequests())
        self.pages = pages
        settings = SettingsController(
            file: environment.settingsFile, chosenView: chosenView, console: services.console, pages: pages)
        history = HistoryController(services.history, settings: settings, pages: pages)
        let playback = PlaybackController(
            options: options, services: services, history: history, pages: pages, lifecycle: lifecycle)
        self.playback = playback
        history.playback = playback
        let snapshots = PageSnapshots(renderer: services.renderer)
        self.snapshots = snapshots
        surfaces = { [weak playback, weak snapshots] surface in
            switch surface {
            case PlaybackSession.surface: playback?.session?.film.target
            case PageSnapshots.surface: snapshots?.current
            default: nil
            }
        }
        floatingWindows = FloatingWindows(
            FloatingSession.Context(
                main: window, renderer: services.renderer, positions: environment.floatingPositions,
                surfaces: surfaces))
        snapshots.scale = window.scale
        snapshots.surfaces = surfaces
        pages.stack.snapshots = snapshots
    }
}
