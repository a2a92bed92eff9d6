public import Geometry
public import Layers
public import Picture

/// Rasterizes text and icons into bitmaps, with Pango and Cairo.
///
/// Not thread-safe: each thread creates its own. Several may work at the same time, since each has its own font map, as
/// Pango requires (see the documentation of `pango_cairo_font_map_get_default`).
///
/// The first text in a process waits for the list of the system's fonts: 5 to 25 ms, or 0.3 s if fontconfig finds its
/// cache outdated. The first glyph of each script opens another font: 2 to 15 ms. Neither belongs in the frame loop.
public final class TextRasterizer {
    private let language: String
    private var fonts: FontContext
    /// The font sizes, in pixels, opened in `fonts`.
    private var fontSizes: Set<Double> = []
    /// A font map keeps each font at each size forever, about 100 KiB each. This limit exceeds the number of sizes in
    /// an interface. Only if the scale changes continuously is the font map occasionally replaced, which takes 1 ms.
    private static let mostFontSizes = 64

    /// - Parameter language: A language tag such as `ja` or `zh-tw`, which selects the forms of characters shared by
    ///   Chinese, Japanese and Korean.
    public init(language: String = TextLanguage.ofTheEnvironment) {
        self.language = language
        fonts = FontContext(language: language)
    }

    /// The size of `text`, in points, rounded up to whole device pixels.
    ///
    /// - Parameters:
    ///   - maxWidth: In points. Words wrap, and text that does not fit is truncated. Nil for no limit.
    ///   - scale: Device pixels per point.
    /// - Returns: A size at most `maxWidth` wide, rounded up to a whole device pixel; zero if the size or scale is
    ///   invalid.
    public func measure(_ text: TextContent, maxWidth: Double?, scale: Double) -> Size {
        guard let layout = layout(of: text, maxWidth: maxWidth.map { $0 * scale }, scale: scale) else { return .zero }
        return Size(width: Double(layout.size.width) / scale, height: Double(layout.size.height) / scale)
    }

    /// Rasterizes `text` into `box`: aligned, centered vertically, wrapped and shortened to fit.
    ///
    /// - Parameters:
    ///   - box: In device pixels; each side at most 16,384.
    ///   - scale: Device pixels per point.
    /// - Returns: A bitmap of the box's size; empty if the box, size or scale is invalid.
    public func bitmap(of text: TextContent, box: PixelSize, scale: Double) -> Bitmap {
        guard Canvas.canHave(box), let layout = layout(of: text, maxWidth: Double(box.width), scale: scale) else {
            return .empty
        }
        return Canvas.bitmap(of: box) { layout.draw(on: $0, in: box) }
    }

    /// Rasterizes `text` without its box; nil if it is wrapped or shortened in a box of that size.
    ///
    /// Drawn where its metrics say, it is what `bitmap` contains for any box that it fits in.
    public func line(of text: TextContent, box: PixelSize, scale: Double) -> (bitmap: Bitmap, metrics: TextLineMetrics)?
    {
        guard Canvas.canHave(box) else { return nil }
        return layout(of: text, maxWidth: Double(box.width), scale: scale)?.line()
    }

    /// Rasterizes `icon` in `color`, in the largest centered square of `box`.
    ///
    /// - Parameters:
    ///   - box: In device pixels; each side at most 16,384.
    ///   - scale: Device pixels per point, used to keep the lines of small icons from becoming too thin.
    /// - Returns: A bitmap of the box's size; empty if the box or scale is invalid.
    public func bitmap(of icon: Icon, color: Color, box: PixelSize, scale: Double) -> Bitmap {
        guard scale > 0, scale.isFinite else { return .empty }
        return Canvas.bitmap(of: box) { icon.draw(on: $0, in: box, color: color, scale: scale) }
    }

    /// The number of characters in `text` that no installed font has; they are drawn as boxes.
    func missingGlyphs(in text: TextContent) -> Int {
        layout(of: text, maxWidth: nil, scale: 1)?.missingGlyphs ?? 0
    }

    /// - Parameter maxWidth: In pixels.
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
