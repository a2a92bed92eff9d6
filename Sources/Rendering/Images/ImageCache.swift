import Geometry
public import Layers
public import Picture
import Time

/// Caches raster images, text and icons in the form that a renderer draws: textures or memory.
///
/// The client supplies raster images. Text and icons are rasterized when they are first drawn. Short text and icons are
/// rasterized immediately, up to `inlineCount` per frame, so that the first frame of a page is complete. All other text
/// and icons are rasterized on the raster thread, and drawn when they are ready. If reading the fonts of the system
/// takes long (`isSlowAtFirst`), the first text of the process also goes to the raster thread.
///
/// If the cache exceeds `byteLimit`, the least recently used entries are dropped, except those in the last frame of a
/// window. Several compositors can share a cache.
///
/// Threads: any. Public members take `RenderLock` themselves. Callers of the other members must hold it.
public final class ImageCache {
    /// The maximum length of text that is rasterized while a frame is drawn, in Unicode scalars. Longer text goes to
    /// the raster thread.
    public static let inlineCharacters = 64
    /// The maximum number of strings and icons that are rasterized while one frame is drawn. All captures between two
    /// frames together may rasterize the same number again.
    public static let inlineCount = 24
    /// The interval between cleanups, in frames. A cleanup drops text and icons that have been neither drawn nor
    /// prepared for longer than the interval, even if the cache is within `byteLimit`.
    private static let unusedFrameLimit = 2048

    private struct Entry {
        /// The image; nil if it is empty or could not be made.
        var image: RasterImage?
        /// The metrics that place a single line of text in its box; nil if the image fills the box.
        var line: TextLineMetrics?
        /// The last frame in which the entry was drawn, prepared or set.
        var lastDrawn: Int
        /// The last frame in which each viewer drew the entry, by the viewer's index; -1 if the viewer never drew the
        /// entry.
        var frames = InlineArray<4, Int>(repeating: -1)
    }

    /// Identifies a compositor to the cache. The compositor's last frame counts as visible until the compositor draws
    /// the next one.
    struct Viewer: Hashable {
        /// The index of the viewer in `Entry.frames`. With more than four viewers, some share the last index. Their
        /// visible images may then be dropped too early or kept too long.
        fileprivate let index: Int
        fileprivate let number: Int
    }

    private struct View {
        var viewer: Viewer
        var frame = 0
        var lacksImages = false
    }

    private let factory: any ImageFactory
    private let byteLimit: Int
    private let uploadLimit: Int
    private let isSlowAtFirst: Bool
    private let makeRasterizer: (@Sendable () -> any ImageRasterizer)?
    private let thread: RasterThread?
    private lazy var rasterizer = makeRasterizer?()

    private var rasters: [RasterImageKey: Entry] = [:]
    private var images: [ImageID: Entry] = [:]
    private var requested: Set<RasterImageKey> = []
    private var missing: Set<ImageID> = []
    private var bytes = 0
    private var frame = 0
    private var inlineLeft = ImageCache.inlineCount
    private var lastID = 0
    private var views: [View] = []
    private var lastViewer = 0
    /// A number that changes when the client sets or removes an image, and when text or icons arrive from the raster
    /// thread. A window that lacked images must then be drawn again, and earlier drawings must not be reused.
    public var generation: Int { RenderLock.withLock { changeCount } }
    private var changeCount = 0

    /// Creates a cache whose images are made by `factory`. The other parameters are those of the public initializers.
    init(
        factory: any ImageFactory, byteLimit: Int, uploadLimit: Int, isSlowAtFirst: Bool,
        makeRasterizer: (@Sendable () -> any ImageRasterizer)?, wake: @escaping @Sendable () -> Void
    ) {
        self.factory = factory
        self.byteLimit = byteLimit
        self.uploadLimit = uploadLimit
        self.makeRasterizer = makeRasterizer
        self.isSlowAtFirst = isSlowAtFirst
        thread = makeRasterizer.map { RasterThread(makeRasterizer: $0, wake: wake) }
    }

    deinit { thread?.end() }

    /// Returns an image ID that was never returned before. IDs count up from 1.
    public func newID() -> ImageID {
        RenderLock.withLock {
            lastID += 1
            return ImageID(rawValue: lastID)
        }
    }

