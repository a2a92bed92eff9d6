import Geometry
import Layers
import Library
import Picture
import Rendering
import Time

/// The thumbnail for the pointer's position on the progress bar, as an image on the GPU. Main thread.
@MainActor final class SeekPreviewStore {
    /// The path or address of the video.
    let location: String
    private let source: SeekPreviews
    private let images: ImageCache
    private let image: ImageID
    private let scale: Double
    /// The last thumbnail, its size in points, and its position in the video.
    private var picture: (id: ImageID, size: Size, time: Duration)?
    /// The maximum distance between a thumbnail's position and the pointer's.
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

    /// Cancels the request, and forgets the thumbnail.
    func cancel() {
        source.cancel()
        picture = nil
    }

    /// The last thumbnail and its size in points; nil if it is too far from `place`.
    func picture(near place: Duration) -> (id: ImageID, size: Size)? {
        guard let picture, picture.time - place < Self.reach, place - picture.time < Self.reach else { return nil }
        return (picture.id, picture.size)
    }

    /// Forgets the thumbnail if it is among the `missing` images. The next request makes it again.
    func restore(_ missing: [ImageID]) {
        if missing.contains(image) { picture = nil }
    }

    /// Whether decoding is suspended. Set during transitions.
    var isSuspended = false {
        didSet {
            guard isSuspended != oldValue else { return }
            if isSuspended { source.suspend() } else { source.resume() }
        }
    }

    /// Takes a finished thumbnail, and closes an idle decoder. Returns whether there is a new thumbnail.
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
