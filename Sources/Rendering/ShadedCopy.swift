import CGLES
import Motion
import Picture

/// A darker copy of a picture that is already a texture, made by the CPU, for machines on which a copy costs a twentieth
/// of a quad. Main thread, its context current, to the end.
///
/// Only what shows is made, and only once for a level of shade: while a page is dragged that is a few columns a frame,
/// and the strip under the page's shadow, which moves over the picture.
@MainActor final class ShadedCopy {
    private let texture: PlaneTexture
    private let size: PixelSize
    /// The picture itself: B, G, R, A from the top.
    private let original: UnsafeMutableRawPointer
    /// The part of the picture that `original` has.
    private var read = PixelRect.nothing
    /// The part of `texture` that has the picture at `level`.
    private var made = PixelRect.nothing
    private var level: UInt16 = 0
    /// What was asked for last, which is all there.
    private var last: (needed: PixelRect, x: Int, ramp: ShadeRamp)?

    private let block: UnsafeMutableRawPointer
    private let factors: UnsafeMutablePointer<UInt16>

    /// Bytes that are darkened at once: they and their originals stay in the cache until they are on the texture.
    private static let blockBytes = 1 << 17
    /// Pixels are darkened four at a time, and so up to three past a row's end.
    private static let excess = 4
    /// Columns that are made before they show, so that not every frame of a drag has to.
    private static let margin = 64

    /// Nil where the driver cannot copy from such a texture.
    init?(_ format: PictureFormat) {
        size = format.size
        texture = PlaneTexture(format, plane: 0)
        guard texture.framebuffer.isComplete else { return nil }
        let rowBytes = (size.width + Self.excess) * 4
        original = .allocate(byteCount: size.width * size.height * 4 + Self.excess * 4, alignment: 64)
        block = .allocate(byteCount: max(Self.blockBytes, rowBytes), alignment: 64)
        factors = .allocate(capacity: rowBytes)
    }

    isolated deinit {
        original.deallocate()
        block.deallocate()
        factors.deallocate()
    }

    /// The picture is another one.
    func pictureChanged() {
        read = .nothing
        made = .nothing
        last = nil
    }

    /// Copies what `clip` shows of `picture` at `destination`, darkened by `ramp`.
    func copy(
        _ picture: PlaneTexture, to destination: PixelRect, clip: PixelRect, ramp: ShadeRamp, on target: DrawTarget
    ) {
        if level != ramp.level {
            level = ramp.level
            made = .nothing
        }
        let (x, y) = (destination.minX, destination.minY)
        let needed = PixelRect(minX: clip.minX - x, minY: clip.minY - y, maxX: clip.maxX - x, maxY: clip.maxY - y)
        if !read.contains(needed) {
            // All of it: what is dragged shows more with every frame.
            picture.framebuffer.read(PixelRect(size: size), into: original, rowPixels: size.width)
            read = PixelRect(size: size)
        }
        if let last, last.needed == needed, last.x == x, last.ramp == ramp {
            texture.framebuffer.copy(to: destination, clip: clip, on: target)
            return
        }
        last = (needed, x, ramp)
        make(needed, gradient: (ramp.columns.lowerBound - x)..<(ramp.columns.upperBound - x)) { ramp.factor($0 + x) }
        texture.framebuffer.copy(to: destination, clip: clip, on: target)
    }

    /// Makes what is missing of `needed`, and the gradient's columns in any case.
    private func make(_ needed: PixelRect, gradient: Range<Int>, _ factor: (Int) -> UInt16) {
        let (left, right) = (needed.minX, needed.maxX)
        // The gradient is at one end of what shows, and what is beyond it is made with it.
        let isAtLeft = !gradient.isEmpty && right - gradient.upperBound > gradient.lowerBound - left
        if made.minY != needed.minY || made.maxY != needed.maxY || made.maxX < left || made.minX > right {
            made = needed
            if isAtLeft { made.minX = right } else { made.maxX = left }
        }
        if isAtLeft {
            darken(left..<max(made.minX, gradient.upperBound), factor)
            made.minX = gradient.upperBound
            made.maxX = max(made.maxX, made.minX)
        } else if !gradient.isEmpty {
            darken(min(made.maxX, gradient.lowerBound)..<right, factor)
            made.maxX = gradient.lowerBound
            made.minX = min(made.minX, made.maxX)
        }
        if isAtLeft || gradient.isEmpty, made.maxX < right {
            let end = min(right + Self.margin, size.width)
            darken(made.maxX..<end, factor)
            made.maxX = end
        }
        if !isAtLeft, left < made.minX {
            let start = max(left - Self.margin, 0)
            darken(start..<made.minX, factor)
            made.minX = start
        }
    }

    /// Puts the rows of `made` on the texture, in these columns.
    private func darken(_ columns: Range<Int>, _ factor: (Int) -> UInt16) {
        let piece = PixelRect(minX: columns.lowerBound, minY: made.minY, maxX: columns.upperBound, maxY: made.maxY)
        let vectors = (piece.width + 3) / 4
        for column in 0..<vectors * 4 {
            let value = factor(min(piece.minX + column, piece.maxX - 1))
            factors[column * 2] = value
            factors[column * 2 + 1] = value
        }
        glActiveTexture(GLenum(GL_TEXTURE0))
        glPixelStorei(GLenum(GL_UNPACK_ALIGNMENT), 4)
        let rowsAtOnce = max(Self.blockBytes / (vectors * 16), 1)
        var row = piece.minY
        while row < piece.maxY {
            let end = min(row + rowsAtOnce, piece.maxY)
            for y in row..<end {
                darkenRow(
                    original + (y * size.width + piece.minX) * 4, block + (y - row) * vectors * 16, vectors: vectors)
            }
            let rect = PixelRect(minX: piece.minX, minY: row, maxX: piece.maxX, maxY: end)
            texture.upload(rect, from: block, rowTexels: vectors * 4)
            row = end
        }
    }

    /// Each byte times its factor, rounded: 255 · 256 + 128 is the most, and fits in the 16 bits that two share.
    private func darkenRow(_ from: UnsafeMutableRawPointer, _ to: UnsafeMutableRawPointer, vectors: Int) {
        let factors = UnsafeRawPointer(factors)
        let (low, half) = (SIMD8<UInt16>(repeating: 0x00FF), SIMD8<UInt16>(repeating: 128))
        for index in 0..<vectors {
            let pairs = from.loadUnaligned(fromByteOffset: index * 16, as: SIMD8<UInt16>.self)
            let factor = factors.loadUnaligned(fromByteOffset: index * 16, as: SIMD8<UInt16>.self)
            let first = ((pairs & low) &* factor &+ half) &>> 8
            let second = ((pairs &>> 8) &* factor &+ half) & ~low
            to.storeBytes(of: first | second | Self.alpha, toByteOffset: index * 16, as: SIMD8<UInt16>.self)
        }
    }

    /// The fourth byte of every pixel, which is nobody's, is 255.
    private static let alpha = SIMD8<UInt16>(0, 0xFF00, 0, 0xFF00, 0, 0xFF00, 0, 0xFF00)
}

extension PixelRect {
    fileprivate static let nothing = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)
}
