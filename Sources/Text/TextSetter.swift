import CPango
public import Motion
public import Stage

/// Sets text and draws icons, by Pango and Cairo, into bitmaps.
///
/// Not to be shared between threads: each thread makes its own. Two of them may work at the same time, because each has
/// a font map of its own, which is what Pango asks for (see `pango_cairo_font_map_get_default`'s documentation).
///
/// The first text in a process waits for the list of the system's fonts: 5 to 25 ms, and 0.3 s where fontconfig finds its
/// cache outdated. The first sign of each script opens another font: 2 to 15 ms. Neither is for the frame loop.
public final class TextSetter {
    private let fontMap: UnsafeMutablePointer<PangoFontMap>
    private let context: OpaquePointer

    /// - Parameter language: a language tag like `ja` or `zh-tw`, which decides the forms of characters that Chinese,
    ///   Japanese and Korean share.
    public init(language: String = TextLanguage.ofTheEnvironment) {
        fontMap = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fontMap)
        pango_context_set_language(context, pango_language_from_string(language))
        let options = cairo_font_options_create()
        // Text is blended over pictures and moves: grey antialiasing knows no neighbours' colours. Unhinted metrics are
        // the same at every scale; the outlines themselves are fitted to whole rows where the font says how.
        cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
        cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
        cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_SLIGHT)
        pango_cairo_context_set_font_options(context, options)
        cairo_font_options_destroy(options)
    }

    deinit {
        g_object_unref(UnsafeMutableRawPointer(context))
        g_object_unref(UnsafeMutableRawPointer(fontMap))
    }

    /// The size that `text` takes, in points, rounded up to whole device pixels.
    ///
    /// - Parameters:
    ///   - maxWidth: in points; words are wrapped and what does not fit is left out. Nil: as wide as it likes.
    ///   - scale: device pixels per point.
    /// - Returns: never wider than `maxWidth`, rounded up to a whole device pixel; zero where size or scale are nonsense.
    public func measure(_ text: TextContent, maxWidth: Double?, scale: Double) -> Size {
        guard let layout = TextLayout(text, maxWidth: maxWidth.map { $0 * scale }, scale: scale, context: context)
        else { return .zero }
        return Size(width: Double(layout.size.width) / scale, height: Double(layout.size.height) / scale)
    }

    /// `text` set into `box`: aligned, centred vertically, wrapped and shortened to fit.
    ///
    /// - Parameters:
    ///   - box: in device pixels; each side at most 16,384.
    ///   - scale: device pixels per point.
    /// - Returns: a bitmap of the box's size, or an empty one where box, size or scale are nonsense.
    public func bitmap(of text: TextContent, box: PixelSize, scale: Double) -> StillBitmap {
        guard Canvas.canHave(box),
            let layout = TextLayout(text, maxWidth: Double(box.width), scale: scale, context: context)
        else { return .empty }
        return Canvas.bitmap(of: box) { layout.draw(on: $0, in: box) }
    }

    /// `icon` in `color`, in the largest square in the middle of `box`.
    ///
    /// - Parameters:
    ///   - box: in device pixels; each side at most 16,384.
    ///   - scale: device pixels per point, by which a small icon's lines are kept from becoming too thin.
    /// - Returns: a bitmap of the box's size, or an empty one where box or scale are nonsense.
    public func bitmap(of icon: Icon, color: Color, box: PixelSize, scale: Double) -> StillBitmap {
        guard scale > 0, scale.isFinite else { return .empty }
        return Canvas.bitmap(of: box) { icon.draw(on: $0, in: box, color: color, scale: scale) }
    }

    /// How many characters of `text` no font on this machine has; they are drawn as boxes.
    func missingGlyphs(in text: TextContent) -> Int {
        TextLayout(text, maxWidth: nil, scale: 1, context: context)?.missingGlyphs ?? 0
    }
}
