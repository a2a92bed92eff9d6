import GlissadeGeometry
import GlissadeLayers

/// Draws icons on a grid of 24 by 24 units. Most lines are 2 units wide and centered on whole units, so icons are sharp
/// at 24 and 48 pixels.
extension Icon {
    private static let grid = 24.0
    private static let lineWidth = 2.0
    /// The minimum width of lines, in points. Thinner lines would look gray instead of thin.
    private static let thinnestLine = 1.5
    /// The maximum width of lines, in grid units. With thicker lines, adjacent shapes would merge.
    private static let thickestLine = 2.25
    /// The line width of the `ring` icon, in points.
    private static let ringLine = 2.0

    /// Draws the icon in the largest centered square of `box`.
    ///
    /// - Parameter scale: Device pixels per point.
    func draw(on canvas: borrowing Canvas, in box: PixelSize, color: Color, scale: Double) {
        /// The length of a point, in grid units.
        let point = scale * Self.grid / Double(min(box.width, box.height))
        if self == .ring { return drawRing(on: canvas, in: box, color: color, lineWidth: Self.ringLine * point) }
        let thinnest = Self.thinnestLine * point
        canvas.useGrid(
            of: Self.grid, in: box, lineWidth: min(max(Self.lineWidth, thinnest), Self.thickestLine))
        canvas.paint(color) { trace(on: $0) }
    }

    private func drawRing(on canvas: borrowing Canvas, in box: PixelSize, color: Color, lineWidth: Double) {
        let width = min(lineWidth, Self.grid / 2)
        canvas.useGrid(of: Self.grid, in: box, lineWidth: width)
        canvas.paint(color) { $0.circle(x: Self.grid / 2, y: Self.grid / 2, radius: (Self.grid - width) / 2) }
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
        case .previous:
            canvas.line((6, 6), (6, 18))
            canvas.solidPolygon((18, 6.5), (10.5, 12), (18, 17.5))
        case .next:
            canvas.line((18, 6), (18, 18))
            canvas.solidPolygon((6, 6.5), (13.5, 12), (6, 17.5))
        case .rewind10:
            canvas.line((11, 6), (5, 12), (11, 18))
            canvas.line((19, 6), (13, 12), (19, 18))
        case .forward10:
            canvas.line((5, 6), (11, 12), (5, 18))
            canvas.line((13, 6), (19, 12), (13, 18))
        case .repeatOnce: traceLoop(on: canvas)
        case .speed:
            // Open at the bottom, for a third of the circle.
            canvas.arc(x: 12, y: 13, radius: 9, from: .pi * 5 / 6, to: .pi * 13 / 6)
            canvas.line((12, 13), (16, 8.5))
            canvas.dot(x: 12, y: 13, radius: 1.75)
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
        case .list:
            for y in [6.0, 12, 18] {
                canvas.dot(x: 4.5, y: y, radius: 1.5)
                canvas.line((9, y), (20, y))
            }
        case .cards:
            canvas.frame(x: 3, y: 4, width: 18, height: 10, radius: 2.5)
            canvas.line((4, 18), (20, 18))
        case .volume:
            traceSpeaker(on: canvas)
            canvas.arc(x: 11.5, y: 12, radius: 5, from: -.pi / 4, to: .pi / 4)
            canvas.arc(x: 11.5, y: 12, radius: 9, from: -.pi / 4, to: .pi / 4)
        case .volumeLow:
            traceSpeaker(on: canvas)
            canvas.arc(x: 11.5, y: 12, radius: 5, from: -.pi / 4, to: .pi / 4)
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
        case .floating:
            canvas.bentLine(radius: 2.5, (21, 9.5), (21, 5), (3, 5), (3, 19), (9.5, 19))
            canvas.bar(x: 12, y: 12, width: 10, height: 8, radius: 1.75)
        case .tracks:
            canvas.frame(x: 3, y: 4, width: 18, height: 16, radius: 2.5)
            canvas.line((7, 12), (9, 12))
            canvas.line((13, 12), (17, 12))
            canvas.line((7, 16), (12, 16))
            canvas.line((16, 16), (17, 16))
        case .comments:
            canvas.polygon(
                radius: 2.5, (3, 4), (21, 4), (21, 17), (12, 17), (7, 21.5), (7, 17), (3, 17))
            canvas.line((7.5, 8.75), (16.5, 8.75))
            canvas.line((7.5, 12.25), (13, 12.25))
        case .camera:
            canvas.polygon(
                radius: 1.75, (3, 7), (7.5, 7), (9, 4), (15, 4), (16.5, 7), (21, 7), (21, 20), (3, 20))
            canvas.circle(x: 12, y: 13, radius: 3.5)
        case .gear: traceGear(on: canvas)
        case .keyboard:
            canvas.frame(x: 3, y: 5, width: 18, height: 14, radius: 2.5)
            for x in [7.5, 12, 16.5] { canvas.dot(x: x, y: 10, radius: 1.25) }
            canvas.line((8.5, 15), (15.5, 15))
        case .lock:
            traceLock(on: canvas)
            canvas.line((16, 11), (16, 8))
            canvas.arc(x: 12, y: 8, radius: 4, from: .pi, to: 2 * .pi)
        case .unlock:
            traceLock(on: canvas)
            canvas.arc(x: 12, y: 8, radius: 4, from: .pi, to: .pi * 1.8)
        case .check: canvas.line((5, 12.5), (10, 17.5), (19.5, 7))
        case .ring: break
        }
    }

    /// Draws a loop with a "1" in its center.
    private func traceLoop(on canvas: borrowing Canvas) {
        canvas.bentLine(radius: 3, (4, 11), (4, 6), (20, 6))
        canvas.line((17, 3), (20, 6), (17, 9))
        canvas.bentLine(radius: 3, (20, 13), (20, 18), (4, 18))
        canvas.line((7, 15), (4, 18), (7, 21))
        canvas.line((11, 11), (12.5, 10), (12.5, 14))
    }

    private func traceGear(on canvas: borrowing Canvas) {
        var tooth: [Canvas.Place] = [(6.25, -2.25), (9, -1.5), (9, 1.5), (6.25, 2.25)]
        var corners: [Canvas.Place] = []
        let diagonal = 0.5.squareRoot()
        for _ in 0..<8 {
            corners += tooth.map { (12 + $0.x, 12 + $0.y) }
            // Rotate by an eighth of a turn.
            tooth = tooth.map { (($0.x - $0.y) * diagonal, ($0.x + $0.y) * diagonal) }
        }
        canvas.polygon(radius: 0.5, corners)
        canvas.circle(x: 12, y: 12, radius: 2.5)
    }

    /// Draws the parts that both lock icons share: the body of the lock and the left leg of its shackle.
    private func traceLock(on canvas: borrowing Canvas) {
        canvas.frame(x: 5, y: 11, width: 14, height: 9, radius: 2)
        canvas.line((8, 11), (8, 8))
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
        // Diagonal rays start and end at the same distances from the center as the other rays.
        let (near, far) = (7.5 * 0.5.squareRoot(), 9 * 0.5.squareRoot())
        for (x, y) in [(-1.0, -1.0), (1, -1), (1, 1), (-1, 1)] {
            canvas.line((12 + x * near, 12 + y * near), (12 + x * far, 12 + y * far))
        }
    }
}
