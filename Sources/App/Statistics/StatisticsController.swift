import GlissadePresentation
import GlissadeRendering
import GlissadeTime

/// Shows playback statistics over the video. Main thread.
@MainActor final class StatisticsController {
    private let playback: PlaybackController
    private let pages: Pages
    private let window: MainWindow
    private let rendererName: String

    init(playback: PlaybackController, pages: Pages, window: MainWindow, rendererName: String) {
        self.playback = playback
        self.pages = pages
        self.window = window
        self.rendererName = rendererName
    }

    func toggle(now: HostTime) {
        guard let page = pages.playerPage else { return }
        page.statistics.isShown.toggle()
        update(now: now)
        pages.setNeedsTick()
    }

    /// Updates the statistics if they are visible. Must be called for each frame.
    func update(now: HostTime) {
        guard let page = pages.playerPage, page.statistics.isShown, pages.isPlayerVisible else { return }
        page.statistics.update(now: now) { figures(now: now) }
    }

    private func figures(now: HostTime) -> StatisticsOverlay.Figures {
        guard let session = playback.session else { return StatisticsOverlay.Figures(file: "", info: nil) }
        let player = session.player
        var figures = StatisticsOverlay.Figures(file: PlaybackSession.name(of: session.location), info: player.info)
        figures.shownSize = session.film.placedSize
        figures.windowSize = window.surface.pixelSize
        figures.speed = player.speed
        let counts = playback.counts
        (figures.due, figures.dropped) = (counts.due, counts.dropped)
        let statistics = player.statistics(at: now)
        figures.refreshRate = window.refreshRate
        figures.displayFactor = statistics.displayFactor
        figures.decoder = statistics.videoDecoding
        figures.queuedFrames = statistics.frames
        figures.queuedBytes = statistics.frameBytes + statistics.packetBytes
        figures.leftOutLines = session.subtitles.subtitles.leftOutCount
        figures.audioOffset = session.film.audioOffset
        figures.renderer = rendererName
        return figures
    }
}
