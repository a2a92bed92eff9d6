import GlissadeCPango
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture

/// Text that has been laid out: broken into lines, shaped, and truncated to fit.
struct TextLayout: ~Copyable {
    private let layout: OpaquePointer
    private let text: TextContent
    /// The width of the outline outside the glyphs, in pixels; 0 if there is none.
    private let outlineWidth: Double
    /// The height and baseline of a line in the first available font of `families`, in pixels. Used to place
    /// single-line text, so that its baseline does not depend on the fonts that provide its glyphs.
    private let strut: Strut
    /// The size of the text, rounded up to whole pixels. Before rounding, the width is at most `maxWidth`.
    let size: PixelSize

    private struct Strut {
        var height: Double
        var baseline: Double
    }

    /// The valid font sizes, in device pixels.
    private static let fontSizes = 0.5...2048.0
    /// The maximum line width, in pixels. Pango stores widths as 32-bit integers, in units of 1/1024 pixel.
    private static let widest = 1_000_000.0
    private static let unitsPerPixel = Double(PANGO_SCALE)

    /// Font families in order of preference. fontconfig finds other fonts for missing glyphs.
    private static let families = "Inter,Cantarell,Ubuntu,Noto Sans,Open Sans,Roboto,system-ui,sans-serif"

    /// Lays out `text`. Returns nil if the font size, `scale` or `maxWidth` is invalid.
    ///
    /// - Parameters:
    ///   - maxWidth: The width at which lines are wrapped, in pixels; nil for no limit.
    ///   - scale: Device pixels per point.
    ///   - context: The `PangoContext` that provides the fonts.
    init?(_ text: TextContent, maxWidth: Double?, scale: Double, context: OpaquePointer) {
        let fontSize = text.style.size * scale
        guard scale > 0, scale.isFinite, Self.fontSizes.contains(fontSize), maxWidth?.isNaN != true,
            let layout = pango_layout_new(context)
        else { return nil }
        self.layout = layout
        self.text = text
        outlineWidth = text.style.outline == nil ? 0 : max(fontSize * TextStyle.outlineWidth, 1)

        Self.setFont(of: text.style, size: fontSize, in: layout)
        pango_layout_set_text(layout, "x", 1)
        strut = Self.firstLine(of: layout)

        let width = maxWidth.map { min(max($0, 0), Self.widest) }
        let lineLimit = min(max(text.lineLimit, 1), 1000)
        let visible = TextSanitizer.of(
            text, lineLimit: lineLimit,
            scalarLimit: Self.scalarLimit(width: width, lines: lineLimit, fontSize: fontSize))
        pango_layout_set_wrap(layout, PANGO_WRAP_WORD_CHAR)
        pango_layout_set_height(layout, Int32(-lineLimit))
        if let width {
            pango_layout_set_width(layout, Int32(width * Self.unitsPerPixel))
            pango_layout_set_ellipsize(layout, text.truncation == .end ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_MIDDLE)
        }

        Self.setText(visible, in: layout)

        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        let height = max(strut.height, Double(logical.height) / Self.unitsPerPixel)
        let lineWidth = min(Double(logical.width) / Self.unitsPerPixel, width ?? .infinity)
        size = PixelSize(width: Int(lineWidth.rounded(.up)), height: Int(height.rounded(.up)))
    }

    deinit { g_object_unref(UnsafeMutableRawPointer(layout)) }

    /// The number of characters for which no installed font has a glyph.
    var missingGlyphs: Int { Int(pango_layout_get_unknown_glyphs_count(layout)) }

    /// Draws the lines into `box`, which must be as wide as the `maxWidth` of the layout.
    ///
    /// The lines are aligned here because Pango's alignment swaps sides for right-to-left text. In a list, file names
    /// in all languages should start at the same edge.
    func draw(on canvas: borrowing Canvas, in box: PixelSize) {
        let offset = verticalOffset(in: Double(box.height))
        canvas.paint(text.style.color) { canvas in
            let lines = pango_layout_get_iter(layout)
            defer { pango_layout_iter_free(lines) }
            repeat {
                var logical = PangoRectangle()
                pango_layout_iter_get_line_extents(lines, nil, &logical)
                let free = Double(box.width) - Double(logical.width) / Self.unitsPerPixel
                let x: Double =
                    switch text.alignment {
                    case .leading: 0
                    case .center: free / 2
                    case .trailing: free
                    }
                let baseline = Double(pango_layout_iter_get_baseline(lines)) / Self.unitsPerPixel
                show(
                    pango_layout_iter_get_line_readonly(lines), x: max(x, 0).rounded(),
                    y: (offset + baseline).rounded(), on: canvas)
            } while pango_layout_iter_next_line(lines) != 0
        }
    }

