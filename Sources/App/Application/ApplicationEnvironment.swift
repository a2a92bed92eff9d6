import GlissadeDesktop
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadePresentation
import GlissadeRendering
import GlissadeSettings
import GlissadeWindowing

/// The launch options, main window, settings file and services of an application. Main thread.
@MainActor struct ApplicationEnvironment {
    let options: LaunchOptions
    let surface: any FrameSurface
    /// The main window; nil offscreen.
    let window: Window?
    let services: PlaybackServices
    /// The services shared by all library pages.
    let libraryServices: LibraryPage.Services
    /// The user's settings file; nil if `LaunchOptions.fixedSettings` replaces it.
    let settingsFile: SettingsFile?
    /// The folder of what the program remembers by itself; nil to remember it only in memory.
    let stateFolder: BytePath?

    /// - Parameter stateFolder: The folder of what the program remembers by itself. Not used in an ephemeral run
    ///   (`LaunchOptions.isEphemeral`).
    init(
        options: LaunchOptions, surface: any FrameSurface, window: Window?, services: PlaybackServices,
        settingsFile: SettingsFile?, stateFolder: BytePath? = XDGDirectory.state.ofGlissade
    ) {
        self.options = options
        self.surface = surface
        self.window = window
        self.services = services
        self.settingsFile = settingsFile
        self.stateFolder = options.isEphemeral ? nil : stateFolder
        libraryServices = LibraryPage.Services(
            probe: MediaProbe(), posters: PosterMaker(), images: services.renderer.images, wake: services.wake)
    }

    var floatingPositions: FloatingWindowPositions {
        FloatingWindowPositions(folder: stateFolder)
    }

    /// A run that does not use the settings file does not use a view chosen over it either.
    func makeLibraryViewMemory() -> LibraryViewMemory {
        LibraryViewMemory(folder: settingsFile == nil ? nil : stateFolder)
    }

    /// Creates the connection to the desktop. Returns nil offscreen and in an ephemeral run
    /// (`LaunchOptions.isEphemeral`).
    func makeDesktopSession() -> DesktopSession? {
        guard window != nil, !options.isEphemeral else { return nil }
        return DesktopSession(identity: .init(schemes: ["file"] + StreamAddress.schemes), wake: services.wake)
    }
}
