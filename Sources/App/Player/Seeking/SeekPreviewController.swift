import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadeRendering
import GlissadeTime

/// Shows the time, chapter and thumbnail for the pointer's position on the progress bar. Main thread.
@MainActor final class SeekPreviewController: Advancing {
    private let playback: PlaybackController
    private let pages: Pages
    private let transport: TransportController
    private let images: ImageCache
    private let wake: @Sendable () -> Void
    /// The current file's thumbnails; nil until one is requested.
    private(set) var store: SeekPreviewStore?
    /// The previewed position, as a fraction of the media's length; nil while the preview is hidden.
    private var fraction: Double?
    /// Device pixels per point.
    var scale = 1.0

    init(
        playback: PlaybackController, pages: Pages, transport: TransportController, images: ImageCache,
        wake: @escaping @Sendable () -> Void
    ) {
        self.playback = playback
        self.pages = pages
        self.transport = transport
        self.images = images
        self.wake = wake
    }

    func nextWake(now: HostTime) -> HostTime? { store?.nextWake }

    /// Shows the preview for a position, given as a fraction of the media's length. Nil hides the preview.
    ///
    /// While the user is dragging the progress bar, `wanted` is ignored and the preview follows the drag. The preview
    /// is also hidden if the controls are hidden, the length is unknown or the file is not seekable.
    func show(at wanted: Double?, now: HostTime) {
        guard let page = pages.playerPage else { return }
        pages.setNeedsTick()
        let controls = page.controls
        guard let wanted = controls.scrubbing ?? wanted, controls.isShown, controls.figures.length != nil,
            controls.progress.isEnabled, let session = playback.session
        else {
            fraction = nil
            store?.cancel()
            page.preview.hide(now: now)
            return
        }
        fraction = wanted
        if session.player.hasVideo {
            store(for: session).request(at: controls.figures.position(at: wanted), now: now)
        }
        update(now: now)
    }

    /// Discards the previous file's thumbnails, and hides the preview.
    func forget(now: HostTime) {
        store = nil
        fraction = nil
        pages.playerPage?.preview.forget()
        pages.playerPage?.preview.hide(now: now)
    }

    /// Shows the requested thumbnail once it is ready. Suspends thumbnail decoding during page transitions.
    func advance(to now: HostTime) -> Bool {
        guard let store else { return false }
        store.isSuspended = pages.stack.isTransitioning
        guard store.advance(to: now), fraction != nil else { return false }
        update(now: now)
        return true
    }

    /// Forgets the thumbnail if its image is among `missing`, the images that the image cache has dropped.
    func restore(_ missing: [ImageID]) { store?.restore(missing) }

    private func store(for session: PlaybackSession) -> SeekPreviewStore {
        if let store, store.location == session.location { return store }
        pages.playerPage?.preview.forget()
        let made = SeekPreviewStore(location: session.location, scale: scale, images: images, wake: wake)
        store = made
        return made
    }

    private func update(now: HostTime) {
        guard let fraction, let page = pages.playerPage, let session = playback.session else { return }
        let bar = page.controls.progress.layer.frame
        let position = page.controls.figures.position(at: fraction)
        page.preview.show(
            SeekPreviewView.Content(
                time: MediaFormatter.position(position, of: page.controls.figures.length),
                chapter: transport.chapterTitle(at: position), image: store?.picture(near: position),
                hasPictures: session.player.hasVideo),
            at: Point(x: bar.minX + fraction * bar.size.width, y: bar.minY),
            in: Rect(
                x: 8, y: Theme.barHeight, width: max(0, page.layer.frame.size.width - 16),
                height: max(0, page.layer.frame.size.height - Theme.barHeight)),
            now: now)
    }
}
