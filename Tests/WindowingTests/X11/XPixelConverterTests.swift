import Testing

@testable import GlissadeWindowing

/// What the pixels of windows are made of, by formats that servers have.
@Suite("X11 pixel formats")
struct XPixelConverterTests {
    private func bytes(_ format: XPixelFormat, _ colors: [UInt32]) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: colors.count * format.bitsPerPixel / 8)
        colors.withUnsafeBytes { colors in
            bytes.withUnsafeMutableBytes { bytes in
                XPixelConverter(format).convert(
                    colors.baseAddress!, count: colors.count / 4, into: bytes.baseAddress!)
            }
        }
        return bytes
    }

    private static let sixteen = XPixelFormat(depth: 16, bitsPerPixel: 16, red: 0xF800, green: 0x7E0, blue: 0x1F)

    @Test("RGB 565 rounds to the nearest values, low byte first")
    func sixteen() {
        #expect(
            bytes(Self.sixteen, [0xFF_FF0000, 0x00FF00, 0x0000FF, 0x808080]) == [0, 0xF8, 0xE0, 7, 0x1F, 0, 0x10, 0x84])
    }

    @Test("RGB 565 is stored high byte first on big-endian servers")
    func bigSixteen() {
        let format = XPixelFormat(
            depth: 16, bitsPerPixel: 16, isBigEndian: true, red: 0xF800, green: 0x7E0, blue: 0x1F)
        #expect(bytes(format, [0xFF0000, 0x0000FF]) == [0xF8, 0, 0, 0x1F])
    }

    @Test("30-bit pixels expand 8 bits to 10, keeping black and white")
    func thirty() {
        let format = XPixelFormat(depth: 30, bitsPerPixel: 32, red: 0x3FF0_0000, green: 0xFFC00, blue: 0x3FF)
        let pixels = bytes(format, [0xFFFFFF, 0, 0x800000])
        #expect(pixels == [0xFF, 0xFF, 0xFF, 0x3F, 0, 0, 0, 0, 0, 0, 0x20, 0x20])
    }

    @Test("24-bit pixels with red first, and big-endian ones, are converted")
    func otherOrders() {
        let turned = XPixelFormat(depth: 24, bitsPerPixel: 32, red: 0xFF, green: 0xFF00, blue: 0xFF0000)
        #expect(bytes(turned, [0x77_112233]) == [0x11, 0x22, 0x33, 0])
        let big = XPixelFormat(
            depth: 24, bitsPerPixel: 32, isBigEndian: true, red: 0xFF0000, green: 0xFF00, blue: 0xFF)
        #expect(bytes(big, [0x77_112233]) == [0, 0x11, 0x22, 0x33])
        #expect(!turned.isPlain && !big.isPlain)
    }

    @Test("24-bit pixels of three bytes are converted in either byte order")
    func packed() {
        for isBig in [false, true] {
            let format = XPixelFormat(
                depth: 24, bitsPerPixel: 24, isBigEndian: isBig, red: 0xFF0000, green: 0xFF00, blue: 0xFF)
            let low: [UInt8] = [0x33, 0x22, 0x11, 6, 5, 4]
            #expect(bytes(format, [0x112233, 0x040506]) == (isBig ? [0x11, 0x22, 0x33, 4, 5, 6] : low))
        }
    }

    @Test("Pixels with alpha are opaque, whatever the fourth byte")
    func alpha() {
        let format = XPixelFormat(depth: 32, bitsPerPixel: 32, red: 0xFF0000, green: 0xFF00, blue: 0xFF)
        #expect(bytes(format, [0x00_112233, 0x99_112233]) == [0x33, 0x22, 0x11, 0xFF, 0x33, 0x22, 0x11, 0xFF])
        #expect(!format.isPlain)
    }

    @Test("Rows are padded as the server requires")
    func strides() {
        #expect(Self.sixteen.stride(width: 1) == 4 && Self.sixteen.stride(width: 3) == 8)
        let plain = XPixelFormat(depth: 24, bitsPerPixel: 32, red: 0xFF0000, green: 0xFF00, blue: 0xFF)
        #expect(plain.stride(width: 7) == 28 && plain.isPlain)
    }
}
