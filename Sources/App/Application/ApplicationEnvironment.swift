import Desktop
import Library
import Media
import Platform
import Presentation
import Rendering
import Settings
import Windowing

/// The window, the renderer, the settings and the services that the program runs with.
@MainActor struct ApplicationEnvironment {
    let options: LaunchOptions
    let surface: any FrameSurface
    /// Nil offscreen.
    let window: Window?
    let services: PlaybackServices
    /// Shared by all pages of the library.
    let libraryServices: LibraryPage.Services
    /// Nil if the defaults apply.
    let settingsFile: SettingsFile?

    init(
        options: LaunchOptions, surface: any FrameSurface, window: Window?, services: PlaybackServices,
        settingsFile: SettingsFile?
    ) {
        self.options = options
        self.surface = surface
        self.window = window
        self.services = services
        self.settingsFile = settingsFile
        libraryServices = LibraryPage.Services(
            probe: MediaProbe(), posters: PosterMaker(), images: services.renderer.images, wake: services.wake)
    }

    var floatingPositions: FloatingWindowPositions {
        FloatingWindowPositions(folder: options.isEphemeral ? nil : XDGDirectory.state.ofGlissade)
    }

    /// The connection to the desktop; nil offscreen and in ephemeral runs.
    func makeDesktopSession() -> DesktopSession? {
        guard window != nil, !options.isEphemeral else { return nil }
        return DesktopSession(identity: .init(schemes: ["file"] + StreamAddress.schemes), wake: services.wake)
    }
}
