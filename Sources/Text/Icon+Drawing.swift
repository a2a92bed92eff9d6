import Motion
import Stage

/// The icons are drawn on a grid of 24 units with lines of 2, whose middles lie on whole units: sharp at 24 and 48 pixels.
extension Icon {
    private static let grid = 24.0
    private static let lineWidth = 2.0
    /// In points: thinner ones are grey instead of thin.
    private static let thinnestLine = 1.5
    /// In units of the grid; shapes would grow together beyond it.
    private static let thickestLine = 2.25

    /// Draws the icon in the largest square in the middle of `box`.
    ///
    /// - Parameter scale: device pixels per point.
    func draw(on canvas: borrowing Canvas, in box: PixelSize, color: Color, scale: Double) {
        let thinnest = Self.thinnestLine * scale * Self.grid / Double(min(box.width, box.height))
        canvas.useGrid(
            of: Self.grid, in: box, lineWidth: min(max(Self.lineWidth, thinnest), Self.thickestLine))
        canvas.paint(color) { trace(on: $0) }
    }

    private func trace(on canvas: borrowing Canvas) {
        switch self {
        case .back:
            canvas.line((19, 12), (5, 12))
            canvas.line((11, 6), (5, 12), (11, 18))
        case .forward:
            canvas.line((5, 12), (19, 12))
            canvas.line((13, 6), (19, 12), (13, 18))
        case .chevronRight: canvas.line((9, 6), (15, 12), (9, 18))
        case .close:
            canvas.line((6, 6), (18, 18))
            canvas.line((18, 6), (6, 18))
        case .more: for x in [5.0, 12, 19] { canvas.dot(x: x, y: 12, radius: 1.75) }
        case .play: canvas.solidPolygon((8, 5.5), (18.5, 12), (8, 18.5))
        case .pause:
            canvas.bar(x: 6, y: 5, width: 4, height: 14, radius: 1.25)
            canvas.bar(x: 14, y: 5, width: 4, height: 14, radius: 1.25)
        case .film: traceFilm(on: canvas)
        case .music:
            canvas.line((9, 17.5), (9, 5.5), (20, 3.5), (20, 15.5))
            canvas.circle(x: 6.5, y: 17.5, radius: 2.5)
            canvas.circle(x: 17.5, y: 15.5, radius: 2.5)
        case .folder:
            canvas.polygon(radius: 2, (3, 4.5), (9.5, 4.5), (12, 7.5), (21, 7.5), (21, 20), (3, 20))
        case .picture:
            canvas.frame(x: 3, y: 4, width: 18, height: 16, radius: 2.5)
            canvas.dot(x: 8.5, y: 9.5, radius: 1.75)
            canvas.bentLine(radius: 1.5, (6, 20), (16, 11), (21, 15.5))
        case .broken:
            canvas.frame(x: 3, y: 4, width: 18, height: 16, radius: 2.5)
            canvas.erasing(lineWidth: 6) { $0.line((2, 2), (22, 22)) }
            canvas.line((3, 3), (21, 21))
        case .volume:
            traceSpeaker(on: canvas)
            canvas.arc(x: 11.5, y: 12, radius: 5, from: -.pi / 4, to: .pi / 4)
            canvas.arc(x: 11.5, y: 12, radius: 9, from: -.pi / 4, to: .pi / 4)
        case .muted:
            traceSpeaker(on: canvas)
            canvas.line((16, 9.5), (21, 14.5))
            canvas.line((21, 9.5), (16, 14.5))
        case .brightness: traceSun(on: canvas)
        case .fullscreen:
            canvas.bentLine(radius: 1.5, (4, 9), (4, 4), (9, 4))
            canvas.bentLine(radius: 1.5, (15, 4), (20, 4), (20, 9))
            canvas.bentLine(radius: 1.5, (20, 15), (20, 20), (15, 20))
            canvas.bentLine(radius: 1.5, (9, 20), (4, 20), (4, 15))
        case .leaveFullscreen:
            canvas.bentLine(radius: 1.5, (4, 9), (9, 9), (9, 4))
            canvas.bentLine(radius: 1.5, (15, 4), (15, 9), (20, 9))
            canvas.bentLine(radius: 1.5, (20, 15), (15, 15), (15, 20))
            canvas.bentLine(radius: 1.5, (9, 20), (9, 15), (4, 15))
        case .information:
            canvas.circle(x: 12, y: 12, radius: 9)
            canvas.dot(x: 12, y: 8, radius: 1.25)
            canvas.line((12, 11.5), (12, 16.5))
        }
    }

    private func traceFilm(on canvas: borrowing Canvas) {
        canvas.frame(x: 3, y: 4, width: 18, height: 16, radius: 2.5)
        for x in [8.0, 16] { canvas.line((x, 4), (x, 20)) }
        for y in [9.0, 15] {
            canvas.line((3, y), (8, y))
            canvas.line((16, y), (21, y))
        }
    }

    private func traceSpeaker(on canvas: borrowing Canvas) {
        canvas.polygon(radius: 1, (11, 4.5), (6.5, 8.5), (3, 8.5), (3, 15.5), (6.5, 15.5), (11, 19.5))
    }

    private func traceSun(on canvas: borrowing Canvas) {
        canvas.circle(x: 12, y: 12, radius: 4)
        canvas.line((12, 3), (12, 4.5))
        canvas.line((12, 19.5), (12, 21))
        canvas.line((3, 12), (4.5, 12))
        canvas.line((19.5, 12), (21, 12))
        // The same distances as those of the upright rays, on both axes.
        let (near, far) = (7.5 * 0.5.squareRoot(), 9 * 0.5.squareRoot())
        for (x, y) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
            canvas.line((12 + x * near, 12 + y * near), (12 + x * far, 12 + y * far))
        }
    }
}
