public import GlissadeGeometry
public import GlissadeLayers
import GlissadePicture

/// Draws display lists into memory with pixman. The result looks like that of `Compositor`.
///
/// Once each kind of item has been drawn, drawing a frame allocates nothing except pixman's temporary memory.
///
/// Threads: any thread that holds `RenderLock`.
public final class SoftwareCompositor {
    /// The cache of text, icons and raster images.
    public let images: ImageCache
    private let viewer: ImageCache.Viewer
    private var painter: Painter?
    /// The rasters of the output's most recent buffers.
    private var buffers: [Raster] = []
    /// The maximum number of rasters in `buffers`, which is enough for all buffers that an output has at a time.
    private static let bufferLimit = 4
    /// The large opaque items of the list being drawn. Stored here so that draws can reuse the array.
    private var covers: [(index: Int, rect: PixelRect)] = []
    private var damage = FrameDamage()
    /// The number of partial frames since `keepShown` last marked images as visible.
    private var partialFrames = 0

    /// - Parameter images: A cache for the software renderer (`ImageCache.init` without a device).
    public init(images: ImageCache) {
        self.images = images
        viewer = images.addViewer()
    }

    /// Creates a compositor for another window, with the same images.
    public convenience init(sharing other: SoftwareCompositor) { self.init(images: other.images) }

    deinit { RenderLock.withLock { images.remove(viewer) } }

    /// Whether the last frame lacked text or icons that are still being rasterized. If so, draw again when
    /// `images.generation` changes.
    public var lacksImages: Bool { images.lacksImages(viewer) }

    /// Draws `list` into `buffer`. The top left corner of the list is that of the buffer. Items outside the buffer are
    /// not drawn.
    ///
    /// Areas that no item covers keep their content. A surface without a frame is drawn black.
    /// - Parameter part: The area to draw, if the rest of the buffer is up to date; nil draws everything.
    /// - Throws: `tooLarge`, `allocation`, or `presentation` if the stride or the alignment of the buffer is not
    ///   supported. The content of the buffer is then undefined.
    public func draw(
        _ list: DisplayList, into buffer: FrameBuffer, part: PixelRect? = nil,
        surfaces: (SurfaceID) -> SoftwareSurface?
    ) throws(RenderingError) {
        guard !list.viewport.isEmpty, !buffer.size.isEmpty else { return }
        images.beginFrame(of: viewer, isWhole: part == nil)
        defer { images.endFrame() }
        try draw(list, on: raster(of: buffer), part: part, surfaces: surfaces)
    }

    /// Returns the area in which `list` differs from the newest frame: empty if nothing needs to be drawn or shown, nil
    /// if everything may differ.
    ///
    /// Like `draw`, also takes finished text and icons from the raster thread.
    public func changes(
        of list: DisplayList, surfaces: (SurfaceID) -> SoftwareSurface?
    ) -> PixelRect? {
        images.takeFinished()
        return damage.changes(of: list, images: images.generation) { surfaces($0)?.generation }
    }

    /// Draws the parts of `buffer` in which `list` differs from the list that this compositor last drew there.
    ///
    /// The frame must be shown before the next call. Otherwise, the area that the next call returns is meaningless.
    /// - Returns: The area in which `list` differs from the previous frame, whichever buffer that frame was drawn into;
    ///   nil if unknown.
    /// - Throws: The same errors as `draw`; the contents of all buffers then count as unknown.
    public func drawChanges(
        of list: DisplayList, into buffer: FrameBuffer, surfaces: (SurfaceID) -> SoftwareSurface?
    ) throws(RenderingError) -> PixelRect? {
        let changed = changes(of: list, surfaces: surfaces)
        let part = damage.part(of: list, buffer: buffer, images: images.generation) { surfaces($0)?.generation }
        if let part, part.isEmpty {
            damage.draw(list, buffer: buffer, images: images.generation) { surfaces($0)?.generation }
            return changed
        }
        do throws(RenderingError) {
            let generation = images.generation
            try draw(list, into: buffer, part: part, surfaces: surfaces)
            if part != nil { keepShown(list) }
            // Images that arrived during the draw are missing outside `part`, so the earlier generation is recorded.
            damage.draw(list, buffer: buffer, images: generation) { surfaces($0)?.generation }
            return generation == images.generation ? changed : nil
        } catch {
            damage = FrameDamage()
            throw error
        }
    }

