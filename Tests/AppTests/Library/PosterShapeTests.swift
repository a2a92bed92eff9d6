import GlissadeGeometry
import GlissadePicture
import Testing

@testable import GlissadeApp

@Suite("Poster crop") struct PosterShapeTests {
    /// A picture in which every pixel tells its place.
    private func picture(_ width: Int, _ height: Int) -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<height { for x in 0..<width { pixels += [UInt8(x % 251), UInt8(y % 251), 7, 255] } }
        return Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
    }

    @Test("A poster of another aspect ratio is cropped equally on both sides")
    func films() {
        let academy = PosterShape.trimmed(picture(240, 180))
        #expect(academy.size == PixelSize(width: 240, height: 135))
        #expect(academy.pixels.prefix(4) == [0, 22, 7, 255])
        #expect(academy.pixels.suffix(4) == [239, 156, 7, 255])
        let scope = PosterShape.trimmed(picture(320, 134))
        #expect(scope.size == PixelSize(width: 238, height: 134))
        #expect(scope.pixels.prefix(4) == [41, 0, 7, 255])
        #expect(!scope.isEmpty)
    }

    @Test(
        "Pictures far from a video's aspect ratio are not cropped",
        arguments: [(180, 180), (101, 180), (320, 120), (1, 1), (320, 1)])
    func others(width: Int, height: Int) {
        let bitmap = picture(width, height)
        #expect(PosterShape.trimmed(bitmap) == bitmap)
    }

    @Test("Posters of exactly the right aspect ratio, and empty ones, are not cropped")
    func whole() {
        #expect(PosterShape.trimmed(picture(320, 180)) == picture(320, 180))
        #expect(PosterShape.trimmed(.empty) == .empty)
        let short = Bitmap(size: PixelSize(width: 240, height: 180), pixels: [1, 2, 3])
        #expect(PosterShape.trimmed(short) == short)
    }
}
