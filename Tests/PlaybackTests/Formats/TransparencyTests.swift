import Foundation
import GlissadeCFFmpeg
import GlissadeGeometry
import GlissadePicture
import GlissadeTestSupport
import Testing

@testable import GlissadeMedia
@testable import GlissadePlayback

/// What is seen of pictures and films that are partly transparent.
@MainActor @Suite("Transparency", .serialized) struct TransparencyTests {
    /// 128 × 128 pixels: the left half is white without opacity, the right half blue, and in the middle of both is red of
    /// half opacity.
    private static func raw() throws -> String {
        var data = Data()
        for y in 0..<128 {
            for x in 0..<128 {
                let isMiddle = (48..<80).contains(y) && (32..<96).contains(x)
                data += isMiddle ? [255, 0, 0, 128] : x < 64 ? [255, 255, 255, 0] : [0, 120, 255, 255]
            }
        }
        return try Clips.file("transparent.rgba", data: data)
    }

    private static func file(_ name: String, _ codec: [String]) throws -> String {
        try Clips.file(
            name,
            ffmpeg: ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", "128x128", "-r", "25", "-i", try raw()]
                + ["-sws_flags", "accurate_rnd+full_chroma_int"] + codec + ["-frames:v", "1"])
    }

    @Test(
        "A film is seen over black where it is transparent, in every form of alpha",
        arguments: [
            ("bgra", "ffv1"), ("rgba", "png"), ("argb", "qtrle"), ("rgba64le", "png"), ("gbrap", "utvideo"),
            ("gbrap10le", "ffv1"), ("yuva444p", "ffv1"), ("yuva420p", "ffv1"), ("yuva422p10le", "ffv1"),
            ("yuva444p10le", "prores_ks"),
        ])
    func film(format: String, codec: String) throws {
        let kind = codec == "qtrle" || codec == "prores_ks" ? "mov" : "mkv"
        let path = try Self.file(
            "film-\(format)-\(codec).\(kind)", ["-pix_fmt", format, "-c:v", codec, "-colorspace", "smpte170m"])
        let tolerance = codec == "prores_ks" ? 12 : 5
        for (name, bitmap) in try FilePictures(path).all {
            for (color, x, y) in [
                ([0, 0, 0], 0.1, 0.1), ([0, 0, 0], 0.45, 0.9), ([128, 0, 0], 0.3, 0.5), ([128, 0, 0], 0.7, 0.5),
                ([0, 120, 255], 0.9, 0.5),
            ] { #expect(bitmap.shows(color, x, y, within: tolerance), "\(name) \((x, y)): \(bitmap.color(x, y))") }
        }
    }

    @Test(
        "A picture is seen over a checkerboard where it is transparent", arguments: ["rgba", "rgba64be", "pal8"])
    func picture(format: String) throws {
        let codec =
            format == "pal8"
            ? [
                "-vf",
                "split[a][b];[a]palettegen=reserve_transparent=1[p];[b][p]paletteuse=dither=none:alpha_threshold=64",
            ]
            : ["-pix_fmt", format]
        let path = try Self.file("picture-\(format).png", codec + ["-c:v", "png", "-f", "image2", "-update", "1"])
        for (name, bitmap) in try FilePictures(path).all {
            // Squares of 8 pixels, dark in the corner.
            #expect(bitmap.shows([102, 102, 102], 3.5 / 128, 3.5 / 128, within: 1), "\(name)")
            #expect(bitmap.shows([153, 153, 153], 11.5 / 128, 3.5 / 128, within: 1), "\(name)")
            #expect(bitmap.shows([153, 153, 153], 3.5 / 128, 11.5 / 128, within: 1), "\(name)")
            #expect(bitmap.shows([0, 120, 255], 0.9, 0.5, within: 1), "\(name)")
            if format != "pal8" {
                let red = bitmap.color(35.5 / 128, 51.5 / 128)
                #expect(red[0] > 170 && red[1] == red[2] && (45...80).contains(red[1]), "\(name) \(red)")
            }
        }
    }

    @Test("A gray picture is seen over a checkerboard where it is transparent", arguments: ["ya8", "ya16be"])
    func gray(format: String) throws {
        let path = try Self.file(
            "gray-\(format).png", ["-pix_fmt", format, "-c:v", "png", "-f", "image2", "-update", "1"])
        for (name, bitmap) in try FilePictures(path).all {
            #expect(bitmap.shows([102, 102, 102], 3.5 / 128, 3.5 / 128, within: 1), "\(name)")
            #expect(bitmap.shows([153, 153, 153], 11.5 / 128, 3.5 / 128, within: 1), "\(name)")
            // The luma of (0, 120, 255).
            #expect(bitmap.shows([99, 99, 99], 0.9, 0.5, within: 2), "\(name)")
        }
    }

    /// A frame of 64 × 64 pixels of one color of a palette, which has no opacity.
    private static func paletted() throws -> CodecFrame {
        guard let frame = CodecFrame.picture(AV_PIX_FMT_PAL8, width: 64, height: 64),
            let pixels = frame.pointer.pointee.data.0, let palette = frame.pointer.pointee.data.1
        else { throw PlaybackError.outOfMemory }
        pixels.update(repeating: 0, count: Int(frame.pointer.pointee.linesize.0) * 64)
        palette.withMemoryRebound(to: UInt32.self, capacity: 256) { $0.update(repeating: 0x0A_C85A, count: 256) }
        return frame
    }

    @Test("A palette whose fourth byte is unused is seen, and one without opacity is not")
    func palette() throws {
        for ignoresZero in [true, false] {
            let frame = try Self.paletted()
            var scaler = BitmapScaler()
            let made = scaler.bitmap(
                frame.pointer, geometry: PixelGeometry(), over: .black, ignoresZeroAlpha: ignoresZero,
                fitting: PixelSize(width: 64, height: 64))
            let color = ignoresZero ? [10, 200, 90] : [0, 0, 0]
            #expect(try #require(made).shows(color, 0.5, 0.5, within: 1))
        }
    }

    @Test("A poster of a palette is not made beyond the memory for it")
    func budget() throws {
        let frame = try Self.paletted()
        var scaler = BitmapScaler()
        for (limit, isMade) in [(64 * 64 * 4, true), (64 * 64 * 4 - 1, false)] {
            let budget = ByteBudget(limit: limit)
            let made = scaler.bitmap(
                frame.pointer, geometry: PixelGeometry(), over: .black, budget: budget,
                fitting: PixelSize(width: 8, height: 8))
            #expect((made != nil) == isMade && budget.used == 0)
        }
    }

    @Test("What hides under no opacity is not seen at the edges of a poster")
    func edges() throws {
        let path = try Self.file("edges.png", ["-pix_fmt", "rgba", "-c:v", "png", "-f", "image2", "-update", "1"])
        var source = try ThumbnailSource(location: path) { false }
        let made = source.picture(at: 0, fitting: PixelSize(width: 37, height: 37))
        let poster = try #require(made)
        // Between squares and blue, nothing is brighter than the brighter of both.
        for row in 0..<10 {
            for column in 0..<poster.size.width {
                let color = poster.color((Double(column) + 0.5) / 37, (Double(row) + 0.5) / 37)
                #expect(color[0] <= 154 && color[1] <= 154)
            }
        }
    }

    @Test("Raw pixels whose fourth byte is unused are seen")
    func unused() throws {
        let bytes = Data((0..<64 * 64).flatMap { _ in [10, 200, 90, 0] as [UInt8] })
        let raw = try Clips.file("unused.raw", data: bytes)
        let path = try Clips.file(
            "unused.nut",
            ffmpeg: ["-f", "rawvideo", "-pix_fmt", "rgba", "-s", "64x64", "-i", raw, "-c:v", "rawvideo"])
        for (name, bitmap) in try FilePictures(path).all {
            #expect(bitmap.shows([10, 200, 90], 0.5, 0.5, within: 1), "\(name)")
        }
    }

    @Test("An opaque frame with alpha is shown as it was decoded, without a copy")
    func opaque() throws {
        let path = try Clips.file(
            "opaque.mkv", ffmpeg: NumberedFrames.source(seconds: 0.1, first: 77, format: "yuva420p") + ["-c:v", "ffv1"])
        let frame = try #require(PlaybackHarness(path).nextFrame())
        #expect(frame.number == 77 && frame.format.layout == .planar(.quarter))
    }
}
