package import GlissadeGeometry
package import GlissadeLibrary
package import GlissadeNavigation
package import GlissadePresentation
package import GlissadeRendering

/// Callbacks during a run of the player, and an option of the run. Main thread.
///
/// The benchmark uses the callbacks to script input, add layers to the pages, and read the report. The default
/// callbacks change nothing.
@MainActor package struct LaunchHooks {
    /// Returns the surface that the frame loop draws on and takes events from: a wrapper for the given surface, or the
    /// given surface itself. Called again if another renderer takes over.
    package var wrapSurface: (any FrameSurface) -> any FrameSurface = { $0 }
    /// Changes the pages before the first frame, while the renderer's context is current. Called again if another
    /// renderer takes over.
    package var preparePages: (StartPages) -> Void = { _ in }
    /// Receives the report when the run ends, and may change the report before it is written.
    package var willWriteReport: (inout FrameReport) -> Void = { _ in }
    /// Whether the process ends after this run. If so, a watchdog ends the process even if its shutdown hangs.
    package var endsProcess = true

    package init() {}
}

/// The pages at the start of a run. Main thread.
@MainActor package struct StartPages {
    /// The page stack of the main window.
    package let stack: NavigationStack
    /// The player's page; nil if it has not been created.
    package let playerPage: Page?
    /// The size of the window in points.
    package let size: Size
    /// The renderer of the pages. Images for additional layers belong in its image cache.
    package let renderer: any Renderer

    /// Creates a page of labeled lines that looks like the page of file details.
    package func makeInfoPage(title: String, sections: [MediaDetails.Section]) -> Page {
        let page = InfoPage(title: title) {}
        page.show(sections)
        return page
    }
}

extension StartPages {
    init(of application: Application) {
        self.init(
            stack: application.state.pages.stack, playerPage: application.state.pages.playerPage,
            size: application.state.window.size, renderer: application.environment.services.renderer)
    }
}
