public import Layers
public import Picture
import Time

/// Still images, text and icons in the form that a renderer draws, textures or memory: made when a list first names
/// them, kept while they are drawn.
///
/// Main thread; of textures with the context it was made in current, from the first call to its release. Short text and
/// icons are set at once, so that the first frame of a page is whole; everything else, and the very first text of the
/// program, for which the system's fonts are read, on a thread of its own: it is drawn when it is there. A capture has
/// what a frame would have; what it lacks comes with the next one. Images are given by whoever has them. Past
/// `byteLimit`, what was not drawn for the longest time is dropped, but never what was drawn in the last frame of a
/// window: several compositors may show them, each its own.
@MainActor public final class ImageCache {
    /// Text of so many characters is set on the main thread.
    public static let inlineCharacters = 64
    /// And so many texts and icons in a frame, and as many in all captures between two frames: neither is ever long.
    public static let inlineCount = 24
    /// After so many frames without being drawn or prepared, text goes even where there is room.
    private static let patience = 2048

    private struct Entry {
        /// Nil where there is nothing to see.
        var still: RasterImage?
        var lastDrawn: Int
        /// The last frame of each viewer that it was drawn in.
        var frames = InlineArray<4, Int>(repeating: -1)
    }

    /// A compositor, which shows what it drew last for as long as it draws nothing else.
    struct Viewer: Hashable {
        /// Those beyond the last place share it: what they show is kept less surely then.
        fileprivate let place: Int
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
    private let makeSetter: (@Sendable () -> any ImageRasterizer)?
    private let thread: RasterThread?
    private lazy var setter = makeSetter?()

    private var stills: [RasterImageKey: Entry] = [:]
    private var images: [ImageID: Entry] = [:]
    private var requested: Set<RasterImageKey> = []
    private var missing: Set<ImageID> = []
    private var bytes = 0
    private var frame = 0
    private var inlineLeft = ImageCache.inlineCount
    private var lastID = 0
    private var views: [View] = []
    private var lastViewer = 0
    /// How often something was taken in that was not there, or was given or removed: a window that lacked text looks again
    /// when this has changed, and what was drawn before is not all that there is.
    public private(set) var generation = 0

    /// The parameters are those of the public ones.
    init(
        factory: any ImageFactory, byteLimit: Int, uploadLimit: Int, isSlowAtFirst: Bool,
        makeSetter: (@Sendable () -> any ImageRasterizer)?, wake: @escaping @Sendable () -> Void
    ) {
        self.factory = factory
        self.byteLimit = byteLimit
        self.uploadLimit = uploadLimit
        self.makeSetter = makeSetter
        self.isSlowAtFirst = isSlowAtFirst
        thread = makeSetter.map { RasterThread(makeSetter: $0, wake: wake) }
    }

    isolated deinit { thread?.end() }

    /// A name that no other image of these has, from 1 on.
    public func newID() -> ImageID {
        lastID += 1
        return ImageID(rawValue: lastID)
    }

