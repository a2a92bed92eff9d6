import Geometry
import Layers
import Library
import Picture
import Rendering
import Time

/// The pictures of the places that the pointer is at on the progress bar, as one image on the GPU.
@MainActor final class SeekPreviewStore {
    /// Of which media they are.
    let location: String
    private let source: SeekPreviews
    private let images: ImageCache
    private let image: ImageID
    private let scale: Double
    /// The picture that was made last, and which place it is of.
    private var picture: (id: ImageID, size: Size, time: Duration)?
    /// A picture of another place says nothing about one that is farther away than this.
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

    /// The pointer has left the bar.
    func cancel() {
        source.cancel()
        picture = nil
    }

    /// What there is to be seen of a place: its own picture, or until that is made one from nearby.
    func picture(near place: Duration) -> (id: ImageID, size: Size)? {
        guard let picture, picture.time - place < Self.reach, place - picture.time < Self.reach else { return nil }
        return (picture.id, picture.size)
    }

    /// Whether `missing` has its picture: it is asked for again then.
    func restore(_ missing: [ImageID]) {
        if missing.contains(image) { picture = nil }
    }

    /// Whether pages move: nothing is decoded meanwhile.
    var isSuspended = false {
        didSet {
            guard isSuspended != oldValue else { return }
            if isSuspended { source.suspend() } else { source.resume() }
        }
    }

    /// Takes in a picture that was made. True where there is another one to see.
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
