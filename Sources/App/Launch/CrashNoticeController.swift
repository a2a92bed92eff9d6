import GlissadeControls
import GlissadeTime

/// Shows a notice in the window if an earlier run crashed. Main thread.
@MainActor final class CrashNoticeController: Advancing {
    /// How long the notice is shown.
    private static let duration = Duration.seconds(8)

    /// The notice to show; nil once it has been shown.
    var notice: String?
    private let playback: PlaybackController
    private let pages: Pages

    init(playback: PlaybackController, pages: Pages) {
        self.playback = playback
        self.pages = pages
    }

    /// Shows the notice once the top page can show a message and is not already showing one.
    func advance(to now: HostTime) -> Bool {
        guard let notice, !pages.stack.isTransitioning else { return false }
        let toast: Toast
        switch pages.stack.top {
        case let page as PlayerPage where page === pages.playerPage && playback.session?.player.state != .opening:
            toast = page.toast
        case let page as LibraryPage: toast = page.toast
        default: return false
        }
        guard toast.message == nil else { return false }
        self.notice = nil
        let text = "Glissade \(notice)"
        toast.show(Toast.Message(kind: "notice", icon: .broken, text: text, rest: Self.duration), now: now)
        return true
    }
}