    /// Draws a line whose baseline starts at a point, with its outline beneath the glyphs.
    private func show(
        _ line: UnsafeMutablePointer<PangoLayoutLine>?, x: Double, y: Double, on canvas: borrowing Canvas
    ) {
        let cairo = canvas.cairo
        if let outline = text.style.outline {
            cairo_save(cairo)
            cairo_move_to(cairo, x, y)
            pango_cairo_layout_line_path(cairo, line)
            cairo_set_source_rgba(cairo, outline.red, outline.green, outline.blue, outline.alpha)
            cairo_set_line_width(cairo, outlineWidth * 2)
            cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
            cairo_stroke(cairo)
            cairo_restore(cairo)
        }
        cairo_move_to(cairo, x, y)
        pango_cairo_show_layout_line(cairo, line)
    }

    /// The distance from the top of a box of `height` pixels to the top of the layout.
    private func verticalOffset(in height: Double) -> Double {
        if pango_layout_get_line_count(layout) == 1 { return lineMetrics.verticalOffset(in: height) }
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return (height - Double(logical.height) / Self.unitsPerPixel) / 2
    }

    /// The metrics of a single-line layout, without the bitmap's position, which `line()` adds.
    private var lineMetrics: TextLineMetrics {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return TextLineMetrics(
            width: Double(logical.width) / Self.unitsPerPixel, height: Double(logical.height) / Self.unitsPerPixel,
            baseline: Self.firstLine(of: layout).baseline, strutHeight: strut.height, strutBaseline: strut.baseline)
    }

    /// Rasterizes the text as a single line. Returns nil if the text has several lines or was truncated, or if the
    /// bitmap would exceed the limits of `Canvas`.
    func line() -> (bitmap: Bitmap, metrics: TextLineMetrics)? {
        guard pango_layout_get_line_count(layout) == 1, pango_layout_is_ellipsized(layout) == 0,
            let line = pango_layout_get_line_readonly(layout, 0)
        else { return nil }
        var ink = PangoRectangle()
        pango_layout_line_get_extents(line, &ink, nil)
        pango_extents_to_pixels(&ink, nil)
        // The extents describe the outlines, beyond which antialiasing extends.
        let margin = 2 + Int32(outlineWidth.rounded(.up))
        let size = PixelSize(width: Int(ink.width + 2 * margin), height: Int(ink.height + 2 * margin))
        guard Canvas.canHave(size) else { return nil }
        var metrics = lineMetrics
        (metrics.bitmapX, metrics.bitmapY) = (Int(ink.x - margin), Int(ink.y - margin))
        let bitmap = Canvas.bitmap(of: size) { canvas in
            canvas.paint(text.style.color) { canvas in
                show(line, x: -Double(metrics.bitmapX), y: -Double(metrics.bitmapY), on: canvas)
            }
        }
        return (bitmap, metrics)
    }

    private static func setText(_ text: String, in layout: OpaquePointer) {
        pango_layout_set_text(layout, text, Int32(text.utf8.count))
        // If wrapped lines reach the line limit, the last line contains all remaining text. Pango would draw a line
        // separator in it as a glyph.
        let last = pango_layout_get_line_readonly(layout, pango_layout_get_line_count(layout) - 1)
        if let last, let joined = TextSanitizer.joiningLines(of: text, from: Int(last.pointee.start_index)) {
            pango_layout_set_text(layout, joined, Int32(joined.utf8.count))
        }
    }

    private static func firstLine(of layout: OpaquePointer) -> Strut {
        var logical = PangoRectangle()
        pango_layout_get_extents(layout, nil, &logical)
        return Strut(
            height: Double(logical.height) / unitsPerPixel,
            baseline: Double(pango_layout_get_baseline(layout)) / unitsPerPixel)
    }

    /// Returns the maximum number of Unicode scalars to lay out, at most 16,384. Assumes that no letter is narrower
    /// than an eighth of the font size.
    private static func scalarLimit(width: Double?, lines: Int, fontSize: Double) -> Int {
        let lettersPerLine = min((width ?? .infinity) / fontSize * 8 + 32, 16384)
        return Int(min(lettersPerLine * Double(lines), 16384))
    }

    private static func setFont(of style: TextStyle, size: Double, in layout: OpaquePointer) {
        let font = pango_font_description_new()
        defer { pango_font_description_free(font) }
        pango_font_description_set_family(font, families)
        pango_font_description_set_absolute_size(font, size * unitsPerPixel)
        let weight =
            switch style.weight {
            case .regular: PANGO_WEIGHT_NORMAL
            case .medium: PANGO_WEIGHT_MEDIUM
            case .semibold: PANGO_WEIGHT_SEMIBOLD
            case .bold: PANGO_WEIGHT_BOLD
            }
        pango_font_description_set_weight(font, weight)
        pango_layout_set_font_description(layout, font)

        let attributes = pango_attr_list_new()
        defer { pango_attr_list_unref(attributes) }
        // Without this, a wrapped file name would show a hyphen that it does not contain.
        pango_attr_list_insert(attributes, pango_attr_insert_hyphens_new(0))
        if style.hasTabularDigits { pango_attr_list_insert(attributes, pango_attr_font_features_new("tnum=1")) }
        pango_layout_set_attributes(layout, attributes)
    }
}
