import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadeTime
import Testing

@testable import GlissadePlayback

/// A file's first picture as both ways to it show it: through the player, as a snapshot, and as a poster.
struct FilePictures {
    let snapshot: Bitmap
    let poster: Bitmap

    init(_ path: String, posterLimit: PixelSize = PixelSize(width: 4096, height: 4096)) throws {
        snapshot = try decodePicture(of: path, at: .zero)
        var source = try ThumbnailSource(location: path) { false }
        let made = source.picture(at: 0, fitting: posterLimit)
        poster = try #require(made)
    }

    var all: [(name: String, bitmap: Bitmap)] { [("snapshot", snapshot), ("poster", poster)] }
}

extension Bitmap {
    /// Red, green and blue at a place given in fractions of the width and height.
    func color(_ x: Double, _ y: Double) -> [Int] {
        let (column, row) = (Int(x * Double(size.width)), Int(y * Double(size.height)))
        let pixel = (row * size.width + column) * 4
        return [2, 1, 0].map { Int(pixels[pixel + $0]) }
    }

    /// Whether the color at a place differs from `color` by at most `tolerance` in red, green and blue.
    func shows(_ color: [Int], _ x: Double, _ y: Double, within tolerance: Int) -> Bool {
        zip(self.color(x, y), color).allSatisfy { abs($0 - $1) <= tolerance }
    }
}
