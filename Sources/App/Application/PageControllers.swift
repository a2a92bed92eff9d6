import GlissadeDesktop

/// The controllers of the pages, the inline videos, the miniplayers, fullscreen and the floating windows. Main thread.
@MainActor struct PageControllers {
    let inlineVideos: InlineVideoController
    let miniPlayers: MiniPlayerController
    let placement: VideoPlacement
    let details: DetailsController
    let playerPages: PlayerPageController
    let navigator: PageNavigator
    let library: LibraryController
    let fullscreen: FullscreenCoordinator
    let floating: FloatingCoordinator
    let status: FullscreenStatusController

    init(_ state: ProgramState, _ controllers: PlaybackControllers, style: PlayerPageController.Style) {
        let (playback, pages, settings, window) = (state.playback, state.pages, state.settings, state.window)
        let (commands, floatingWindows) = (state.commands, state.floatingWindows)
        inlineVideos = InlineVideoController(
            playback: playback, pages: pages, settings: settings, floating: floatingWindows, commands: commands)
        miniPlayers = MiniPlayerController(
            playback: playback, pages: pages, inlineVideos: inlineVideos, floating: floatingWindows, commands: commands)
        placement = VideoPlacement(
            playback: playback, pages: pages, inlineVideos: inlineVideos, miniPlayers: miniPlayers,
            floating: floatingWindows)
        details = DetailsController(playback: playback, commands: commands)
        let seeking = SeekController(playback: playback, pages: pages, previews: controllers.previews)
        playerPages = PlayerPageController(
            playback: playback, pages: pages, settings: settings, commands: commands,
            parts: PlayerPageController.Parts(
                comments: controllers.comments,
                transport: controllers.transport, seeking: seeking, previews: controllers.previews,
                menus: PlayerMenus(
                    playback: playback, transport: controllers.transport, tracks: controllers.tracks,
                    comments: controllers.comments),
                gestures: VideoGestureController(
                    playback: playback, pages: pages, settings: settings, commands: commands,
                    transport: controllers.transport,
                    seeking: seeking),
                details: details),
            style: style)
        let navigator = PageNavigator(
            playback: playback, pages: pages, settings: settings, inlineVideos: inlineVideos, playerPages: playerPages,
            floating: floatingWindows)
        self.navigator = navigator
        library = LibraryController(
            playback: playback, pages: pages, window: window, inlineVideos: inlineVideos, navigator: navigator,
            services: state.libraryServices)
        fullscreen = FullscreenCoordinator(
            playback: playback, pages: pages, window: window,
            places: FullscreenCoordinator.Places(
                inlineVideos: inlineVideos, miniPlayers: miniPlayers, floating: floatingWindows),
            navigator: navigator)
        settings.observe(\.interface.turnsInFullscreen) { [controller = fullscreen.controller] in
            controller.shape = $0 ? .rotate : .fit
        }
        floating = FloatingCoordinator(
            playback: playback, pages: pages, settings: settings, commands: commands, windows: floatingWindows,
            places: FloatingCoordinator.Places(inlineVideos: inlineVideos, navigator: navigator, fullscreen: fullscreen)
        )
        status = FullscreenStatusController(
            playback: playback, pages: pages, fullscreen: fullscreen,
            battery: BatteryMonitor(wake: state.services.wake))
        playerPages.fullscreen = fullscreen
        navigator.fullscreen = fullscreen
        inlineVideos.onOpen = { [weak navigator] in navigator?.showPlayer(animated: true, now: $0) }
        miniPlayers.onOpen = { [weak navigator] in navigator?.showPlayer(animated: true, now: $0) }
        let inlineVideos = inlineVideos
        playback.intercepts = { [weak inlineVideos] event, now in inlineVideos?.intercept(event, now: now) ?? false }
    }
}
