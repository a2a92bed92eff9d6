import Library
import Motion
import Picture
import Playback
import Rendering
import Stage
import Text

/// The posters of a page, as images on the GPU.
///
/// The library keeps the bitmaps; what the GPU has dropped meanwhile is brought there again when it is next seen.
@MainActor final class Posters {
    private static var lastImage = 0
    private let images: ImageTextures
    private var known: [Entry.ID: (image: ImageID, size: Size)] = [:]

    init(images: ImageTextures) { self.images = images }

    isolated deinit { for (image, _) in known.values { images.remove(image) } }

    /// The image of an entry's poster and its size; nil where there is none yet.
    func image(of id: Entry.ID, _ details: EntryDetails?) -> (image: ImageID, size: Size)? {
        if let image = known[id], images.has(image.image) { return image }
        guard case .ready(let poster)? = details?.poster else { return nil }
        let bitmap = PosterShape.trimmed(poster)
        let image = known[id]?.image ?? Self.newImage()
        do throws(RenderingError) { try images.set(image, bitmap) } catch { return nil }
        known[id] = (image, bitmap.size.size)
        return known[id]
    }

    /// The entry's file is another one now.
    func forget(_ id: Entry.ID) {
        if let old = known.removeValue(forKey: id) { images.remove(old.image) }
    }

    private static func newImage() -> ImageID {
        lastImage += 1
        return ImageID(rawValue: lastImage)
    }
}
