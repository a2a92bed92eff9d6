import GlissadeCPango
import GlissadeGeometry
import GlissadePicture

/// A Cairo drawing context, valid only while its bitmap is being drawn.
///
/// After an error, Cairo ignores all further calls, and whatever is not drawn stays transparent.
struct Canvas: ~Copyable {
    /// The Cairo context, which Pango also draws into.
    let cairo: OpaquePointer

    private init(cairo: OpaquePointer) { self.cairo = cairo }
    deinit { cairo_destroy(cairo) }

    /// The maximum width or height of a bitmap, in pixels.
    private static let longestSide = 16384
    /// The maximum area of a bitmap, in pixels. Such a bitmap takes 256 MiB.
    private static let largestArea = 1 << 26

    /// Whether `size` is not empty and within the limits for a bitmap.
    static func canHave(_ size: PixelSize) -> Bool {
        !size.isEmpty && size.width <= longestSide && size.height <= longestSide
            && size.width * size.height <= largestArea
    }

    /// Returns a bitmap of `size` with the content drawn by `draw`, or an empty bitmap if `canHave(size)` is false.
    static func bitmap(of size: PixelSize, draw: (borrowing Canvas) -> Void) -> Bitmap {
        guard canHave(size) else { return .empty }
        // Cairo's ARGB32 pixels are native 32-bit words: in memory B, G, R, A on the little-endian machines that Swift
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

    /// Calls `draw` with `color` as the drawing color. The canvas must still be empty.
    ///
    /// The color's alpha is applied to the result as a whole, so overlapping strokes do not look more opaque. Color
    /// glyphs keep their own colors but become translucent too.
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

    /// Returns `value` clamped to 0…1; 0 for NaN.
    private static func component(_ value: Double) -> Double { value > 0 ? min(value, 1) : 0 }
}