    /// Returns the frame of a surface if the output can show it directly, as the only change in the window. Also
    /// returns the area of the window that changes.
    ///
    /// Returns nil if nothing has changed, if anything outside the frame may have changed, or if another item covers
    /// the changed area. Also returns nil if the frame is rotated, mirrored, shaded or not opaque, or if it must be drawn for
    /// another reason.
    func soleChange(
        of list: DisplayList, surfaces: (SurfaceID) -> SoftwareSurface?
    ) -> (picture: OutputPicture, changed: PixelRect)? {
        guard let changed = changes(of: list, surfaces: surfaces), !changed.isEmpty,
            let top = list.items.last(where: { !Self.visible($0).intersection(changed).isEmpty }),
            case .surface(let placement) = top, top.opaqueExtent?.contains(changed) == true,
            placement.rotation == .none, !placement.isMirrored, placement.validShade == 0,
            let picture = surfaces(placement.surface)?.outputPicture(in: placement.destination)
        else { return nil }
        return (picture, changed)
    }

    /// Records `list` as the newest frame, of which only the result of `soleChange` is shown.
    func didShowSoleChange(of list: DisplayList, surfaces: (SurfaceID) -> SoftwareSurface?) {
        damage.draw(list, buffer: nil, images: images.generation) { surfaces($0)?.generation }
        keepShown(list)
    }

    /// Counts a partial frame. In every 64th partial frame, marks the images of `list` as visible. Without this, the
    /// cache would treat visible images that are not redrawn as unused. It would also keep all images drawn since the
    /// last whole frame.
    private func keepShown(_ list: DisplayList) {
        partialFrames += 1
        guard partialFrames >= 64 else { return }
        partialFrames = 0
        images.keepShown(list, viewer: viewer)
    }

