import GlissadeGeometry
import GlissadeMedia
import GlissadePicture

/// A rendered subtitle picture and its position.
struct SubtitleImage: Sendable {
    var bitmap: Bitmap
    /// The picture's rectangle, in device pixels from the top left of the video.
    var rect: PixelRect
}

/// The size of the video and the placement of subtitles on it.
struct SubtitlePlacement: Hashable, Sendable {
    /// The video's size on screen, in device pixels.
    var size = PixelSize(width: 0, height: 0)
    /// The coded size of the video; nil if unknown.
    var videoSize: PixelSize?
    /// The height to keep clear at the bottom of the video, in device pixels.
    var bottomMargin = 0
    /// The text size as a multiple of the normal size, 0.25…4.
    var scale = 1.0
    /// The film's matrix, for which the colors of scripts are corrected; nil if unknown.
    var filmMatrix: ColorMatrix?
    /// How long each picture of an animated line is shown, in nanoseconds.
    var tick: Int64 = 41_708_333
}

extension SubtitleImage {
    /// Composes picture subtitles into one image. If the center of the image is in the lower half of the video, the
    /// image is moved up, out of the bottom margin. Returns nil if nothing is visible.
    init?(_ pictures: [SubtitlePicture], for placement: SubtitlePlacement) {
        let placed = pictures.flatMap { SubtitleCanvas($0.canvas, placement).place($0.parts) }
        guard let first = placed.first else { return nil }
        let bounds = placed.reduce(first.1) { all, next in
            PixelRect(
                minX: min(all.minX, next.1.minX), minY: min(all.minY, next.1.minY), maxX: max(all.maxX, next.1.maxX),
                maxY: max(all.maxY, next.1.maxY))
        }
        let pixels = [UInt8](unsafeUninitializedCapacity: bounds.width * bounds.height * 4) { buffer, count in
            count = bounds.width * bounds.height * 4
            buffer.initialize(repeating: 0)
            buffer.withMemoryRebound(to: UInt32.self) { target in
                for (part, place) in placed { Self.draw(part, in: place, onto: target, of: bounds) }
            }
        }
        // Move all parts together, and never above the top of the video.
        let free = placement.size.height - placement.bottomMargin
        let isLow = bounds.minY + bounds.maxY > placement.size.height
        let upwardShift = isLow ? min(max(0, bounds.maxY - free), bounds.minY) : 0
        self.init(
            bitmap: Bitmap(size: bounds.size, pixels: pixels),
            rect: PixelRect(
                minX: bounds.minX, minY: bounds.minY - upwardShift, maxX: bounds.maxX,
                maxY: bounds.maxY - upwardShift))
    }

    /// Draws a part onto the bitmap that covers `bounds`, scaled to the rectangle `place`. The filter is bilinear.
    private static func draw(
        _ part: SubtitlePicture.Part, in place: PixelRect, onto target: UnsafeMutableBufferPointer<UInt32>,
        of bounds: PixelRect
    ) {
        let (width, height) = (part.size.width, part.size.height)
        let columns = (0..<place.width).map { Self.sample($0, of: place.width, from: width) }
        let indices = part.indices
        guard indices.count == width * height else { return }
        indices.withUnsafeBufferPointer { indices in
            part.colors.withUnsafeBufferPointer { colors in
                for y in 0..<place.height {
                    let row = Self.sample(y, of: place.height, from: height)
                    let (upper, lower) = (row.first * width, row.second * width)
                    let start = (place.minY - bounds.minY + y) * bounds.width + place.minX - bounds.minX
                    for (x, column) in columns.enumerated() {
                        let top = mixed(
                            colors[Int(indices[upper + column.first])], colors[Int(indices[upper + column.second])],
                            column.fraction)
                        let bottom = mixed(
                            colors[Int(indices[lower + column.first])], colors[Int(indices[lower + column.second])],
                            column.fraction)
                        let color = mixed(top, bottom, row.fraction)
                        if color != 0 { target[start + x] = AssImages.over(color, target[start + x]) }
                    }
                }
            }
        }
    }

    /// Returns the two source samples nearest to the center of target pixel `index`, and the weight of the second
    /// sample, in 256ths.
    private static func sample(_ index: Int, of count: Int, from source: Int) -> (
        first: Int, second: Int, fraction: UInt32
    ) {
        let position = max(0, (Double(index) + 0.5) * Double(source) / Double(count) - 0.5)
        let first = min(Int(position), source - 1)
        return (first, min(first + 1, source - 1), UInt32((position - Double(first)) * 256))
    }

    @inline(__always) private static func mixed(_ a: UInt32, _ b: UInt32, _ fraction: UInt32) -> UInt32 {
        if a == b { return a }
        let rest = 256 - fraction
        let low = ((a & 0x00FF_00FF) * rest + (b & 0x00FF_00FF) * fraction) >> 8 & 0x00FF_00FF
        let high = ((a >> 8 & 0x00FF_00FF) * rest + (b >> 8 & 0x00FF_00FF) * fraction) & 0xFF00_FF00
        return low | high
    }
}
