import GlissadeLayers
import GlissadeNavigation
import GlissadeRendering
import GlissadeSettings

@testable import GlissadeApp

// What tests examine most.

extension Application {
    var playing: PlaybackSession? { state.playback.session }
    var playerPage: PlayerPage? { state.pages.playerPage }
    var stack: NavigationStack { state.pages.stack }
    var root: Layer { state.pages.root }
    var fullscreen: FullscreenController { pageControllers.fullscreen.controller }
    var renderer: any Renderer { environment.services.renderer }
    var settings: Settings { state.settings.current }
    var history: PlayHistory? { state.history.history }
    var miniPlayers: [MiniPlayer] { pageControllers.miniPlayers.bars }
}
