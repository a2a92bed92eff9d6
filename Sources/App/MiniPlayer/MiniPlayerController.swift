import GlissadeAnimation
import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadeTime

/// Manages the miniplayers. Each visible page that does not show the video in another way has a miniplayer. Main
/// thread.
@MainActor final class MiniPlayerController {
    private struct Linked {
        let page: Page
        let bar: MiniPlayer
    }

    /// How long a miniplayer takes to appear or disappear.
    private static let duration = Duration.milliseconds(250)

    private let playback: PlaybackController
    private let pages: Pages
    private let inlineVideos: InlineVideoController
    private let floating: FloatingWindows
    private let commands: Commands
    private var linked: [Linked] = []
    private let reveal = Animated(0.0)
    /// Called to open the player's page when the user clicks a miniplayer.
    var onOpen: (@MainActor (HostTime) -> Void)?

    init(
        playback: PlaybackController, pages: Pages, inlineVideos: InlineVideoController, floating: FloatingWindows,
        commands: Commands
    ) {
        self.playback = playback
        self.pages = pages
        self.inlineVideos = inlineVideos
        self.floating = floating
        self.commands = commands
    }

    var bars: [MiniPlayer] { linked.map(\.bar) }
    /// Whether a page has a miniplayer.
    var isShown: Bool { !linked.isEmpty }
    var isAnimating: Bool { reveal.isAnimating }

    /// Adds and removes miniplayers as needed, and moves them to their animated positions at `time`.
    func layout(at time: HostTime) {
        // A preview that started automatically is visible only in its row.
        let isWanted = playback.session?.isWatched == true && !pages.isPlayerStaying && !floating.isVideoFloating
        func isCandidate(_ page: Page) -> Bool { page !== pages.playerPage && !inlineVideos.showsVideo(page) }
        for linked in linked where !pages.visible.contains(where: { $0 === linked.page && isCandidate($0) }) {
            unlink(linked.page)
        }
        if isWanted { for page in pages.visible where isCandidate(page) { link(page) } }
        if linked.isEmpty { return }
        let target = isWanted ? 1.0 : 0.0
        if reveal.model != target {
            reveal.animate(to: target, now: LocalTime(time), duration: Self.duration, curve: .easeOut)
        }
        reveal.advance(to: LocalTime(time))
        let fraction = reveal.presentation(at: LocalTime(time))
        for linked in linked { linked.bar.reveal = fraction }
        if !isWanted, !reveal.isAnimating {
            for page in pages.visible where isCandidate(page) { unlink(page) }
        }
    }

    /// Shows the session's title and state in all miniplayers.
    func show(_ session: PlaybackSession, now: HostTime) {
        for linked in linked { linked.bar.show(session, now: now) }
    }

    /// Returns the frame of the video area in the miniplayer of `page` at `time`, in layout points; nil if the page has
    /// no miniplayer.
    func pictureFrame(on page: Page, at time: LocalTime) -> Rect? {
        linked.first { $0.page === page }?.bar.pictureFrame(at: time)
    }

    private func link(_ page: Page) {
        if linked.contains(where: { $0.page === page }) { return }
        let bar = MiniPlayer(
            open: { [weak self] now in self?.onOpen?(now) },
            togglePause: { [commands] in commands.perform(.togglePause, now: .now()) },
            close: { [weak playback] in playback?.stop(now: .now()) })
        if let session = playback.session { bar.show(session, now: .now()) }
        linked.append(Linked(page: page, bar: bar))
        page.bottomView = bar.view
    }

    private func unlink(_ page: Page) {
        linked.removeAll { $0.page === page }
        if page.bottomView != nil { page.bottomView = nil }
    }
}
