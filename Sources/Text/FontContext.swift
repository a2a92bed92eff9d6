import GlissadeCPango

/// A Pango context and its font map, which keeps all fonts that have been opened.
final class FontContext {
    /// The context for new layouts. Each layout retains it.
    let context: OpaquePointer
    private let fontMap: UnsafeMutablePointer<PangoFontMap>

    init(language: String) {
        fontMap = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fontMap)
        pango_context_set_language(context, pango_language_from_string(language))
        let options = cairo_font_options_create()
        // Text moves and is blended with images, where subpixel antialiasing would leave color fringes. Metrics are not
        // hinted, so that they are the same at every scale. Glyph outlines are still fitted to pixel rows (slight
        // hinting).
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
}
