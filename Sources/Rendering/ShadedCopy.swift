import CGLES
import Motion
import Picture

/// A darker copy of a picture that is already a texture, made by the CPU, for machines on which a copy costs a twentieth
/// of a quad. Main thread, its context current, to the end.
///
/// Only what shows is made, and only once for a level of shade: while a page is dragged, most frames make nothing but
/// the strip under the page's shadow, which moves over the picture and so has a texture of its own.
///
/// Measured on llvmpipe 22.3 at 1280×720 (`compositor-benchmark`): a page at rest 0.08 ms, held at p = 0.1, 0.4 and 0.8
/// 0.09, 0.09 and 0.10 ms, swinging 0.12 ms; a single quad, 1.6 ms. What is left of the difference is memory: rows in
/// two pieces from two textures, of which only the film's was just written.
@MainActor final class ShadedCopy {
    private let format: PictureFormat
    var size: PixelSize { format.size }
    private let texture: PlaneTexture
    /// The columns under a gradient, from the first row and column on. There is room for more than it holds.
    private(set) var strip: PlaneTexture?
    /// The part of `texture` that has the picture at `level`.
    private var made = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
    private var level: UInt16 = 0
    /// What `strip` holds: the ramp, and where in the picture.
    private var stripRamp: ShadeRamp?
    private var stripPart = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)

    /// Rows on their way from the one texture to the other: B, G, R, A.
    private let block: UnsafeMutableRawPointer
    private let factors: UnsafeMutablePointer<UInt16>

    /// Bytes that are darkened at once: they stay in the cache from when they are read until they are on the texture.
    private static let blockBytes = 1 << 17
    /// Pixels are darkened four at a time, and so up to three past a row's end.
    private static let excess = 4
    /// Columns that are made before they show: further than a hand moves a page until its shade's next level.
    private static let margin = 128
    /// Columns by which the room under a gradient grows: a shadow that comes in from the edge has a column more with every
    /// frame, and a texture is not to be made in each.
    private static let stripStep = 32

    /// Nil where the driver cannot copy from such a texture.
    init?(_ format: PictureFormat) {
        self.format = format
        texture = PlaneTexture(format, plane: 0)
        guard texture.framebuffer.isComplete else { return nil }
        let rowBytes = (format.size.width + Self.excess) * 4
        block = .allocate(byteCount: max(Self.blockBytes, rowBytes), alignment: 64)
        factors = .allocate(capacity: rowBytes / 2)
    }

    isolated deinit {
        block.deallocate()
        factors.deallocate()
    }

    /// The picture is another one.
    func pictureChanged() {
        made.maxX = made.minX
        stripRamp = nil
    }

    /// Copies what `clip` shows of `picture` at `destination`, darkened by `ramp`.
    func copy(
        _ picture: PlaneTexture, to destination: PixelRect, clip: PixelRect, ramp: ShadeRamp, on target: DrawTarget
    ) {
        if level != ramp.level {
            level = ramp.level
            made.maxX = made.minX
        }
        let columns = ramp.columns
        if columns.isEmpty { return copyPlain(picture, to: destination, clip: clip, on: target) }
        var part = clip
        part.maxX = columns.lowerBound
        copyPlain(picture, to: destination, clip: part, on: target)
        (part.minX, part.maxX) = (columns.upperBound, clip.maxX)
        copyPlain(picture, to: destination, clip: part, on: target)
        (part.minX, part.maxX) = (columns.lowerBound, columns.upperBound)
        copyStrip(picture, to: destination, clip: part, ramp: ramp, on: target)
    }

    private func copyPlain(_ picture: PlaneTexture, to destination: PixelRect, clip: PixelRect, on target: DrawTarget) {
        guard !clip.isEmpty else { return }
        if level == 256 { return picture.framebuffer.copy(to: destination, clip: clip, on: target) }
        make(clip.moved(-destination.minX, -destination.minY), of: picture)
        texture.framebuffer.copy(to: destination, clip: clip, on: target)
    }

    private func copyStrip(
        _ picture: PlaneTexture, to destination: PixelRect, clip: PixelRect, ramp: ShadeRamp, on target: DrawTarget
    ) {
        let part = clip.moved(-destination.minX, -destination.minY)
        if strip.map({ $0.size.width < part.width || $0.size.height < part.height }) ?? true {
            var format = format
            format.size.width = (part.width + Self.stripStep - 1) / Self.stripStep * Self.stripStep
            strip = PlaneTexture(format, plane: 0)
            stripRamp = nil
        }
        guard let strip else { return }
        if stripRamp != ramp || stripPart != part {
            (stripRamp, stripPart) = (ramp, part)
            let shift = destination.minX
            darken(part, of: picture, onto: strip, at: (0, 0)) { ramp.factor($0 + shift) }
        }
        strip.framebuffer.copy(to: PixelRect(size: strip.size).moved(clip.minX, clip.minY), clip: clip, on: target)
    }

    /// Makes what is missing of `needed`.
    private func make(_ needed: PixelRect, of picture: PlaneTexture) {
        let isApart = made.isEmpty || made.maxX < needed.minX || made.minX > needed.maxX
        if isApart || made.minY != needed.minY || made.maxY != needed.maxY {
            made = needed
            made.maxX = made.minX
        }
        var missing = made
        if needed.minX < made.minX || made.isEmpty {
            missing.maxX = made.minX
            missing.minX = max(needed.minX - Self.margin, 0)
            darken(missing, of: picture, onto: texture, at: (missing.minX, missing.minY)) { _ in level }
            made.minX = missing.minX
        }
        if needed.maxX > made.maxX {
            missing.minX = made.maxX
            missing.maxX = min(needed.maxX + Self.margin, format.size.width)
            darken(missing, of: picture, onto: texture, at: (missing.minX, missing.minY)) { _ in level }
            made.maxX = missing.maxX
        }
    }

    /// Puts a part of the picture on a texture, each column by its factor.
    private func darken(
        _ part: PixelRect, of picture: PlaneTexture, onto texture: PlaneTexture, at corner: (x: Int, y: Int),
        _ factor: (Int) -> UInt16
    ) {
        guard !part.isEmpty else { return }
        let vectors = (part.width + 3) / 4
        for column in 0..<vectors * 4 {
            let value = factor(min(part.minX + column, part.maxX - 1))
            factors[column * 2] = value
            factors[column * 2 + 1] = value
        }
        glActiveTexture(GLenum(GL_TEXTURE0))
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 4)
        let rowsAtOnce = max(Self.blockBytes / (vectors * 16), 1)
        var row = 0
        while row < part.height {
            let end = min(row + rowsAtOnce, part.height)
            let rows = PixelRect(minX: 0, minY: row, maxX: part.width, maxY: end)
            picture.framebuffer.read(rows.moved(part.minX, part.minY), to: block, rowPixels: vectors * 4)
            for y in 0..<rows.height { darkenRow(block + y * vectors * 16, vectors: vectors) }
            texture.upload(rows.moved(corner.x, corner.y), from: block, rowTexels: vectors * 4)
            row = end
        }
    }

    /// Each byte times its factor, rounded: 255 · 256 + 128 is the most, and fits in the 16 bits that two share.
    private func darkenRow(_ row: UnsafeMutableRawPointer, vectors: Int) {
        let factors = UnsafeRawPointer(factors)
        let (low, half) = (SIMD8<UInt16>(repeating: 0x00FF), SIMD8<UInt16>(repeating: 128))
        for index in 0..<vectors {
            let pairs = row.load(fromByteOffset: index * 16, as: SIMD8<UInt16>.self)
            let factor = factors.load(fromByteOffset: index * 16, as: SIMD8<UInt16>.self)
            let first = ((pairs & low) &* factor &+ half) &>> 8
            let second = ((pairs &>> 8) &* factor &+ half) & ~low
            row.storeBytes(of: first | second, toByteOffset: index * 16, as: SIMD8<UInt16>.self)
        }
    }
}
