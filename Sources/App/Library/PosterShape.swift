import GlissadeGeometry
import GlissadePicture

/// Crops posters with a common film aspect ratio to 16:9, so that they look uniform in a list. Leaves other posters
/// unchanged.
enum PosterShape {
    /// 16:9, the aspect ratio of a poster's frame in a list row.
    static let aspect = Theme.posterSize.width / Theme.posterSize.height
    /// The range of aspect ratios that are cropped: about 4:3 to 2.4:1. At most about a quarter of a poster is cut off.
    static let trimmedAspects = 1.32...2.42

    /// Returns the 16:9 center of `bitmap`, or `bitmap` itself if its aspect ratio is not in `trimmedAspects`.
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
