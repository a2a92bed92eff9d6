import GlissadeGeometry
import GlissadePicture
import Testing

@testable import GlissadeSubtitles

@Suite("Bitmap subtitle canvas") struct SubtitleCanvasTests {
    private func size(_ width: Int, _ height: Int) -> PixelSize { PixelSize(width: width, height: height) }

    private func part(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> SubtitlePicture.Part {
        .init(
            x: x, y: y, size: size(width, height), indices: Array(repeating: 1, count: width * height),
            colors: [0, 0xFFFF_FFFF])
    }

    private func places(
        _ parts: [SubtitlePicture.Part], on canvas: PixelSize, _ film: PixelSize, stored: PixelSize? = nil
    ) -> [PixelRect] {
        SubtitleCanvas(canvas, SubtitlePlacement(size: film, videoSize: stored)).place(parts).map(\.place)
    }

    private func rect(_ x: Int, _ y: Int, _ width: Int, _ height: Int) -> PixelRect {
        PixelRect(minX: x, minY: y, maxX: x + width, maxY: y + height)
    }

    @Test("On a canvas with the video's aspect ratio subtitles are scaled with the video")
    func same() {
        #expect(places([part(200, 280, 64, 32)], on: size(640, 360), size(320, 180)) == [rect(100, 140, 32, 16)])
        #expect(places([part(1000, 900, 400, 60)], on: size(1920, 1080), size(960, 540)) == [rect(500, 450, 200, 30)])
    }

    @Test(
        "For cropped video subtitles keep their shape, and those on the cropped bars move inside")
    func cut() {
        for stored in [nil, size(1920, 800), size(1280, 534)] {
            // In the picture: where it was.
            let inside = places([part(800, 700, 320, 60)], on: size(1920, 1080), size(1920, 800), stored: stored)
            #expect(inside == [rect(800, 560, 320, 60)])
            // On the lower bar, and on the upper one.
            let outside = places(
                [part(800, 1000, 320, 60), part(800, 20, 320, 60)], on: size(1920, 1080), size(1920, 800),
                stored: stored)
            #expect(outside == [rect(800, 740, 320, 60), rect(800, 0, 320, 60)])
        }
        // Bars at the sides.
        #expect(
            places([part(10, 900, 320, 60)], on: size(1920, 1080), size(1440, 1080)) == [rect(0, 900, 320, 60)])
    }

    @Test("Two lines on the lower bar are moved together without overlapping")
    func together() {
        let lines = places(
            [part(800, 940, 320, 50), part(800, 1000, 320, 50)], on: size(1920, 1080), size(1920, 800))
        #expect(lines == [rect(800, 690, 320, 50), rect(800, 750, 320, 50)])
    }

    @Test("A disc's canvas with non-square pixels is stretched like the video")
    func anamorphic() {
        #expect(places([part(360, 288, 72, 32)], on: size(720, 576), size(1024, 576)) == [rect(512, 288, 102, 32)])
        // The film was cut, and is seen wider than it is stored.
        #expect(
            places([part(360, 500, 72, 32)], on: size(720, 576), size(1024, 432), stored: size(720, 432))
                == [rect(512, 400, 102, 32)])
    }

    @Test("A part outside of its canvas is dropped, and one larger than the video is reduced")
    func bounds() {
        let canvas = size(1920, 1080)
        for (x, y) in [(-1, 0), (0, -1), (1900, 0), (0, 1070), (.max, 0), (0, .max), (.min, .min)] {
            #expect(places([part(x, y, 32, 16)], on: canvas, size(1920, 800)).isEmpty)
        }
        let large = places([part(0, 0, 1920, 1080)], on: canvas, size(1920, 800))
        #expect(large.count == 1 && large.allSatisfy { rect(0, 0, 1920, 800).contains($0) })
        for film in [size(1, 1), size(1, 16384), size(16384, 1)] {
            let all = places([part(0, 0, 9, 9), part(1911, 1071, 9, 9)], on: canvas, film)
            #expect(all.allSatisfy { PixelRect(size: film).contains($0) && !$0.isEmpty })
        }
        #expect(places([part(0, 0, 9, 9)], on: size(0, 0), canvas).isEmpty)
        #expect(places([part(0, 0, 9, 9)], on: canvas, size(0, 0)).isEmpty)
    }

    @Test("Subtitles are drawn at their place and above the area to be kept clear")
    func image() throws {
        let picture = SubtitlePicture(canvas: size(1920, 1080), parts: [part(800, 1000, 320, 60)])
        let image = try #require(SubtitleImage([picture], for: SubtitlePlacement(size: size(1920, 800))))
        #expect(image.rect == rect(800, 740, 320, 60) && image.bitmap.size == size(320, 60))
        #expect(image.bitmap.pixels.allSatisfy { $0 == 255 })
        let lifted = SubtitleImage([picture], for: SubtitlePlacement(size: size(1920, 800), bottomMargin: 100))
        #expect(lifted?.rect == rect(800, 640, 320, 60))
    }
}
