import GlissadeCASS
import GlissadeGeometry
import GlissadePicture

/// Composes libass's output: a list of coverage masks, each with one color, from back to front.
enum AssImages {
    /// Blends all images into a bitmap that covers their bounding box. Returns nil if nothing is visible.
    static func composed(
        _ first: UnsafeMutablePointer<ASS_Image>?, _ correction: ColorCorrection? = nil
    ) -> SubtitleImage? {
        var bounds: PixelRect?
        forEach(first) { image in
            let rect = place(of: image)
            bounds = bounds.map { $0.union(rect) } ?? rect
        }
        guard let bounds, !bounds.isEmpty else { return nil }
        let pixels = [UInt8](unsafeUninitializedCapacity: bounds.width * bounds.height * 4) { buffer, count in
            count = bounds.width * bounds.height * 4
            buffer.initialize(repeating: 0)
            buffer.withMemoryRebound(to: UInt32.self) { target in
                forEach(first) { blend($0, correction, onto: target, of: bounds) }
            }
        }
        return trimmed(pixels, in: bounds)
    }

    /// Removes the empty rows and columns that libass adds at the edges as padding.
    private static func trimmed(_ pixels: [UInt8], in bounds: PixelRect) -> SubtitleImage? {
        pixels.withUnsafeBytes { bytes -> SubtitleImage? in
            let words = bytes.bindMemory(to: UInt32.self)
            let width = bounds.width
            func isEmpty(row: Int) -> Bool { words[row * width..<(row + 1) * width].allSatisfy { $0 == 0 } }
            guard let top = (0..<bounds.height).first(where: { !isEmpty(row: $0) }),
                let bottom = (0..<bounds.height).last(where: { !isEmpty(row: $0) })
            else { return nil }
            func isEmpty(column: Int) -> Bool { (top...bottom).allSatisfy { words[$0 * width + column] == 0 } }
            // The remaining rows are not all empty, so some columns are not empty either.
            let left = (0..<width).first { !isEmpty(column: $0) } ?? 0
            let right = (0..<width).last { !isEmpty(column: $0) } ?? width - 1
            let rect = PixelRect(
                minX: bounds.minX + left, minY: bounds.minY + top, maxX: bounds.minX + right + 1,
                maxY: bounds.minY + bottom + 1)
            var kept: [UInt8] = []
            kept.reserveCapacity(rect.width * rect.height * 4)
            for row in top...bottom {
                kept += UnsafeRawBufferPointer(
                    rebasing: bytes[(row * width + left) * 4..<(row * width + right + 1) * 4])
            }
            return SubtitleImage(bitmap: Bitmap(size: rect.size, pixels: kept), rect: rect)
        }
    }

    private static func forEach(_ first: UnsafeMutablePointer<ASS_Image>?, _ body: (ASS_Image) -> Void) {
        var next = first
        while let image = next {
            // The lowest byte of the color is its transparency; 255 is invisible.
            if image.pointee.w > 0, image.pointee.h > 0, image.pointee.color & 0xFF != 0xFF { body(image.pointee) }
            next = image.pointee.next
        }
    }

    private static func place(of image: ASS_Image) -> PixelRect {
        let (x, y) = (Int(image.dst_x), Int(image.dst_y))
        return PixelRect(minX: x, minY: y, maxX: x + Int(image.w), maxY: y + Int(image.h))
    }

    private static func blend(
        _ image: ASS_Image, _ correction: ColorCorrection?, onto target: UnsafeMutableBufferPointer<UInt32>,
        of bounds: PixelRect
    ) {
        guard let coverage = image.bitmap else { return }
        let color = correction?.corrected(image.color) ?? image.color
        let opacity = 255 - color & 0xFF
        let (red, green, blue) = (color >> 24, color >> 16 & 0xFF, color >> 8 & 0xFF)
        let (width, stride) = (Int(image.w), Int(image.stride))
        for y in 0..<Int(image.h) {
            let from = coverage + y * stride
            let start = (Int(image.dst_y) + y - bounds.minY) * bounds.width + Int(image.dst_x) - bounds.minX
            for x in 0..<width where from[x] != 0 {
                let alpha = divided(UInt32(from[x]) * opacity)
                let source =
                    alpha << 24 | divided(red * alpha) << 16 | divided(green * alpha) << 8 | divided(blue * alpha)
                target[start + x] = over(source, target[start + x])
            }
        }
    }

    /// Returns `value` / 255, rounded. Exact for values up to 255 × 255.
    @inline(__always) private static func divided(_ value: UInt32) -> UInt32 { (value + 128 + (value + 128) >> 8) >> 8 }

    /// Blends the premultiplied color `top` over `under`, two channels at a time.
    @inline(__always) static func over(_ top: UInt32, _ under: UInt32) -> UInt32 {
        let rest = 255 - top >> 24
        guard rest > 0, under != 0 else { return top }
        var low = (under & 0x00FF_00FF) * rest + 0x0080_0080
        low = (low + (low >> 8 & 0x00FF_00FF)) >> 8 & 0x00FF_00FF
        var high = (under >> 8 & 0x00FF_00FF) * rest + 0x0080_0080
        high = (high + (high >> 8 & 0x00FF_00FF)) & 0xFF00_FF00
        return top &+ (low | high)
    }
}

extension PixelRect {
    fileprivate func union(_ other: PixelRect) -> PixelRect {
        PixelRect(
            minX: min(minX, other.minX), minY: min(minY, other.minY), maxX: max(maxX, other.maxX),
            maxY: max(maxY, other.maxY))
    }
}
