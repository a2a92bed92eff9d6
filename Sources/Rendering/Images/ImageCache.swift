import Geometry
public import Layers
public import Picture
import Time

/// Raster images, text and icons in the form that a renderer draws: textures or memory. Entries are made when a list
/// first contains them, and kept while they are drawn.
///
/// Short text and icons are rasterized immediately, so that the first frame of a page is complete. Longer text, and the
/// program's first text, for which the system's fonts are read, is rasterized on a thread and drawn when it is ready. A
/// capture contains the same as a frame would; missing text comes with the next capture. Images are supplied by the
/// client. Beyond `byteLimit`, the least recently drawn entries are dropped, but never those of a window's last frame.
/// Several compositors may show entries, each of them different ones.
///
/// Threads: for software rendering, any thread (`RenderLock`); for textures, the main thread, with the context current in
/// which the cache was created.
public final class ImageCache {
    /// The longest text that is rasterized on the main thread, in characters.
    public static let inlineCharacters = 64
    /// The most texts and icons rasterized on the main thread per frame; the same number again for all captures between
    /// two frames.
    public static let inlineCount = 24
    /// After this many frames without being drawn or prepared, text is dropped even below `byteLimit`.
    private static let unusedFrameLimit = 2048

    private struct Entry {
        /// Nil if there is nothing to draw.
        var image: RasterImage?
        /// Where a line of text is in its box; nil if the image fills the box.
        var line: TextLineMetrics?
        var lastDrawn: Int
        /// The last frame of each viewer in which it was drawn.
        var frames = InlineArray<4, Int>(repeating: -1)
    }

    /// A compositor, whose last frame stays visible until it draws another.
    struct Viewer: Hashable {
        /// Its index in `Entry.frames`. Viewers beyond the last index share it, so their images are kept less reliably.
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
    /// Changes whenever an entry is added, replaced or removed. A window that lacked text must then be drawn again, and
    /// a previous drawing is no longer complete.
    public var generation: Int { RenderLock.withLock { changeCount } }
    private var changeCount = 0

    /// The parameters are those of the public ones.
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

    /// Returns an ID that no other image has, from 1.
    public func newID() -> ImageID {
        RenderLock.withLock {
            lastID += 1
            return ImageID(rawValue: lastID)
        }
    }

    /// Sets the image drawn for `id`.
    ///
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`; the previous image stays.
    public func set(_ id: ImageID, _ bitmap: Bitmap) throws(RenderingError) { try set(id, bitmap, mayShrink: true) }

    /// - Parameter mayShrink: As for `ImageTexture`.
    func set(_ id: ImageID, _ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) {
        let image = try factory.make(bitmap, mayShrink: mayShrink)
        RenderLock.withLock {
            remove(id)
            changeCount &+= 1
            images[id] = Entry(image: image, lastDrawn: frame)
            bytes += image.bytes
        }
    }

    /// Removes an image; nothing is drawn for it then.
    public func remove(_ id: ImageID) {
        RenderLock.withLock {
            missing.remove(id)
            guard let entry = images.removeValue(forKey: id) else { return }
            changeCount &+= 1
            drop(entry)
        }
    }

    /// Whether an image was set for `id` and has not been removed.
    public func has(_ id: ImageID) -> Bool { RenderLock.withLock { images[id] != nil } }

    /// Images that were to be drawn but missing: never set, removed or dropped. Each is reported once.
    public func takeMissing() -> [ImageID] {
        RenderLock.withLock {
            defer { missing.removeAll(keepingCapacity: true) }
            return Array(missing)
        }
    }

    /// Whether an image is finished that the last frame lacked, so that it should be drawn again.
    public var hasFinished: Bool { thread?.hasFinished ?? false }

    /// Takes the raster thread's results, up to the limit of one frame. True if there is something new to draw or
    /// capture.
    ///
    /// A frame does the same when it begins; clients that show captures call it before.
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

    /// Rasterizes missing text and icons of `list` in advance, for a page that is about to be visible.
    ///
    /// Existing entries count as drawn. A page that stays covered must be prepared again every few seconds, or its text
    /// is dropped.
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

    /// Whether text may be rasterized on the main thread. The program's first text may not: it reads the system's
    /// fonts, which is too slow.
    private var canRasterizeInline: Bool { !isSlowAtFirst || thread?.isWarm == true }

    /// The memory of all entries.
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

    /// Whether the viewer's last frame lacked text that a later frame can have.
    func lacksImages(_ viewer: Viewer) -> Bool { index(of: viewer).map { views[$0].lacksImages } ?? false }

    /// Begins a frame: takes the raster thread's results.
    ///
    /// - Parameter isWhole: False if it is drawn over the last frame, which stays visible.
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

    /// Whether a window still shows the entry.
    private func isOnShow(_ entry: Entry) -> Bool {
        for view in views where entry.frames[view.viewer.index] >= view.frame { return true }
        return false
    }

    /// Ends a frame: drops entries beyond the limit, and those that will not be drawn again, such as a clock's past
    /// texts.
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
            // Among entries drawn at the same time, those that can be made again without the client go first.
            if let raster, (rasters[raster]?.lastDrawn ?? 0) <= image.flatMap({ images[$0]?.lastDrawn }) ?? .max {
                drop(rasters.removeValue(forKey: raster))
            } else if let image {
                drop(images.removeValue(forKey: image))
            } else {
                return
            }
        }
    }

    /// Marks everything in `list` as still visible, although the last frame drew only part of it, and nothing else.
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

    /// The least recently drawn entry that was not drawn since `frame` and is in no window.
    private func oldest<Key>(_ entries: [Key: Entry], before frame: Int) -> Key? {
        var oldest: (key: Key, lastDrawn: Int)?
        for (key, entry) in entries where entry.lastDrawn < frame && !isOnShow(entry) {
            if let found = oldest, found.lastDrawn <= entry.lastDrawn { continue }
            oldest = (key, entry.lastDrawn)
        }
        return oldest?.key
    }

    /// The image for a placement, and where to draw it; nil if there is none yet, or nothing to draw. A line of text may
    /// reach beyond the placement's destination, which clips it.
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

    /// The entry for a text or icon: its line if that fits, or the box.
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
