import CPango

/// A Pango context and the fonts that it has opened.
final class FontContext {
    /// The context for layouts, which retain it.
    let context: OpaquePointer
    private let fontMap: UnsafeMutablePointer<PangoFontMap>

    init(language: String) {
        fontMap = pango_cairo_font_map_new()
        context = pango_font_map_create_context(fontMap)
        pango_context_set_language(context, pango_language_from_string(language))
        let options = cairo_font_options_create()
        // Text is blended over images and moves, so it is gray: subpixel antialiasing would leave color fringes.
        // Unhinted metrics are the same at every scale; outlines are still fitted to whole rows if the font has hints.
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
