import GlissadeGeometry
public import GlissadeLayers
public import GlissadePicture
import GlissadeTime

/// Caches raster images, text and icons in the form that a renderer draws: textures or memory.
///
/// The client supplies raster images. The cache rasterizes text and icons when they are first needed. In each frame, up
/// to `inlineCount` short strings and icons are rasterized while the frame is drawn. All others are rasterized on the
/// raster thread, and drawn in a later frame. If `isSlowAtFirst`, the raster thread rasterizes all text and icons until
/// it has finished its first image.
///
/// If the cache exceeds `byteLimit`, the least recently used entries are dropped, except those that are visible in a
/// window. Several compositors can share a cache.
///
/// Threads: any. Public members take `RenderLock` themselves. Callers of the other members must hold it.
public final class ImageCache {
    /// The maximum length, in Unicode scalars, of text that is rasterized while a frame is drawn. Longer text goes to
    /// the raster thread.
    public static let inlineCharacters = 64
    /// The maximum number of strings and icons that are rasterized while one frame is drawn. The same number again may
    /// be rasterized by all captures between two frames together.
    public static let inlineCount = 24
    /// The number of frames between cleanups. A cleanup drops text and icons that are not visible and have been neither
    /// drawn nor prepared in the last `unusedFrameLimit` frames, even if the cache is within `byteLimit`.
    private static let unusedFrameLimit = 2048

    private struct Entry {
        /// The image; nil if it is empty or could not be made.
        var image: RasterImage?
        /// The metrics that place a single line of text in its box; nil if the image fills the box.
        var line: TextLineMetrics?
        /// The number of the last frame in which the entry was drawn, prepared or set.
        var lastDrawn: Int
        /// For each viewer, by its index: the number of the last frame in which the viewer drew the entry; -1 if there
        /// is none.
        var frames = InlineArray<4, Int>(repeating: -1)
    }

    /// Identifies a compositor to the cache. The compositor's last frame counts as visible until the compositor draws
    /// the next one.
    struct Viewer: Hashable {
        /// The index of the viewer in `Entry.frames`. With more than four viewers, some share the last index. Images
        /// that they no longer show may then be kept too long.
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
    /// thread. After a change, windows that lacked images must be drawn again, and earlier drawings must not be reused.
    public var generation: Int { RenderLock.withLock { changeCount } }
    private var changeCount = 0

    /// Creates a cache whose images are made by `factory`. For the other parameters, see the public initializers.
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

    /// Sets the image of `id`, replacing any earlier image.
    ///
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`; the previous image stays.
    public func set(_ id: ImageID, _ bitmap: Bitmap) throws(RenderingError) { try set(id, bitmap, mayShrink: true) }

    /// Sets the image of `id`, like the public function.
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

    /// Returns and clears the IDs of images that were needed but are missing. A missing image was never set, or has
    /// been removed or dropped.
    public func takeMissing() -> [ImageID] {
        RenderLock.withLock {
            defer { missing.removeAll(keepingCapacity: true) }
            return Array(missing)
        }
    }

    /// Whether the raster thread has finished images that have not been taken yet.
    public var hasFinished: Bool { thread?.hasFinished ?? false }

    /// Takes finished images from the raster thread, until the upload limit of one frame is reached. Returns whether
    /// there is something new to draw or capture.
    ///
    /// Compositors call this method at the start of each frame. A client that shows captures should also call it before
    /// each capture.
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
    /// Cached entries for `list` count as drawn. While the page is covered by another, prepare it again every few
    /// seconds. Otherwise, its text may be dropped.
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

    /// Whether text and icons may be rasterized while a frame is drawn. If `isSlowAtFirst`, false until the raster
    /// thread has finished its first image.
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
    /// - Parameter isWhole: False if only a part of the frame is drawn, and the rest of the previous frame stays
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

    /// Ends a frame. Every `unusedFrameLimit` frames, performs a cleanup. Then drops the least recently drawn entries
    /// that are not visible, until the cache is within `byteLimit`.
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

    /// Marks the entries in `list` as visible in the last frame of `viewer`, and all others as not visible there.
    /// Called for frames that draw only a part of the list.
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

    /// Returns the image for a placement, and where to draw it; nil if the image is not available yet, is empty, or is
    /// too large. Text and icons that are not in the cache are rasterized immediately if possible. Otherwise, they are
    /// requested, and the result is nil. A line of text may extend beyond the destination of the placement, and must be
    /// clipped to it.
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

    /// Returns the index of the entry for text or an icon; nil if there is none. If there is a line of the same text
    /// that fits in the box, returns its entry. Otherwise, returns the entry for the whole box.
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
        let destination = line.destination(
            of: image.size, in: placement.destination, rotation: placement.rotation, alignment: text.alignment)
        return (image, destination)
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
