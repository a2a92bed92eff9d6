import Geometry
import Layers
import Library
import Picture
import Rendering
import Time

/// The thumbnail for the pointer's position on the progress bar, as an image on the GPU. Main thread.
@MainActor final class SeekPreviewStore {
    /// The file or address that the thumbnails are from.
    let location: String
    private let source: SeekPreviews
    private let images: ImageCache
    private let image: ImageID
    private let scale: Double
    /// The last thumbnail, and its position.
    private var picture: (id: ImageID, size: Size, time: Duration)?
    /// How far a thumbnail may be from the position it is shown for.
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

    /// Drops the request when the pointer has left the bar.
    func cancel() {
        source.cancel()
        picture = nil
    }

    /// The thumbnail of a position, or of a nearby one until it has been made.
    func picture(near place: Duration) -> (id: ImageID, size: Size)? {
        guard let picture, picture.time - place < Self.reach, place - picture.time < Self.reach else { return nil }
        return (picture.id, picture.size)
    }

    /// Forgets the thumbnail if it is among the `missing` images, so that it is made again.
    func restore(_ missing: [ImageID]) {
        if missing.contains(image) { picture = nil }
    }

    /// Whether decoding is suspended, during transitions.
    var isSuspended = false {
        didSet {
            guard isSuspended != oldValue else { return }
            if isSuspended { source.suspend() } else { source.resume() }
        }
    }

    /// Takes a finished thumbnail. Returns whether there is a new one.
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
