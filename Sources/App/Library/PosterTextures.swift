import Geometry
import Layers
import Library
import Media
import Picture
import Rendering
import Text

/// The posters of a library page, stored as images in the renderer's image cache. Main thread.
///
/// The folder's index keeps the bitmaps. An image that the cache has dropped is uploaded again by `restore` if its row
/// is visible, else when the row is next configured.
@MainActor final class PosterTextures {
    /// The modification time and size of a file, which identify the version from which a poster was made.
    private struct Version: Equatable {
        let modified: FileTime
        let byteCount: Int

        init(_ entry: LibraryItem) { (modified, byteCount) = (entry.modified, entry.byteCount) }
    }

    private struct Poster {
        let image: ImageID
        let size: Size
        /// The size of the bitmap before cropping.
        let source: PixelSize
        let version: Version
    }

    /// Whether posters are cropped to 16:9, as `PosterShape` describes.
    var trims = true

    private let images: ImageCache
    private var known: [LibraryItem.ID: Poster] = [:]
    private var owners: [ImageID: LibraryItem.ID] = [:]

    init(images: ImageCache) { self.images = images }

    isolated deinit { for poster in known.values { images.remove(poster.image) } }

    /// Returns the image and the size of an item's poster; nil until a poster of the file's current version has been
    /// made.
    func image(of entry: LibraryItem, _ details: LibraryItemDetails?) -> (image: ImageID, size: Size)? {
        let version = Version(entry)
        if let old = known[entry.id], old.version != version { forget(entry.id) }
        let old = known[entry.id]
        var source: PixelSize?
        if case .ready(let poster)? = details?.poster { source = poster.size }
        // The old poster stays until one of the requested size has been made.
        if let old, images.has(old.image), source == nil || source == old.source { return (old.image, old.size) }
        let image = old?.image ?? images.newID()
        guard let source, let size = set(image, details) else { return nil }
        known[entry.id] = Poster(image: image, size: size, source: source, version: version)
        owners[image] = entry.id
        return (image, size)
    }

    /// Re-uploads this page's posters whose images are among `missing`, if `details` still has their bitmaps. Returns
    /// the items whose posters were uploaded.
    func restore(_ missing: [ImageID], details: (LibraryItem.ID) -> LibraryItemDetails?) -> [LibraryItem.ID] {
        missing.compactMap { image in
            guard let id = owners[image], !images.has(image), set(image, details(id)) != nil else { return nil }
            return id
        }
    }

    /// Removes the posters of all items except `entries`.
    func keep(only entries: Set<LibraryItem.ID>) {
        for id in Array(known.keys) where !entries.contains(id) { forget(id) }
    }

    private func forget(_ id: LibraryItem.ID) {
        guard let old = known.removeValue(forKey: id) else { return }
        owners[old.image] = nil
        images.remove(old.image)
    }

    private func set(_ image: ImageID, _ details: LibraryItemDetails?) -> Size? {
        guard case .ready(let poster)? = details?.poster else { return nil }
        let bitmap = trims ? PosterShape.trimmed(poster) : poster
        do throws(RenderingError) { try images.set(image, bitmap) } catch { return nil }
        return bitmap.size.size
    }
}
