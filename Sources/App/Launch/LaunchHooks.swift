public import Geometry
public import Library
public import Navigation
public import Presentation
public import Rendering

/// The points where a program around the player takes part in a run. Main thread.
///
/// The benchmark uses them to script input, to put more on the pages, and to read the report. The defaults do nothing:
/// with them, a run is the player by itself.
@MainActor public struct LaunchHooks {
    /// Wraps the surface that the frame loop draws on and takes events from. Called again if another renderer takes over.
    public var wrapSurface: (any FrameSurface) -> any FrameSurface = { $0 }
    /// Adds to the pages that a run starts with, before its first frame. The renderer's context is current.
    public var preparePages: (StartPages) -> Void = { _ in }
    /// Receives the report when the run ends, and may change it. It is written to a file afterwards, if the options ask
    /// for one.
    public var willWriteReport: (inout FrameReport) -> Void = { _ in }
    /// Whether the process ends with this run. If it does, it ends even if one of the player's threads hangs.
    public var endsProcess = true

    public init() {}
}

/// The pages at the start of a run. Main thread.
@MainActor public struct StartPages {
    /// All pages, the top one last.
    public let stack: NavigationStack
    /// The page of the video that plays; nil in the library.
    public let playerPage: Page?
    /// The size of the window in points.
    public let size: Size
    /// Draws the pages. Images for extra layers go to its image cache.
    public let renderer: any Renderer

    /// Makes a page of labeled lines, like the one with a video's details.
    public func makeInfoPage(title: String, sections: [MediaDetails.Section]) -> Page {
        let page = InfoPage(title: title) {}
        page.show(sections)
        return page
    }
}

extension StartPages {
    init(of application: Application) {
        self.init(
            stack: application.state.pages.stack, playerPage: application.state.pages.player,
            size: application.state.window.size, renderer: application.environment.services.renderer)
    }
}