    /// Draws `list` as the frame of `surface`, at the size of the list's viewport. Areas that no item covers are black.
    /// If the list contains `surface` itself, it is drawn black.
    ///
    /// Text may still be missing, as in a frame. Once `images.takeFinished` returns true, a new capture contains more
    /// of the text.
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`. After an error, the previous frame of `surface` may be
    ///   lost.
    public func capture(
        _ list: DisplayList, into surface: SoftwareSurface, surfaces: (SurfaceID) -> SoftwareSurface?
    ) throws(RenderingError) {
        try surface.capture(list.viewport) { (raster) throws(RenderingError) in
            raster.fill(PixelRect(size: raster.size), 0xFF00_0000)
            try draw(list, on: raster, part: nil) { id in
                let other = surfaces(id)
                return other === surface ? nil : other
            }
        }
    }

    /// Returns the raster for a buffer. If the output provides the same buffer again, the raster is reused.
    private func raster(of buffer: FrameBuffer) throws(RenderingError) -> Raster {
        let limit = PixmanImage.sizeLimit
        guard max(buffer.size.width, buffer.size.height) <= limit else { throw .tooLarge(buffer.size, limit: limit) }
        if let index = buffers.firstIndex(where: {
            $0.isAt(buffer.memory, stride: buffer.stride, size: buffer.size)
        }) {
            return buffers[index]
        }
        guard buffer.stride >= buffer.size.width * 4, buffer.stride <= 1 << 20, buffer.stride % 4 == 0,
            UInt(bitPattern: buffer.memory) % 4 == 0
        else { throw .presentation("a buffer's rows are not aligned to pixels") }
        if buffers.count >= Self.bufferLimit { buffers.removeFirst() }
        let raster = Raster(.opaque, memory: buffer.memory, stride: buffer.stride, size: buffer.size)
        buffers.append(raster)
        return raster
    }

    // MARK: - Items

    private func draw(
        _ list: DisplayList, on target: Raster, part: PixelRect?, surfaces: (SurfaceID) -> SoftwareSurface?
    ) throws(RenderingError) {
        var bounds = PixelRect(size: list.viewport).intersection(PixelRect(size: target.size))
        if let part { bounds = bounds.intersection(part) }
        guard !bounds.isEmpty else { return }
        guard let painter = painter ?? Painter() else { throw .allocation(list.viewport, code: 0) }
        self.painter = painter
        try painter.begin(target)
        defer { painter.end() }
        let first = list.firstSeen(in: bounds)
        findCovers(in: list, from: first, bounds: bounds)
        for index in first..<list.items.endIndex {
            let clip = Self.visible(list.items[index]).intersection(bounds)
            guard !clip.isEmpty, !isCovered(clip, after: index) else { continue }
            draw(list.items[index], of: list, clip: clip, by: painter, surfaces: surfaces)
        }
    }

    private func draw(
        _ item: DisplayList.Item, of list: DisplayList, clip: PixelRect, by painter: Painter,
        surfaces: (SurfaceID) -> SoftwareSurface?
    ) {
        switch item {
        case .fill(_, let color):
            painter.fill(clip, color)
        case .box(let placement):
            painter.draw(
                placement.gradient, cornerRadius: placement.cornerRadius, destination: placement.destination.bounded,
                clip: clip)
        case .shadow(let placement):
            let caster = placement.caster.bounded
            if !caster.isEmpty { painter.draw(placement, caster: caster, bounds: clip) }
        case .image(let placement):
            guard placement.opacity > 0,
                let (image, destination) = images.image(for: placement, scale: list.scale, viewer: viewer),
                let raster = image as? ImageRaster
            else { return }
            painter.draw(
                raster, placement, destination: destination.bounded, clip: clip.intersection(destination))
        case .surface(let placement):
            guard placement.opacity > 0 else { return }
            let destination = placement.destination.bounded
            if let surface = surfaces(placement.surface), let raster = surface.raster {
                guard !destination.isEmpty else { return }
                painter.draw(
                    raster, brightnessOffset: surface.brightnessLevels, placement, destination: destination, clip: clip)
            } else if placement.quarterTurns == 0 {
                // A surface is rotated only during a transition of its frame. Without a frame, nothing is drawn.
                let black = Color(red: 0, green: 0, blue: 0, alpha: placement.opacity)
                painter.draw(
                    Gradient(black), cornerRadius: placement.cornerRadius, destination: destination, clip: clip)
            }
        }
    }

    /// Returns an area outside which the item draws nothing.
    private static func visible(_ item: DisplayList.Item) -> PixelRect {
        switch item {
        case .fill(let rect, _): rect
        case .box(let placement): placement.clip.intersection(placement.destination)
        case .surface(let placement):
            placement.quarterTurns == 0 ? placement.clip.intersection(placement.destination) : placement.clip
        case .image(let placement): placement.clip.intersection(placement.destination)
        case .shadow(let placement): placement.clip
        }
    }

    /// Collects in `covers` the opaque items that cover at least 1/64 of the area of `bounds`. Smaller items are
    /// unlikely to hide others.
    private func findCovers(in list: DisplayList, from first: Int, bounds: PixelRect) {
        covers.removeAll(keepingCapacity: true)
        let least = bounds.width * bounds.height / 64
        for index in first..<list.items.endIndex {
            guard let rect = list.items[index].opaqueExtent?.intersection(bounds), !rect.isEmpty,
                rect.width * rect.height >= least
            else { continue }
            covers.append((index, rect))
        }
    }

    private func isCovered(_ clip: PixelRect, after index: Int) -> Bool {
        for cover in covers where cover.index > index && cover.rect.contains(clip) { return true }
        return false
    }
}
