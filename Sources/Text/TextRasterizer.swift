public import GlissadeGeometry
public import GlissadeLayers
public import GlissadePicture

/// Rasterizes text and icons into bitmaps, with Pango and Cairo.
///
/// Not thread-safe: each thread needs its own instance. Each instance has its own font map, as Pango requires for
/// parallel use (see the documentation of `pango_cairo_font_map_get_default`).
///
/// Laying out the first text in a process loads the list of installed fonts. Loading takes 5 to 25 ms, or 0.3 s if
/// fontconfig's cache is out of date. The first glyph of each script opens another font, which takes 2 to 15 ms.
/// Neither should happen in the frame loop.
public final class TextRasterizer: ImageRasterizer {
    private let language: String
    private var fonts: FontContext
    /// The font sizes that have been opened in `fonts`, in pixels.
    private var fontSizes: Set<Double> = []
    /// The number of font sizes after which the font map is replaced. A font map keeps about 100 KiB for each font and
    /// size, and never frees it. Only a continuously changing scale produces this many sizes.
    private static let mostFontSizes = 64

    /// Creates a rasterizer with its own font map.
    ///
    /// - Parameter language: A language tag such as `ja` or `zh-tw`. It selects the regional forms of characters that
    ///   Chinese, Japanese and Korean share.
    public init(language: String) {
        self.language = language
        fonts = FontContext(language: language)
    }

    /// Creates a rasterizer for the language of the environment.
    public convenience init() { self.init(language: TextLanguage.ofTheEnvironment) }

    /// Returns the size of `text` when wrapped to `maxWidth`.
    ///
    /// - Parameters:
    ///   - maxWidth: The maximum width in points; nil for no limit. Wider text is wrapped, and truncated at its line
    ///     limit.
    ///   - scale: Device pixels per point.
    /// - Returns: The size in points, rounded up to whole device pixels; zero if the font size, `scale` or `maxWidth`
    ///   is invalid.
    public func measure(_ text: TextContent, maxWidth: Double?, scale: Double) -> Size {
        guard let layout = layout(of: text, maxWidth: maxWidth.map { $0 * scale }, scale: scale) else { return .zero }
        return Size(width: Double(layout.size.width) / scale, height: Double(layout.size.height) / scale)
    }

    /// Rasterizes `text` in `box`. Wraps the text to the box's width, truncates it at its line limit, aligns its lines,
    /// and centers it vertically. Text taller than the box is cut off at the top and bottom.
    ///
    /// - Parameters:
    ///   - box: In device pixels; at most 16,384 on each side, and 2²⁶ pixels in all.
    ///   - scale: Device pixels per point.
    /// - Returns: A bitmap of the box's size; empty if the font size or `scale` is invalid, or the box is empty or
    ///   too large.
    public func bitmap(of text: TextContent, box: PixelSize, scale: Double) -> Bitmap {
        guard Canvas.canHave(box), let layout = layout(of: text, maxWidth: Double(box.width), scale: scale) else {
            return .empty
        }
        return Canvas.bitmap(of: box) { layout.draw(on: $0, in: box) }
    }

    /// Rasterizes `text` as a single line, without the empty space around it. Returns nil if the text does not fit on
    /// one line of `box`, or if an argument is invalid.
    ///
    /// When drawn at the position given by the metrics, the bitmap looks the same as one from `bitmap(of:box:scale:)`.
    /// This holds for any box in which the line fits.
    public func line(of text: TextContent, box: PixelSize, scale: Double) -> (bitmap: Bitmap, metrics: TextLineMetrics)?
    {
        guard Canvas.canHave(box) else { return nil }
        return layout(of: text, maxWidth: Double(box.width), scale: scale)?.line()
    }

    /// Rasterizes text or an icon. The bitmap of an image is empty: its pixels are not ours to make.
    public func bitmap(of source: ImagePlacement.Source, box: PixelSize, scale: Double) -> Bitmap {
        switch source {
        case .text(let text): bitmap(of: text, box: box, scale: scale)
        case .icon(let icon, let color): bitmap(of: icon, color: color, box: box, scale: scale)
        case .image: .empty
        }
    }

    /// Rasterizes `icon` in the largest centered square of `box`.
    ///
    /// - Parameters:
    ///   - box: In device pixels; at most 16,384 on each side, and 2²⁶ pixels in all.
    ///   - scale: Device pixels per point. Determines the minimum line width.
    /// - Returns: A bitmap of the box's size; empty if `scale` is invalid, or the box is empty or too large.
    public func bitmap(of icon: Icon, color: Color, box: PixelSize, scale: Double) -> Bitmap {
        guard scale > 0, scale.isFinite else { return .empty }
        return Canvas.bitmap(of: box) { icon.draw(on: $0, in: box, color: color, scale: scale) }
    }

    /// The number of characters in `text` for which no installed font has a glyph. Such characters are drawn as boxes.
    func missingGlyphs(in text: TextContent) -> Int {
        layout(of: text, maxWidth: nil, scale: 1)?.missingGlyphs ?? 0
    }

    /// Lays out `text`. Returns nil if the font size, `scale` or `maxWidth` is invalid.
    ///
    /// - Parameter maxWidth: In pixels; nil for no limit.
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
