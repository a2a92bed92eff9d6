public import Geometry
public import Layers
public import Picture

/// Sets text and draws icons, by Pango and Cairo, into bitmaps.
///
/// Not to be shared between threads: each thread makes its own. Two of them may work at the same time, because each has
/// a font map of its own, which is what Pango asks for (see `pango_cairo_font_map_get_default`'s documentation).
///
/// The first text in a process waits for the list of the system's fonts: 5 to 25 ms, and 0.3 s where fontconfig finds its
/// cache outdated. The first sign of each script opens another font: 2 to 15 ms. Neither is for the frame loop.
public final class TextRasterizer {
    private let language: String
    private var fonts: FontContext
    /// The sizes, in pixels, in which `fonts` has opened fonts.
    private var fontSizes: Set<Double> = []
    /// A font map keeps each font in each size, about 100 KiB of it, for good. This many sizes are more than an interface
    /// has, so that only what changes its scale all the time begins with a new map now and then, which takes 1 ms.
    private static let mostFontSizes = 64

    /// - Parameter language: a language tag like `ja` or `zh-tw`, which decides the forms of characters that Chinese,
    ///   Japanese and Korean share.
    public init(language: String = TextLanguage.ofTheEnvironment) {
        self.language = language
        fonts = FontContext(language: language)
    }

    /// The size that `text` takes, in points, rounded up to whole device pixels.
    ///
    /// - Parameters:
    ///   - maxWidth: in points; words are wrapped and what does not fit is left out. Nil: as wide as it likes.
    ///   - scale: device pixels per point.
    /// - Returns: never wider than `maxWidth`, rounded up to a whole device pixel; zero where size or scale are nonsense.
    public func measure(_ text: TextContent, maxWidth: Double?, scale: Double) -> Size {
        guard let layout = layout(of: text, maxWidth: maxWidth.map { $0 * scale }, scale: scale) else { return .zero }
        return Size(width: Double(layout.size.width) / scale, height: Double(layout.size.height) / scale)
    }

    /// `text` set into `box`: aligned, centered vertically, wrapped and shortened to fit.
    ///
    /// - Parameters:
    ///   - box: in device pixels; each side at most 16,384.
    ///   - scale: device pixels per point.
    /// - Returns: a bitmap of the box's size, or an empty one where box, size or scale are nonsense.
    public func bitmap(of text: TextContent, box: PixelSize, scale: Double) -> Bitmap {
        guard Canvas.canHave(box), let layout = layout(of: text, maxWidth: Double(box.width), scale: scale) else {
            return .empty
        }
        return Canvas.bitmap(of: box) { layout.draw(on: $0, in: box) }
    }

    /// `icon` in `color`, in the largest square in the middle of `box`.
    ///
    /// - Parameters:
    ///   - box: in device pixels; each side at most 16,384.
    ///   - scale: device pixels per point, by which a small icon's lines are kept from becoming too thin.
    /// - Returns: a bitmap of the box's size, or an empty one where box or scale are nonsense.
    public func bitmap(of icon: Icon, color: Color, box: PixelSize, scale: Double) -> Bitmap {
        guard scale > 0, scale.isFinite else { return .empty }
        return Canvas.bitmap(of: box) { icon.draw(on: $0, in: box, color: color, scale: scale) }
    }

    /// How many characters of `text` no font on this machine has; they are drawn as boxes.
    func missingGlyphs(in text: TextContent) -> Int {
        layout(of: text, maxWidth: nil, scale: 1)?.missingGlyphs ?? 0
    }

    /// - Parameter maxWidth: in pixels.
    private func layout(of text: TextContent, maxWidth: Double?, scale: Double) -> TextLayout? {
        let size = text.style.size * scale
        if !fontSizes.contains(size), fontSizes.count == Self.mostFontSizes {
            fonts = FontContext(language: language)
            fontSizes = []
        }
        guard let layout = TextLayout(text, maxWidth: maxWidth, scale: scale, context: fonts.context) else {
            return nil
        }
        fontSizes.insert(size)
        return layout
    }
}
