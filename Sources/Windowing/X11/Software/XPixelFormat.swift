import GlissadeCXCB
import Glibc
import GlissadeRendering

/// The pixel format of a window: the layout of an image's rows, and the positions of red, green and blue in a pixel.
struct XPixelFormat: Sendable {
    let depth: Int
    let bitsPerPixel: Int
    /// Rows are padded to a multiple of this many bits.
    let scanlinePad: Int
    let isBigEndian: Bool
    let red: UInt32
    let green: UInt32
    let blue: UInt32

    // Visual classes from X.h.
    private static let trueColor: Int32 = 4
    private static let directColor: Int32 = 5

    init(
        depth: Int, bitsPerPixel: Int, scanlinePad: Int = 32, isBigEndian: Bool = false, red: UInt32, green: UInt32,
        blue: UInt32
    ) {
        self.depth = depth
        self.bitsPerPixel = bitsPerPixel
        self.scanlinePad = scanlinePad
        self.isBigEndian = isBigEndian
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Creates the pixel format of a visual. Nil if a pixel does not consist of red, green and blue, or is not a
    /// whole number of bytes.
    init?(_ visual: GlissadeXVisual) {
        guard [Self.trueColor, Self.directColor].contains(visual.visual_class),
            [8, 16, 24, 32].contains(visual.bits_per_pixel), [8, 16, 32].contains(visual.scanline_pad),
            visual.depth <= visual.bits_per_pixel, visual.red != 0, visual.green != 0, visual.blue != 0
        else { return nil }
        self.init(
            depth: Int(visual.depth), bitsPerPixel: Int(visual.bits_per_pixel), scanlinePad: Int(visual.scanline_pad),
            isBigEndian: visual.is_big_endian != 0, red: visual.red, green: visual.green, blue: visual.blue)
    }

    /// Creates the pixel format of a window. Takes one round trip.
    ///
    /// - Throws: `unavailable` if the server does not know the window, or if its visual is not RGB; `presentation` if
    ///   the connection to the server is lost.
    init(of window: UInt32, on connection: XConnection) throws(RenderingError) {
        let raw = connection.raw
        let (visual, shape) = (xcb_get_window_attributes(raw, window), xcb_get_geometry(raw, window))
        let attributes = xcb_get_window_attributes_reply(raw, visual, nil)
        let geometry = xcb_get_geometry_reply(raw, shape, nil)
        defer {
            free(attributes)
            free(geometry)
        }
        try connection.check()
        guard let attributes = attributes?.pointee, let geometry = geometry?.pointee else {
            throw .unavailable("the X server does not know the window 0x\(String(window, radix: 16))")
        }
        guard let format = XPixelFormat(glissade_xcb_visual(raw, attributes.visual, Int32(geometry.depth))) else {
            throw .unavailable("the window's pixels are not made of red, green and blue")
        }
        self = format
    }

    /// Whether a pixel is stored as blue, green, red and an unused byte. False in a window of depth 32, where the
    /// fourth byte is alpha.
    var isPlain: Bool {
        depth == 24 && bitsPerPixel == 32 && !isBigEndian && red == 0xFF0000 && green == 0xFF00 && blue == 0xFF
    }

    /// Opaque black, as a number that the server understands.
    var black: UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(1) << UInt64(depth)) - 1) & ~(red | green | blue)
    }

    /// Returns the number of bytes from one row of an image to the next.
    func stride(width: Int) -> Int { (width * bitsPerPixel + scanlinePad - 1) / scanlinePad * scanlinePad / 8 }
}

/// Converts pixels of four bytes (blue, green, red and an unused byte) to a window's pixel format.
struct XPixelConverter: Sendable {
    private let format: XPixelFormat
    /// Tables that map an 8-bit color component to its bits in a stored pixel.
    private let blue: [UInt32]
    private let green: [UInt32]
    private let red: [UInt32]

    init(_ format: XPixelFormat) {
        self.format = format
        func inOrder(_ pixel: UInt32) -> UInt32 {
            guard format.isBigEndian else { return pixel }
            return switch format.bitsPerPixel {
            case 32: pixel.byteSwapped
            case 16: UInt32(UInt16(truncatingIfNeeded: pixel).byteSwapped)
            default: pixel
            }
        }
        func table(_ mask: UInt32, filling rest: UInt32 = 0) -> [UInt32] {
            let largest = UInt64(mask >> mask.trailingZeroBitCount)
            return (0...255).map { (value: UInt64) in
                let bits = UInt32(truncatingIfNeeded: (value * largest + 127) / 255) << mask.trailingZeroBitCount
                return inOrder(bits & mask | rest)
            }
        }
        blue = table(format.blue)
        green = table(format.green)
        // If there is alpha, makes pixels opaque.
        red = table(format.red, filling: format.black)
    }

    func convert(_ source: UnsafeRawPointer, count: Int, into pixels: UnsafeMutableRawPointer) {
        blue.withUnsafeBufferPointer { blue in
            green.withUnsafeBufferPointer { green in
                red.withUnsafeBufferPointer { red in
                    func pixel(_ index: Int) -> UInt32 {
                        let color = source.loadUnaligned(fromByteOffset: index * 4, as: UInt32.self)
                        return blue[Int(color & 0xFF)] | green[Int(color >> 8 & 0xFF)] | red[Int(color >> 16 & 0xFF)]
                    }
                    switch format.bitsPerPixel {
                    case 32:
                        for index in 0..<count {
                            pixels.storeBytes(of: pixel(index), toByteOffset: index * 4, as: UInt32.self)
                        }
                    case 16:
                        for index in 0..<count {
                            let short = UInt16(truncatingIfNeeded: pixel(index))
                            pixels.storeBytes(of: short, toByteOffset: index * 2, as: UInt16.self)
                        }
                    case 24:
                        let (first, last) = format.isBigEndian ? (2, 0) : (0, 2)
                        for index in 0..<count {
                            let value = pixel(index)
                            let bytes = pixels + index * 3
                            bytes.storeBytes(of: UInt8(truncatingIfNeeded: value), toByteOffset: first, as: UInt8.self)
                            bytes.storeBytes(of: UInt8(truncatingIfNeeded: value >> 8), toByteOffset: 1, as: UInt8.self)
                            bytes.storeBytes(
                                of: UInt8(truncatingIfNeeded: value >> 16), toByteOffset: last, as: UInt8.self)
                        }
                    default:
                        for index in 0..<count {
                            let byte = UInt8(truncatingIfNeeded: pixel(index))
                            pixels.storeBytes(of: byte, toByteOffset: index, as: UInt8.self)
                        }
                    }
                }
            }
        }
    }
}
