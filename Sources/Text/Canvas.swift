import CPango
import Geometry
import Picture

/// A Cairo surface, valid for the duration of a drawing.
///
/// Cairo records errors and then ignores further calls, so nothing here fails: parts that could not be drawn stay
/// transparent.
struct Canvas: ~Copyable {
    /// For Pango, which also draws into it.
    let cairo: OpaquePointer

    private init(cairo: OpaquePointer) { self.cairo = cairo }
    deinit { cairo_destroy(cairo) }

    /// The largest width or height; Cairo's own limit is twice that.
    private static let longestSide = 16384
    /// The largest area, 256 MiB: a larger one is a layout error.
    private static let largestArea = 1 << 26

    /// Whether a bitmap of `size` can be made.
    static func canHave(_ size: PixelSize) -> Bool {
        !size.isEmpty && size.width <= longestSide && size.height <= longestSide
            && size.width * size.height <= largestArea
    }

    /// A bitmap of `size` with the output of `draw`; empty if it cannot be made.
    static func bitmap(of size: PixelSize, draw: (borrowing Canvas) -> Void) -> Bitmap {
        guard canHave(size) else { return .empty }
        // Cairo's ARGB32 is a native 32-bit word: B, G, R, A in memory on the little-endian machines that Swift
        // supports.
        var pixels = [UInt8](repeating: 0, count: size.width * size.height * 4)
        pixels.withUnsafeMutableBufferPointer { bytes in
            let surface = cairo_image_surface_create_for_data(
                bytes.baseAddress, CAIRO_FORMAT_ARGB32, Int32(size.width), Int32(size.height), Int32(size.width * 4))
            defer { cairo_surface_destroy(surface) }
            guard let cairo = cairo_create(surface) else { return }
            draw(Canvas(cairo: cairo))
            cairo_surface_flush(surface)
        }
        return Bitmap(size: size, pixels: pixels)
    }

    /// Draws with `draw` in `color`. Alpha is applied to the result as a whole: overlapping strokes and glyphs do not
    /// add up, and color glyphs, which keep their own colors, fade as well.
    func paint(_ color: Color, draw: (borrowing Canvas) -> Void) {
        cairo_set_source_rgb(cairo, Self.component(color.red), Self.component(color.green), Self.component(color.blue))
        draw(self)
        let alpha = Self.component(color.alpha)
        guard alpha < 1 else { return }
        cairo_set_operator(cairo, CAIRO_OPERATOR_DEST_IN)
        cairo_set_source_rgba(cairo, 0, 0, 0, alpha)
        cairo_paint(cairo)
        cairo_set_operator(cairo, CAIRO_OPERATOR_OVER)
    }

    /// Clamps to 0…1; NaN becomes 0.
    private static func component(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
}
