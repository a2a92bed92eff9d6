import CPango
import Geometry
import Picture

/// A Cairo surface, lent for the length of a drawing.
///
/// Cairo keeps its errors in itself and draws no more after one, so nothing here fails: what could not be drawn is clear.
struct Canvas: ~Copyable {
    /// For Pango, which draws into it too.
    let cairo: OpaquePointer

    private init(cairo: OpaquePointer) { self.cairo = cairo }
    deinit { cairo_destroy(cairo) }

    /// The largest width or height; Cairo's own limit is twice that.
    private static let longestSide = 16384
    /// The largest area, 256 MiB: more is a mistake of layout, and no text.
    private static let largestArea = 1 << 26

    /// Whether a bitmap of `size` can be made.
    static func canHave(_ size: PixelSize) -> Bool {
        !size.isEmpty && size.width <= longestSide && size.height <= longestSide
            && size.width * size.height <= largestArea
    }

    /// A bitmap of `size` with what `draw` has drawn; empty where there can be none.
    static func bitmap(of size: PixelSize, draw: (borrowing Canvas) -> Void) -> Bitmap {
        guard canHave(size) else { return .empty }
        // Cairo's ARGB32 is a native 32-bit word: B, G, R, A in memory on the little-endian machines that Swift runs on.
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

    /// Draws by `draw` in `color`. Its alpha is applied to the whole: strokes and glyphs that lie over one another do not
    /// add up, and colored glyphs, which have no other color than their own, fade like the rest.
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

    /// 0…1, and 0 for what is no number.
    private static func component(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
}
