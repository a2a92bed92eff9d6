import GlissadeCPango
import GlissadeGeometry

/// Draws lines and shapes. Coordinates and lengths are in the grid units that `useGrid` sets up.
extension Canvas {
    typealias Place = (x: Double, y: Double)

    /// Sets up a grid of `side` by `side` units that fills the largest centered square of `box`. Subsequent lines are
    /// `lineWidth` units wide and have round ends and corners.
    func useGrid(of side: Double, in box: PixelSize, lineWidth: Double) {
        let square = min(box.width, box.height)
        // Starts at a whole pixel, so that shapes stay sharp if grid units coincide with pixels.
        cairo_translate(cairo, Double((box.width - square) / 2), Double((box.height - square) / 2))
        cairo_scale(cairo, Double(square) / side, Double(square) / side)
        cairo_set_line_width(cairo, lineWidth)
        cairo_set_line_cap(cairo, CAIRO_LINE_CAP_ROUND)
        cairo_set_line_join(cairo, CAIRO_LINE_JOIN_ROUND)
    }

    /// Draws a line through the points `places`, in order.
    func line(_ places: Place...) {
        for place in places { cairo_line_to(cairo, place.x, place.y) }
        cairo_stroke(cairo)
    }

    /// Draws a line through the points `places`, in order, with rounded corners of the given radius.
    func bentLine(radius: Double, _ places: Place...) {
        cairo_move_to(cairo, places[0].x, places[0].y)
        for corner in 1..<places.count - 1 {
            bend(at: places[corner], from: places[corner - 1], to: places[corner + 1], radius: radius)
        }
        cairo_line_to(cairo, places[places.count - 1].x, places[places.count - 1].y)
        cairo_stroke(cairo)
    }

    /// Draws the outline of a polygon with rounded corners of the given radius.
    func polygon(radius: Double, _ corners: Place...) { polygon(radius: radius, corners) }

    func polygon(radius: Double, _ corners: [Place]) {
        trace(corners, radius: radius)
        cairo_stroke(cairo)
    }

    /// Fills a polygon and strokes its outline, which rounds the corners.
    func solidPolygon(_ corners: Place...) {
        trace(corners, radius: 0)
        cairo_fill_preserve(cairo)
        cairo_stroke(cairo)
    }

    /// Draws the outline of a rectangle with rounded corners of the given radius.
    func frame(x: Double, y: Double, width: Double, height: Double, radius: Double) {
        polygon(radius: radius, (x, y), (x + width, y), (x + width, y + height), (x, y + height))
    }

    /// Fills a rectangle with rounded corners of the given radius.
    func bar(x: Double, y: Double, width: Double, height: Double, radius: Double) {
        trace([(x, y), (x + width, y), (x + width, y + height), (x, y + height)], radius: radius)
        cairo_fill(cairo)
    }

    func circle(x: Double, y: Double, radius: Double) {
        arc(x: x, y: y, radius: radius, from: 0, to: 2 * .pi)
    }

    /// Fills a circle.
    func dot(x: Double, y: Double, radius: Double) {
        cairo_arc(cairo, x, y, radius, 0, 2 * .pi)
        cairo_fill(cairo)
    }

    /// Draws an arc of a circle, clockwise from `start` to `end`. Angles are in radians; 0 points right.
    func arc(x: Double, y: Double, radius: Double, from start: Double, to end: Double) {
        cairo_new_sub_path(cairo)
        cairo_arc(cairo, x, y, radius, start, end)
        cairo_stroke(cairo)
    }

    /// Erases the shapes that `draw` draws. Lines are `lineWidth` units wide.
    func erasing(lineWidth: Double, _ draw: (borrowing Canvas) -> Void) {
        cairo_save(cairo)
        cairo_set_operator(cairo, CAIRO_OPERATOR_DEST_OUT)
        cairo_set_line_width(cairo, lineWidth)
        draw(self)
        cairo_restore(cairo)
    }

    private func trace(_ corners: [Place], radius: Double) {
        for (index, corner) in corners.enumerated() {
            let previous = corners[(index + corners.count - 1) % corners.count]
            bend(at: corner, from: previous, to: corners[(index + 1) % corners.count], radius: radius)
        }
        cairo_close_path(cairo)
    }

    private func bend(at corner: Place, from previous: Place, to next: Place, radius: Double) {
        /// The distance from an end of the curve to its control point, as a fraction of the distance to the corner.
        /// With this value, the curve approximates a quarter circle.
        let reach = 0.5523
        func place(towards other: Place, _ distance: Double) -> Place {
            let (dx, dy) = (other.x - corner.x, other.y - corner.y)
            let part = distance / (dx * dx + dy * dy).squareRoot()
            return (corner.x + dx * part, corner.y + dy * part)
        }
        let start = place(towards: previous, radius)
        let end = place(towards: next, radius)
        let leaving = place(towards: previous, radius * (1 - reach))
        let arriving = place(towards: next, radius * (1 - reach))
        cairo_line_to(cairo, start.x, start.y)
        cairo_curve_to(cairo, leaving.x, leaving.y, arriving.x, arriving.y, end.x, end.y)
    }
}
