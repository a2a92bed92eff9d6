import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadePicture
import GlissadeRendering
import GlissadeTime

/// Requests thumbnails of one video for positions on the progress bar. Keeps the latest thumbnail in the image cache.
/// Main thread.
@MainActor final class SeekPreviewStore {
    /// The path or URL of the video.
    let location: String
    private let source: SeekPreviews
    private let images: ImageCache
    private let image: ImageID
    private let scale: Double
    /// The latest thumbnail, its size in points, and its position in the video; nil if there is none.
    private var picture: (id: ImageID, size: Size, time: Duration)?
    /// The maximum difference between a thumbnail's position in the video and the requested position. Thumbnails
    /// farther away are not shown.
    private static let reach = Duration.seconds(15)

    init(location: String, scale: Double, images: ImageCache, wake: @escaping @Sendable () -> Void) {
        self.location = location
        self.images = images
        self.scale = scale
        image = images.newID()
        source = SeekPreviews(location: LibraryFolder.absolute(location).location, scale: scale, wake: wake)
    }

    isolated deinit { images.remove(image) }

    var nextWake: HostTime? { source.releaseTime }

    func request(at place: Duration, now: HostTime) { source.request(at: place, now: now) }

    /// Cancels the pending request, and forgets the latest thumbnail.
    func cancel() {
        source.cancel()
        picture = nil
    }

    /// Returns the latest thumbnail and its size in points; nil if there is none, or if its position in the video is
    /// too far from `place`.
    func picture(near place: Duration) -> (id: ImageID, size: Size)? {
        guard let picture, picture.time - place < Self.reach, place - picture.time < Self.reach else { return nil }
        return (picture.id, picture.size)
    }

    /// Forgets the thumbnail if its image is among `missing`, the images that the image cache has dropped. The next
    /// request produces a new thumbnail.
    func restore(_ missing: [ImageID]) {
        if missing.contains(image) { picture = nil }
    }

    /// Whether decoding is suspended. Set during page transitions.
    var isSuspended = false {
        didSet {
            guard isSuspended != oldValue else { return }
            if isSuspended { source.suspend() } else { source.resume() }
        }
    }

    /// Takes a finished thumbnail from the background thread. Closes the decoder if it has been idle for long enough.
    /// Returns whether there is a new thumbnail.
    func advance(to now: HostTime) -> Bool {
        source.releaseIfIdle(now: now)
        guard let preview = source.take() else { return false }
        do throws(RenderingError) { try images.set(image, preview.bitmap) } catch { return false }
        picture = (
            image,
            Size(
                width: Double(preview.bitmap.size.width) / scale, height: Double(preview.bitmap.size.height) / scale),
            preview.time
        )
        return true
    }
}