    /// Sets the image that is drawn for `id`, in place of any earlier image.
    ///
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`; the previous image stays.
    public func set(_ id: ImageID, _ bitmap: Bitmap) throws(RenderingError) { try set(id, bitmap, mayShrink: true) }

    /// Sets the image that is drawn for `id`, like the public function.
    ///
    /// - Parameter mayShrink: Whether the image will also be drawn at less than half its size.
    func set(_ id: ImageID, _ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) {
        let image = try factory.make(bitmap, mayShrink: mayShrink)
        RenderLock.withLock {
            remove(id)
            changeCount &+= 1
            images[id] = Entry(image: image, lastDrawn: frame)
            bytes += image.bytes
        }
    }

    /// Removes the image of `id`, if there is one. From then on, nothing is drawn for `id`.
    public func remove(_ id: ImageID) {
        RenderLock.withLock {
            missing.remove(id)
            guard let entry = images.removeValue(forKey: id) else { return }
            changeCount &+= 1
            drop(entry)
        }
    }

    /// Whether an image was set for `id` and has not been removed or dropped.
    public func has(_ id: ImageID) -> Bool { RenderLock.withLock { images[id] != nil } }

    /// Returns and clears the IDs of images that were needed but missing, because they were never set, or were removed
    /// or dropped.
    public func takeMissing() -> [ImageID] {
        RenderLock.withLock {
            defer { missing.removeAll(keepingCapacity: true) }
            return Array(missing)
        }
    }

    /// Whether the raster thread has finished images that were not taken yet. If so, there is something to draw.
    public var hasFinished: Bool { thread?.hasFinished ?? false }

    /// Takes finished images from the raster thread, until the upload limit of one frame is reached. Returns whether
    /// there is something new to draw or capture.
    ///
    /// Called at the start of each frame. Clients that show captures should also call this method before each capture.
    @discardableResult public func takeFinished() -> Bool { RenderLock.withLock { takeFinishedLocked() } }

    private func takeFinishedLocked() -> Bool {
        var (uploaded, isNew) = (0, false)
        while uploaded < uploadLimit, let (key, image) = thread?.takeFinished() {
            requested.remove(key)
            if keep(image, for: key).image != nil { isNew = true }
            uploaded += image.bitmap.pixels.count
        }
        if isNew { changeCount &+= 1 }
        return isNew
    }

    /// Rasterizes missing text and icons of `list` in advance, on the raster thread, for a page that will soon be
    /// visible. Missing raster images are reported by `takeMissing`.
    ///
    /// Entries for `list` that are already cached count as drawn. While a page stays covered, prepare it again every
    /// few seconds. Otherwise, its text may be dropped.
    public func prepare(_ list: DisplayList) { RenderLock.withLock { prepareLocked(list) } }

    private func prepareLocked(_ list: DisplayList) {
        for case .image(let placement) in list.items {
            if case .image(let id) = placement.source {
                if images[id] != nil { images[id]?.lastDrawn = frame } else if !has(id) { missing.insert(id) }
                continue
            }
            let key = RasterImageKey(placement, scale: list.scale)
            if let index = rasterIndex(key) {
                rasters.values[index].lastDrawn = frame
            } else if canRasterize(key) {
                request(key)
            }
        }
    }

    /// Whether text and icons may be rasterized while a frame is drawn. If `isSlowAtFirst`, this is false until the
    /// raster thread has finished its first image, since reading the fonts of the system takes long.
    private var canRasterizeInline: Bool { !isSlowAtFirst || thread?.isWarm == true }

    /// The memory that all entries take up, in bytes.
    public var byteCount: Int { RenderLock.withLock { bytes } }

    private func canRasterize(_ key: RasterImageKey) -> Bool {
        key.scale > 0 && max(key.size.width, key.size.height) <= factory.sizeLimit
    }

    private func request(_ key: RasterImageKey) {
        guard let thread, requested.insert(key).inserted else { return }
        if let givenUp = thread.request(key) { requested.remove(givenUp) }
    }

    // MARK: - For the compositor

    func addViewer() -> Viewer {
        let index = (0..<4).first { index in !views.contains { $0.viewer.index == index } } ?? 3
        lastViewer += 1
        let viewer = Viewer(index: index, number: lastViewer)
        views.append(View(viewer: viewer))
        return viewer
    }

    func remove(_ viewer: Viewer) { views.removeAll { $0.viewer == viewer } }

    /// Whether the last frame of `viewer` lacked text or icons that are being rasterized.
    func lacksImages(_ viewer: Viewer) -> Bool { index(of: viewer).map { views[$0].lacksImages } ?? false }

    /// Begins a frame of `viewer`, and takes finished images from the raster thread.
    ///
    /// - Parameter isWhole: False if only a part of the frame is drawn, while the rest of the previous frame stays
    ///   visible.
    func beginFrame(of viewer: Viewer, isWhole: Bool = true) {
        frame += 1
        if let index = index(of: viewer) {
            if isWhole { views[index].frame = frame }
            views[index].lacksImages = false
        }
        inlineLeft = Self.inlineCount
        takeFinished()
    }

    private func index(of viewer: Viewer) -> Int? { views.firstIndex { $0.viewer == viewer } }

    /// Whether the last frame of any viewer contains the entry.
    private func isOnShow(_ entry: Entry) -> Bool {
        for view in views where entry.frames[view.viewer.index] >= view.frame { return true }
        return false
    }

    /// Ends a frame. Drops text and icons that have not been drawn for a while, such as times that a clock no longer
    /// shows. Then drops further entries until the cache is within `byteLimit`.
    func endFrame() {
        inlineLeft = Self.inlineCount
        if frame % Self.unusedFrameLimit == 0 {
            while let key = oldest(rasters, before: frame - Self.unusedFrameLimit) {
                drop(rasters.removeValue(forKey: key))
            }
        }
        while bytes > byteLimit {
            let raster = oldest(rasters, before: frame)
            let image = oldest(images, before: frame)
            // Among entries drawn at the same time, text and icons go first, as they can be made again without the
            // client.
            if let raster, (rasters[raster]?.lastDrawn ?? 0) <= image.flatMap({ images[$0]?.lastDrawn }) ?? .max {
                drop(rasters.removeValue(forKey: raster))
            } else if let image {
                drop(images.removeValue(forKey: image))
            } else {
                return
            }
        }
    }

    /// Marks the entries in `list` as visible to `viewer`, and all others as not visible to it. For frames that draw
    /// only a part of the list.
    func keepShown(_ list: DisplayList, viewer: Viewer) {
        if let index = index(of: viewer) { views[index].frame = frame }
        for case .image(let placement) in list.items {
            if case .image(let id) = placement.source {
                images[id]?.lastDrawn = frame
                images[id]?.frames[viewer.index] = frame
                continue
            }
            guard let index = rasterIndex(RasterImageKey(placement, scale: list.scale)) else { continue }
            rasters.values[index].lastDrawn = frame
            rasters.values[index].frames[viewer.index] = frame
        }
    }

    /// Returns the key of the least recently drawn entry among those that were last drawn before `frame` and that no
    /// window shows; nil if there is none.
    private func oldest<Key>(_ entries: [Key: Entry], before frame: Int) -> Key? {
        var oldest: (key: Key, lastDrawn: Int)?
        for (key, entry) in entries where entry.lastDrawn < frame && !isOnShow(entry) {
            if let found = oldest, found.lastDrawn <= entry.lastDrawn { continue }
            oldest = (key, entry.lastDrawn)
        }
        return oldest?.key
    }

    /// Returns the image for a placement, and where to draw it; nil if the image is missing or there is nothing to
    /// draw. Missing text and icons are rasterized or requested. A line of text may extend beyond the placement's
    /// destination, and must be clipped to it.
    ///
    /// Must be called during a frame, or during a capture between two frames.
    func image(for placement: ImagePlacement, scale: Double, viewer: Viewer) -> (RasterImage, PixelRect)? {
        if case .image(let id) = placement.source {
            guard let image = images[id]?.image else {
                missing.insert(id)
                return nil
            }
            images[id]?.lastDrawn = frame
            images[id]?.frames[viewer.index] = frame
            return (image, placement.destination)
        }
        let key = RasterImageKey(placement, scale: scale)
        if let index = rasterIndex(key) {
            rasters.values[index].lastDrawn = frame
            rasters.values[index].frames[viewer.index] = frame
            return Self.placed(rasters.values[index], placement)
        }
        guard canRasterize(key) else { return nil }
        if inlineLeft > 0, canRasterizeInline, Self.isShort(key.source), let rasterizer {
            inlineLeft -= 1
            return Self.placed(keep(rasterizer.raster(of: key), for: key, viewer: viewer), placement)
        }
        request(key)
        if let index = index(of: viewer) { views[index].lacksImages = true }
        return nil
    }

    /// Returns the index of the entry for text or an icon: a single line of text if that fits in the box, otherwise the
    /// bitmap of the whole box. Nil if there is no such entry.
    private func rasterIndex(_ key: RasterImageKey) -> Dictionary<RasterImageKey, Entry>.Index? {
        if key.mayBeLine, let index = rasters.index(forKey: key.line),
            rasters.values[index].line?.fits(in: key.size) == true
        {
            return index
        }
        return rasters.index(forKey: key)
    }

    private static func placed(_ entry: Entry, _ placement: ImagePlacement) -> (RasterImage, PixelRect)? {
        guard let image = entry.image else { return nil }
        guard let line = entry.line, case .text(let text) = placement.source else {
            return (image, placement.destination)
        }
        return (image, line.destination(of: image.size, in: placement.destination, alignment: text.alignment))
    }

    private static func isShort(_ source: ImagePlacement.Source) -> Bool {
        guard case .text(let text) = source else { return true }
        return text.string.unicodeScalars.prefix(inlineCharacters + 1).count <= inlineCharacters
    }

    @discardableResult private func keep(
        _ raster: RasterizedImage, for key: RasterImageKey, viewer: Viewer? = nil
    ) -> Entry {
        let image = try? factory.make(raster.bitmap, mayShrink: false)
        var entry = Entry(image: image, line: raster.line, lastDrawn: frame)
        if let viewer { entry.frames[viewer.index] = frame }
        drop(rasters.updateValue(entry, forKey: raster.line == nil ? key : key.line))
        bytes += image?.bytes ?? 0
        return entry
    }

    private func drop(_ entry: Entry?) { bytes -= entry?.image?.bytes ?? 0 }
}