    /// Makes `bitmap` what is drawn for `id`.
    ///
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`; the image before stays.
    public func set(_ id: ImageID, _ bitmap: Bitmap) throws(RenderingError) { try set(id, bitmap, mayShrink: true) }

    /// - Parameter mayShrink: as `ImageTexture`'s.
    func set(_ id: ImageID, _ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) {
        let still = try factory.make(bitmap, mayShrink: mayShrink)
        remove(id)
        generation &+= 1
        images[id] = Entry(still: still, lastDrawn: frame)
        bytes += still.bytes
    }

    /// Forgets an image; nothing is drawn for it then.
    public func remove(_ id: ImageID) {
        missing.remove(id)
        guard let entry = images.removeValue(forKey: id) else { return }
        generation &+= 1
        drop(entry)
    }

    public func has(_ id: ImageID) -> Bool { images[id] != nil }

    /// Images that were to be drawn and were not there: never given, removed or dropped. Each is told once.
    public func takeMissing() -> [ImageID] {
        defer { missing.removeAll(keepingCapacity: true) }
        return Array(missing)
    }

    /// Whether something was made that the last frame lacked: a reason to draw another.
    public var hasFinished: Bool { thread?.hasFinished ?? false }

    /// Takes in what was made meanwhile, as much of it as a frame may take. True where there is something new to see: a
    /// reason to draw, and to capture again what is shown as a capture.
    ///
    /// A frame does the same as it begins. Who shows captures calls it before.
    @discardableResult public func takeFinished() -> Bool {
        var (uploaded, isNew) = (0, false)
        while uploaded < uploadLimit, let (key, bitmap) = thread?.takeFinished() {
            requested.remove(key)
            if keep(bitmap, for: key) != nil { isNew = true }
            uploaded += bitmap.pixels.count
        }
        if isNew { generation &+= 1 }
        return isNew
    }

    /// Has the thread set what `list` names and is not there yet, for a page that is about to be seen.
    ///
    /// What is there counts as drawn. A page that stays covered is to be prepared again every few seconds, or its text
    /// goes as all that nobody looks at.
    public func prepare(_ list: DisplayList) {
        for case .image(let placement) in list.items {
            if case .image(let id) = placement.source {
                if images[id] != nil { images[id]?.lastDrawn = frame } else if !has(id) { missing.insert(id) }
                continue
            }
            let key = RasterImageKey(source: placement.source, size: placement.destination.size, scale: list.scale)
            if let index = stills.index(forKey: key) {
                stills.values[index].lastDrawn = frame
            } else if canBeSet(key) {
                request(key)
            }
        }
    }

    /// The first text of a program reads the system's fonts: not on the main thread.
    private var canSetInline: Bool { !isSlowAtFirst || thread?.isWarm == true }

    /// How much all of them hold.
    public var byteCount: Int { bytes }

    private func canBeSet(_ key: RasterImageKey) -> Bool {
        key.scale > 0 && max(key.size.width, key.size.height) <= factory.sizeLimit
    }

    private func request(_ key: RasterImageKey) {
        guard let thread, requested.insert(key).inserted else { return }
        if let givenUp = thread.request(key) { requested.remove(givenUp) }
    }

    // MARK: - For the compositor

    func addViewer() -> Viewer {
        let place = (0..<4).first { place in !views.contains { $0.viewer.place == place } } ?? 3
        lastViewer += 1
        let viewer = Viewer(place: place, number: lastViewer)
        views.append(View(viewer: viewer))
        return viewer
    }

    func remove(_ viewer: Viewer) { views.removeAll { $0.viewer == viewer } }

    /// Whether text was missing in the viewer's last frame that can be there in a later one.
    func lacksImages(_ viewer: Viewer) -> Bool { index(of: viewer).map { views[$0].lacksImages } ?? false }

    /// A frame begins: what the thread has finished is taken in.
    ///
    /// - Parameter isWhole: false where it is drawn over the last one, which is on show still.
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

    /// Whether a window still shows it.
    private func isOnShow(_ entry: Entry) -> Bool {
        for view in views where entry.frames[view.viewer.place] >= view.frame { return true }
        return false
    }

    /// A frame ends: what there is too much of goes, and what nobody will draw again (a clock's past).
    func endFrame() {
        inlineLeft = Self.inlineCount
        if frame % Self.patience == 0 {
            while let key = oldest(stills, before: frame - Self.patience) { drop(stills.removeValue(forKey: key)) }
        }
        while bytes > byteLimit {
            let still = oldest(stills, before: frame)
            let image = oldest(images, before: frame)
            // What was drawn at the same time: rather what can be made again without asking anybody.
            if let still, (stills[still]?.lastDrawn ?? 0) <= image.flatMap({ images[$0]?.lastDrawn }) ?? .max {
                drop(stills.removeValue(forKey: still))
            } else if let image {
                drop(images.removeValue(forKey: image))
            } else {
                return
            }
        }
    }

    /// All of `list` that is there is on show still, though the last frame drew a part of it; and nothing else is.
    func keepShown(_ list: DisplayList, viewer: Viewer) {
        if let index = index(of: viewer) { views[index].frame = frame }
        for case .image(let placement) in list.items {
            if case .image(let id) = placement.source {
                images[id]?.lastDrawn = frame
                images[id]?.frames[viewer.place] = frame
                continue
            }
            let key = RasterImageKey(source: placement.source, size: placement.destination.size, scale: list.scale)
            guard let index = stills.index(forKey: key) else { continue }
            stills.values[index].lastDrawn = frame
            stills.values[index].frames[viewer.place] = frame
        }
    }

    /// What was not drawn for the longest time, and not since `frame`, and is on no window.
    private func oldest<Key>(_ entries: [Key: Entry], before frame: Int) -> Key? {
        var oldest: (key: Key, lastDrawn: Int)?
        for (key, entry) in entries where entry.lastDrawn < frame && !isOnShow(entry) {
            if let found = oldest, found.lastDrawn <= entry.lastDrawn { continue }
            oldest = (key, entry.lastDrawn)
        }
        return oldest?.key
    }

    /// The still for what is placed; nil while there is none, and where there is nothing to see.
    ///
    /// Called in a frame or for a capture, which lies between two frames.
    func still(for placement: ImagePlacement, scale: Double, viewer: Viewer) -> RasterImage? {
        if case .image(let id) = placement.source {
            guard let still = images[id]?.still else {
                missing.insert(id)
                return nil
            }
            images[id]?.lastDrawn = frame
            images[id]?.frames[viewer.place] = frame
            return still
        }
        let key = RasterImageKey(source: placement.source, size: placement.destination.size, scale: scale)
        if let index = stills.index(forKey: key) {
            stills.values[index].lastDrawn = frame
            stills.values[index].frames[viewer.place] = frame
            return stills.values[index].still
        }
        guard canBeSet(key) else { return nil }
        if inlineLeft > 0, canSetInline, Self.isShort(key.source), let setter {
            inlineLeft -= 1
            return keep(setter.bitmap(of: key.source, box: key.size, scale: scale), for: key, viewer: viewer)
        }
        request(key)
        if let index = index(of: viewer) { views[index].lacksImages = true }
        return nil
    }

    private static func isShort(_ source: ImagePlacement.Source) -> Bool {
        guard case .text(let text) = source else { return true }
        return text.string.unicodeScalars.prefix(inlineCharacters + 1).count <= inlineCharacters
    }

    @discardableResult private func keep(
        _ bitmap: Bitmap, for key: RasterImageKey, viewer: Viewer? = nil
    ) -> RasterImage? {
        let still = try? factory.make(bitmap, mayShrink: false)
        var entry = Entry(still: still, lastDrawn: frame)
        if let viewer { entry.frames[viewer.place] = frame }
        drop(stills.updateValue(entry, forKey: key))
        bytes += still?.bytes ?? 0
        return still
    }

    private func drop(_ entry: Entry?) { bytes -= entry?.still?.bytes ?? 0 }
}
