import Subtitles
import Time

// What can be done with what plays besides playing it: pictures of it, figures about it.

extension Application {
    func saveScreenshot(now: HostTime) {
        guard let order = playing?.video.pictureOrder else {
            playerPage?.tell(.camera, "No picture to save", now: now)
            return
        }
        if !pictures.save(order) { playerPage?.tell(.camera, "Too many pictures at once", now: now) }
    }

    /// Tells what became of pictures that were to be saved.
    func takePictures(now: HostTime) {
        for outcome in pictures.take() {
            switch outcome {
            case .saved(let path): playerPage?.tell(.camera, "Saved \(PlaybackSession.name(of: path))", now: now)
            case .failed(let reason):
                console.error("the picture is not saved: \(reason)")
                playerPage?.tell(.broken, "Not saved: \(reason)", now: now)
            }
            setNeedsTick()
        }
    }

    func toggleStatistics(now: HostTime) {
        guard let page = playerPage else { return }
        page.statistics.isShown.toggle()
        updateStatistics(now: now)
        setNeedsTick()
    }

    /// To be called with each frame; costs nothing while they are hidden.
    func updateStatistics(now: HostTime) {
        guard let page = playerPage, page.statistics.isShown, seenPages.contains(where: { $0 === page }) else { return }
        page.statistics.update(now: now) { statisticsFigures(now: now) }
    }

    private func statisticsFigures(now: HostTime) -> StatisticsOverlay.Figures {
        guard let playing else { return StatisticsOverlay.Figures(file: "", info: nil) }
        let player = playing.player
        var figures = StatisticsOverlay.Figures(file: PlaybackSession.name(of: playing.location), info: player.info)
        figures.windowSize = surface.pixelSize
        figures.speed = player.speed
        (figures.due, figures.dropped) = (counts.due, counts.dropped)
        let statistics = player.statistics(at: now)
        figures.decoder = statistics.videoDecoding
        figures.queuedFrames = statistics.frames
        figures.queuedBytes = statistics.frameBytes + statistics.packetBytes
        figures.leftOutLines = playing.subtitles.subtitles.leftOutCount
        figures.audioOffset = playing.video.audioOffset
        figures.renderer = renderer.traits.name
        return figures
    }
}
