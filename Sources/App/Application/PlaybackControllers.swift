/// The controllers that act on the playback session. Main thread.
@MainActor struct PlaybackControllers {
    let transport: TransportController
    let tracks: TrackController
    let playlist: PlaylistController
    let previews: SeekPreviewController
    let subtitles: SubtitleController
    let comments: CommentController
    let statistics: StatisticsController
    let screenshots: ScreenshotController

    /// - Parameter screenshots: The screenshots requested with `--screenshot`, except those that a previous application
    ///   has already taken.
    init(_ state: ProgramState, screenshots ordered: Screenshots) {
        let (playback, pages, services) = (state.playback, state.pages, state.services)
        transport = TransportController(playback: playback, pages: pages)
        tracks = TrackController(playback: playback, pages: pages, console: services.console)
        playlist = PlaylistController(playback: playback, pages: pages, history: state.history, wake: services.wake)
        previews = SeekPreviewController(
            playback: playback, pages: pages, transport: transport, images: services.renderer.images,
            wake: services.wake)
        subtitles = SubtitleController(
            playback: playback, pages: pages, settings: state.settings, floating: state.floatingWindows,
            images: services.renderer.images, console: services.console)
        comments = CommentController(
            playback: playback, pages: pages, settings: state.settings, floating: state.floatingWindows,
            window: state.window, console: services.console)
        statistics = StatisticsController(
            playback: playback, pages: pages, window: state.window, rendererName: services.renderer.traits.name)
        screenshots = ScreenshotController(
            ordered, playback: playback, pages: pages, lifecycle: state.lifecycle, services: services)
    }
}
