import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadeMedia
import GlissadePicture
import GlissadeRendering
import GlissadeText

/// The posters of a library page, stored as images in the renderer's image cache. Main thread.
///
/// The bitmaps are kept by the folder's index, so that images that the cache has dropped can be uploaded again.
@MainActor final class PosterTextures {
    /// A version of a file, identified by the file's modification time and size.
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

    /// Returns the image of an item's poster, and its size in pixels. Uploads the image if necessary. Returns nil until
    /// a poster of the file's current version has been made, or if the upload fails.
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

    /// Uploads posters again whose images are missing from the image cache. Skips posters whose bitmaps are not in
    /// `details`.
    ///
    /// - Parameters:
    ///   - missing: The images that are missing from the cache. Images of other pages are ignored.
    ///   - details: Returns what is known about an item, including the poster's bitmap.
    /// - Returns: The items whose posters were uploaded.
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
