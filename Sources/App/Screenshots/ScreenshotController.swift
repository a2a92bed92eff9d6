import GlissadeLayers
import GlissadeGeometry
import GlissadeRendering
import GlissadeTime

/// Saves video frames in the pictures folder, and screenshots of the window for `--screenshot`. Main thread.
@MainActor final class ScreenshotController: Advancing {
    private let playback: PlaybackController
    private let pages: Pages
    private let lifecycle: Lifecycle
    private let console: Console
    private let renderer: any Renderer
    private let writer: ScreenshotWriter
    /// The screenshots requested with `--screenshot` that have not been written yet.
    private(set) var ordered: Screenshots {
        didSet { renderer.keepsPixels = !ordered.isEmpty }
    }

    init(
        _ ordered: Screenshots, playback: PlaybackController, pages: Pages, lifecycle: Lifecycle,
        services: PlaybackServices
    ) {
        self.ordered = ordered
        self.playback = playback
        self.pages = pages
        self.lifecycle = lifecycle
        console = services.console
        renderer = services.renderer
        writer = ScreenshotWriter(wake: services.wake)
        renderer.keepsPixels = !ordered.isEmpty
    }

    /// Starts saving the visible video frame in the pictures folder. `advance` reports the result.
    func save(now: HostTime) {
        guard let order = playback.session?.film.pictureOrder else {
            return tell(.camera, "No frame to save", now: now)
        }
        if !writer.save(order) { tell(.camera, "Too many screenshots at once", now: now) }
    }

    /// Shows a message for each save that has succeeded or failed since the last call.
    func advance(to now: HostTime) -> Bool {
        var isTold = false
        for outcome in writer.take() {
            switch outcome {
            case .saved(let path): tell(.camera, "Saved \(PlaybackSession.name(of: path))", now: now)
            case .failed(let reason):
                console.error("cannot save the screenshot: \(reason)")
                tell(.broken, "Cannot save: \(reason)", now: now)
            }
            isTold = true
        }
        return isTold
    }

    /// Writes the screenshots requested with `--screenshot` that are due in the frame about to be presented.
    func willPresent(_ pixels: PixelSize) {
        guard !ordered.isEmpty, let session = playback.session, let shown = session.film.pending,
            let info = session.player.info
        else { return }
        let failures = ordered.write(
            position: shown.presentationTime - info.startTime, duration: shown.duration, renderer: renderer,
            pixels: pixels)
        failures.forEach(lifecycle.fail)
    }

    /// Reports each screenshot requested with `--screenshot` whose time was not played. If there are any, the program
    /// exits with a failure status.
    func reportMissed() { ordered.missed.forEach(lifecycle.fail) }

    private func tell(_ icon: Icon, _ text: String, now: HostTime) { pages.playerPage?.tell(icon, text, now: now) }
}
