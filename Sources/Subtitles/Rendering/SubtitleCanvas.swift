import GlissadeGeometry

/// Maps the canvas of a picture subtitle to the video on screen.
///
/// The canvas is centered on the video. It may extend beyond the video, for example if the film's black bars were
/// cropped. Parts of the picture that are outside the video are moved inside.
struct SubtitleCanvas {
    private let canvas: PixelSize
    /// The video's size on screen, in device pixels.
    private let size: PixelSize
    /// The width (`across`) and height (`down`) of a canvas pixel, in device pixels.
    let across: Double
    let down: Double

    init(_ canvas: PixelSize, _ placement: SubtitlePlacement) {
        self.canvas = canvas
        size = placement.size
        let across = Double(size.width) / Double(max(1, canvas.width))
        let down = Double(size.height) / Double(max(1, canvas.height))
        if let video = placement.videoSize, video.width == canvas.width || video.height == canvas.height {
            // The video was cropped from the canvas, or covers all of it, so both have pixels of the same size.
            self.across = Double(size.width) / Double(max(1, video.width))
            self.down = Double(size.height) / Double(max(1, video.height))
        } else if canvas.width <= Self.standard.width, canvas.height <= Self.standard.height {
            (self.across, self.down) = (across, down)
        } else {
            // Scale uniformly, so that the canvas covers the video.
            self.across = max(across, down)
            self.down = self.across
        }
    }

    /// The maximum size of a standard-definition canvas. The pixels of such a canvas are not square, so the canvas is
    /// stretched to the video.
    private static let standard = PixelSize(width: 720, height: 576)

    /// Returns the parts that are completely on the canvas, and their rectangles on the video. Leaves out the other
    /// parts, which are damaged.
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
        // Shift all upper parts together, and all lower parts together, so that lines do not overlap.
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

    /// Returns `place` moved down by `shift` pixels, and then moved inside the video. If `place` is larger than the
    /// video, it is first scaled down.
    private func inside(_ place: PixelRect, movedDownBy shift: Int) -> PixelRect {
        let fit = min(1, Double(size.width) / Double(place.width), Double(size.height) / Double(place.height))
        let width = min(size.width, max(1, Int(Double(place.width) * fit)))
        let height = min(size.height, max(1, Int(Double(place.height) * fit)))
        // Keep the same center.
        let x = min(max(0, place.minX + (place.width - width) / 2), size.width - width)
        let y = min(max(0, place.minY + shift + (place.height - height) / 2), size.height - height)
        return PixelRect(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }
}
