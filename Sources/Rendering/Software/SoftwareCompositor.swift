public import Geometry
public import Layers
import Picture

/// Draws display lists into memory, by pixman and without OpenGL: what `Compositor` draws, to the eye.
///
/// Main thread. Once each kind of item was drawn once, a frame takes no memory but what pixman itself takes for a
/// moment.
@MainActor public final class SoftwareCompositor {
    /// Text, icons and still images.
    public let images: ImageCache
    /// Who it is to `images`.
    private let viewer: ImageCache.Viewer
    private var painter: Painter?
    /// The output's buffers, as they were last seen.
    private var buffers: [Raster] = []
    /// An output has no more of them at a time; while its size changes each is another.
    private static let bufferLimit = 4
    /// Opaque items of the list that is drawn, and where they are in it; kept for its storage.
    private var covers: [(index: Int, rect: PixelRect)] = []
    private var damage = FrameDamage()
    /// Frames that were drawn in part since all stills of a list were last said to be on show.
    private var partialFrames = 0

    /// - Parameter images: made for the software renderer (`ImageCache.init` without a device).
    public init(images: ImageCache) {
        self.images = images
        viewer = images.addViewer()
    }

    /// A renderer for another window, with the same images.
    public convenience init(sharing other: SoftwareCompositor) { self.init(images: other.images) }

    isolated deinit { images.remove(viewer) }

    /// Whether the last frame lacked text that is being set: a reason to draw another when `images` has something new.
    public var lacksImages: Bool { images.lacksImages(viewer) }

    /// Draws `list` over the whole of `buffer`, as far as that has the list's viewport; their top left corners are the
    /// same.
    ///
    /// What no item covers keeps what was there. A surface without a picture is black.
    /// - Parameter part: all that is drawn, where the rest is there from before; nil draws everything.
    /// - Throws: `tooLarge`, `allocation`, or `presentation` where the buffer's rows do not lie on whole pixels; what is in
    ///   the buffer is not known then.
    public func draw(
        _ list: DisplayList, into buffer: FrameBuffer, part: PixelRect? = nil,
        surfaces: (SurfaceID) -> SoftwareSurface?
    ) throws(RenderingError) {
        guard !list.viewport.isEmpty, !buffer.size.isEmpty else { return }
        images.beginFrame(of: viewer, isWhole: part == nil)
        defer { images.endFrame() }
        try draw(list, on: raster(of: buffer), part: part, surfaces: surfaces)
    }

    /// What of the last frame that `drawChanges` drew looks otherwise with `list`: nothing has to be drawn or shown
    /// where that is empty. Nil where all of it may.
    ///
    /// Takes in text that was set meanwhile, as a frame does.
    public func changes(
        of list: DisplayList, surfaces: (SurfaceID) -> SoftwareSurface?
    ) -> PixelRect? {
        images.takeFinished()
        return damage.changes(of: list, images: images.generation) { surfaces($0)?.generation }
    }

    /// Draws what of `buffer` is not yet as `list` has it, by what this drew into it before.
    ///
    /// Each call's frame is shown before the next call, or the next one's result is worth nothing.
    /// - Returns: what looks otherwise than in the frame of the call before, whichever buffer that was in; nil where
    ///   that is not known.
    /// - Throws: as `draw`; nothing is counted on afterwards.
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
            // What came in between is in a part of the buffer alone.
            damage.draw(list, buffer: buffer, images: generation) { surfaces($0)?.generation }
            return generation == images.generation ? changed : nil
        } catch {
            damage = FrameDamage()
            throw error
        }
    }

    /// The one picture whose being shown makes the newest frame look like `list`, and what of it has changed: nothing else
    /// has, and nothing is over it there. Nil where there is more to be drawn.
    func soleChange(
        of list: DisplayList, surfaces: (SurfaceID) -> SoftwareSurface?
    ) -> (picture: OutputPicture, changed: PixelRect)? {
        guard let changed = changes(of: list, surfaces: surfaces), !changed.isEmpty,
            let top = list.items.last(where: { !Self.visible($0).intersection(changed).isEmpty }),
            case .surface(let placement) = top, top.opaqueExtent?.contains(changed) == true,
            placement.rotation == .none, placement.validShade == 0,
            let picture = surfaces(placement.surface)?.outputPicture(in: placement.destination)
        else { return nil }
        return (picture, changed)
    }

    /// `list` is on show: of the frame before, its output has changed what `soleChange` found.
    func didShowSoleChange(of list: DisplayList, surfaces: (SurfaceID) -> SoftwareSurface?) {
        damage.draw(list, buffer: nil, images: images.generation) { surfaces($0)?.generation }
        keepShown(list)
    }

    /// What is drawn in parts for long is on show all the same: its stills must not be taken for the oldest ones, nor
    /// all that were drawn since the last whole frame for those on show.
    private func keepShown(_ list: DisplayList) {
        partialFrames += 1
        guard partialFrames >= 64 else { return }
        partialFrames = 0
        images.keepShown(list, viewer: viewer)
    }

    /// Makes what `list` shows the picture of `surface`, as large as the list's viewport. What no item covers is black.
    ///
    /// Text is there as it would be in a frame. Where some is not, `images.takeFinished` says when another capture has
    /// more of it. `surface` itself is not in the picture: where the list has it, it is black.
    /// - Throws: as `draw`, and `emptyPicture`. The picture that `surface` had before may be gone then.
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

    /// How pixman sees a buffer: as before, where the output lends it again.
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
        else { throw .presentation("a buffer's rows do not lie on whole pixels") }
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
                let still = images.still(for: placement, scale: list.scale, viewer: viewer) as? ImageRaster
            else { return }
            painter.draw(still, placement, destination: placement.destination.bounded, clip: clip)
        case .surface(let placement):
            guard placement.opacity > 0 else { return }
            let destination = placement.destination.bounded
            if let surface = surfaces(placement.surface), let raster = surface.raster {
                guard !destination.isEmpty else { return }
                painter.draw(
                    raster, brightnessOffset: surface.liftLevels, placement, destination: destination, clip: clip)
            } else if placement.turn == 0 {
                // One that turns is a picture on its way; without a picture there is nothing to turn.
                let black = Color(red: 0, green: 0, blue: 0, alpha: placement.opacity)
                painter.draw(
                    Gradient(black), cornerRadius: placement.cornerRadius, destination: destination, clip: clip)
            }
        }
    }

    /// Nothing of an item is drawn outside.
    private static func visible(_ item: DisplayList.Item) -> PixelRect {
        switch item {
        case .fill(let rect, _): rect
        case .box(let placement): placement.clip.intersection(placement.destination)
        case .surface(let placement):
            placement.turn == 0 ? placement.clip.intersection(placement.destination) : placement.clip
        case .image(let placement): placement.clip.intersection(placement.destination)
        case .shadow(let placement): placement.clip
        }
    }

    /// Opaque items that hide something worth looking for.
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
