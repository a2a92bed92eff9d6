import GlissadeLibrary
import GlissadeMedia
import GlissadeTime

/// Creates the page with the details of the current file, and keeps it up to date. Main thread.
@MainActor final class DetailsController {
    private let playback: PlaybackController
    private let commands: Commands
    private weak var page: InfoPage?

    init(playback: PlaybackController, commands: Commands) {
        self.playback = playback
        self.commands = commands
    }

    func makePage() -> InfoPage {
        let made = InfoPage(title: "Details") { [commands] in commands.perform(.back, now: .now()) }
        page = made
        update()
        return made
    }

    func update() {
        guard let session = playback.session else { return }
        let location = session.location
        let path = isAddress(location) ? location : LibraryFolder.absolute(location).location
        page?.show(session.player.info.map { MediaDetails($0, of: path).sections } ?? [])
    }
}
