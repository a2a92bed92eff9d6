import Geometry

/// Where the canvas of a subtitle's picture lies on the film's picture. A value.
///
/// The two need not have the same shape: a film may have been cut to its picture, without the bars above and below, while
/// its subtitles still have the canvas of the whole, of which some lie on the bars. The canvas is centred on the film's
/// picture, and what lies outside of that is moved inside.
struct SubtitleCanvas {
    private let canvas: PixelSize
    /// The film's picture on the screen, in device pixels.
    private let size: PixelSize
    /// How many device pixels one of the canvas's is wide and high.
    let across: Double
    let down: Double

    init(_ canvas: PixelSize, _ placement: SubtitlePlacement) {
        self.canvas = canvas
        size = placement.size
        let across = Double(size.width) / Double(max(1, canvas.width))
        let down = Double(size.height) / Double(max(1, canvas.height))
        if let video = placement.videoSize, video.width == canvas.width || video.height == canvas.height {
            // The film is cut out of the canvas, or is all of it: their pixels are the same.
            self.across = Double(size.width) / Double(max(1, video.width))
            self.down = Double(size.height) / Double(max(1, video.height))
        } else if canvas.width <= Self.standard.width, canvas.height <= Self.standard.height {
            (self.across, self.down) = (across, down)
        } else {
            // As large as covers the film's picture.
            self.across = max(across, down)
            self.down = self.across
        }
    }

    /// A disc's picture of standard definition, whose pixels are not square: up to here the canvas is stretched with the
    /// film, as its picture is.
    private static let standard = PixelSize(width: 720, height: 576)

    /// The parts that are wholly on the canvas, each with its place on the film's picture and within it; others are damage.
    func place(_ parts: [SubtitlePicture.Part]) -> [(part: SubtitlePicture.Part, place: PixelRect)] {
        guard !canvas.isEmpty, !size.isEmpty else { return [] }
        let whole = PixelRect(size: canvas)
        var placed: [(part: SubtitlePicture.Part, place: PixelRect)] = []
        for part in parts {
            let (maxX, isTooWide) = part.x.addingReportingOverflow(part.size.width)
            let (maxY, isTooHigh) = part.y.addingReportingOverflow(part.size.height)
            guard !isTooWide, !isTooHigh, !part.size.isEmpty,
                whole.contains(PixelRect(minX: part.x, minY: part.y, maxX: maxX, maxY: maxY))
            else { continue }
            let place = place(part)
            if !place.isEmpty { placed.append((part, place)) }
        }
        // Those above, and those below, keep their places to each other: lines must not come to lie on one another.
        let isLow = placed.map { $0.place.minY + $0.place.maxY > size.height }
        let highest = zip(placed, isLow).lazy.filter { !$1 }.map { $0.0.place.minY }.min() ?? 0
        let lowest = zip(placed, isLow).lazy.filter { $1 }.map { $0.0.place.maxY }.max() ?? 0
        for index in placed.indices {
            let shift = isLow[index] ? min(0, size.height - lowest) : max(0, -highest)
            placed[index].place = inside(placed[index].place, movedDownBy: shift)
        }
        return placed
    }

    private func place(_ part: SubtitlePicture.Part) -> PixelRect {
        let (middleX, middleY) = (Double(canvas.width) / 2, Double(canvas.height) / 2)
        return PixelRect(
            rounding: Rect(
                x: Double(size.width) / 2 + (Double(part.x) - middleX) * across,
                y: Double(size.height) / 2 + (Double(part.y) - middleY) * down,
                width: Double(part.size.width) * across, height: Double(part.size.height) * down))
    }

    /// `place` moved so that it is inside of the film's picture; made smaller where it is larger.
    private func inside(_ place: PixelRect, movedDownBy shift: Int) -> PixelRect {
        let fit = min(1, Double(size.width) / Double(place.width), Double(size.height) / Double(place.height))
        let width = min(size.width, max(1, Int(Double(place.width) * fit)))
        let height = min(size.height, max(1, Int(Double(place.height) * fit)))
        // In the middle of where it was.
        let x = min(max(0, place.minX + (place.width - width) / 2), size.width - width)
        let y = min(max(0, place.minY + shift + (place.height - height) / 2), size.height - height)
        return PixelRect(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }
}
