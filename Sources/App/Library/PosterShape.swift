import Geometry
import Picture

/// The shape of posters: films are cropped a little, so that a list of them looks even; other shapes stay whole.
enum PosterShape {
    /// 16:9, the shape of a poster's frame.
    static let aspect = Theme.posterSize.width / Theme.posterSize.height
    /// The shapes that are cropped: from 4:3 to 2.4:1, which loses a quarter of the picture at most.
    static let trimmedAspects = 1.32...2.42

    /// The center of `bitmap` in the shape of a poster's frame, if its own shape is near.
    static func trimmed(_ bitmap: Bitmap) -> Bitmap {
        guard !bitmap.isEmpty else { return bitmap }
        let size = bitmap.size
        let shape = Double(size.width) / Double(size.height)
        guard trimmedAspects.contains(shape) else { return bitmap }
        let width = min(size.width, Int((Double(size.height) * aspect).rounded()))
        let height = min(size.height, Int((Double(size.width) / aspect).rounded()))
        if width == size.width, height == size.height { return bitmap }
        let (left, top) = ((size.width - width) / 2, (size.height - height) / 2)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for row in top..<(top + height) {
            let start = (row * size.width + left) * 4
            pixels += bitmap.pixels[start..<(start + width * 4)]
        }
        return Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
    }
}
