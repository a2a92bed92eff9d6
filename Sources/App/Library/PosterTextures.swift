import Geometry
import Layers
import Library
import Media
import Picture
import Rendering
import Text

/// The posters of a page, as images on the GPU.
///
/// The library keeps the bitmaps; what the GPU has dropped meanwhile is brought there again when its row is next shown,
/// or by `restore` where the row is still there.
@MainActor final class PosterTextures {
    /// Which file a poster was made of, as far as size and time tell.
    private struct Version: Equatable {
        let modified: FileTime
        let byteCount: Int

        init(_ entry: LibraryItem) { (modified, byteCount) = (entry.modified, entry.byteCount) }
    }

    private struct Poster {
        let image: ImageID
        let size: Size
        /// Of what it was made.
        let source: PixelSize
        let version: Version
    }

    /// Whether posters lose what goes beyond their place's shape.
    var trims = true

    private let images: ImageCache
    private var known: [LibraryItem.ID: Poster] = [:]
    private var owners: [ImageID: LibraryItem.ID] = [:]

    init(images: ImageCache) { self.images = images }

    isolated deinit { for poster in known.values { images.remove(poster.image) } }

    /// The image of an entry's poster and its size; nil where there is none yet. An entry whose file is another one now
    /// has none until its new one is made.
    func image(of entry: LibraryItem, _ details: LibraryItemDetails?) -> (image: ImageID, size: Size)? {
        let version = Version(entry)
        if let old = known[entry.id], old.version != version { forget(entry.id) }
        let old = known[entry.id]
        var source: PixelSize?
        if case .ready(let poster)? = details?.poster { source = poster.size }
        // One in another size takes its place once it is there.
        if let old, images.has(old.image), source == nil || source == old.source { return (old.image, old.size) }
        let image = old?.image ?? images.newID()
        guard let source, let size = set(image, details) else { return nil }
        known[entry.id] = Poster(image: image, size: size, source: source, version: version)
        owners[image] = entry.id
        return (image, size)
    }

    /// Brings those of `missing` to the GPU again that are posters of this page and that the library still has. Returns
    /// whose they are: they are to be drawn anew.
    func restore(_ missing: [ImageID], details: (LibraryItem.ID) -> LibraryItemDetails?) -> [LibraryItem.ID] {
        missing.compactMap { image in
            guard let id = owners[image], !images.has(image), set(image, details(id)) != nil else { return nil }
            return id
        }
    }

    /// Forgets all but the posters of these entries: the others are gone.
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
