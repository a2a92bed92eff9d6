import Foundation
import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadeTestSupport
import Testing

@testable import GlissadePlayback

@MainActor @Suite("Still pictures", .serialized) struct StillPictureTests {
    /// The encoder, and what else it needs, of each kind of picture.
    private static let kinds: [String: [String]] = [
        "jpeg": ["-c:v", "mjpeg", "-q:v", "1", "-pix_fmt", "yuvj444p"], "png": ["-c:v", "png", "-pix_fmt", "rgb24"],
        "bmp": ["-c:v", "bmp", "-pix_fmt", "bgr24"],
    ]

    private static func picture(_ kind: String, size: String = "640x360", filter: String = "noise=alls=6") throws
        -> String
    {
        try Clips.file(
            "\(size)-\(filter.count).\(kind)-picture",
            ffmpeg: ["-f", "lavfi", "-i", "color=c=0x2860A0:s=\(size),\(filter)"] + (kinds[kind] ?? [])
                + ["-frames:v", "1", "-f", "image2", "-update", "1"])
    }

    @Test(
        "A picture opens by its content, whatever its name says and however large it is",
        arguments: ["jpeg", "png", "bmp"], ["jpg", "jpeg", "png", "webp", "tif", "001.jpg", ""])
    func names(kind: String, ending: String) throws {
        let data = try Clips.bytes(try Self.picture(kind))
        #expect(data.count > 2048)
        let path = try Clips.file("named-\(kind)" + (ending.isEmpty ? "" : ".\(ending)"), data: data)
        #expect(try MediaInfo(opening: path).container == "\(kind)_pipe")
        for (name, bitmap) in try FilePictures(path).all {
            #expect(bitmap.size == PixelSize(width: 640, height: 360), "\(name)")
            #expect(bitmap.shows([0x28, 0x60, 0xA0], 0.5, 0.5, within: 16), "\(name)")
        }
    }

    @Test("A JPEG opens whatever stands before its picture and however many megabytes it has")
    func largeHeads() throws {
        let small = try Clips.bytes(try Self.picture("jpeg"))
        // A thumbnail and a color profile of 65,000 bytes each, as cameras and editors write them.
        let segments = [0xE1, 0xE2, 0xE2].reduce(into: Data()) { segments, marker in
            segments += Data([0xFF, UInt8(marker), 0xFD, 0xEA]) + Data(repeating: 0x55, count: 65000)
        }
        let headed = try Clips.file("headed.jpg", data: small.prefix(2) + segments + small.dropFirst(2))
        let noisy = try Self.picture("jpeg", size: "1600x1200", filter: "noise=alls=60")
        #expect(try Clips.bytes(noisy).count > 2 << 20)
        for path in [headed, try Clips.file("large.JPG", data: try Clips.bytes(noisy))] {
            #expect(try MediaInfo(opening: path).container == "jpeg_pipe")
            _ = try FilePictures(path)
        }
    }

    @Test("A film named like a picture plays as a film")
    func namedFilm() throws {
        let path = try Clips.file("film.jpg", data: try Clips.bytes(try Clips.film("mkv")))
        #expect(PlaybackHarness(path).open()?.container == "matroska,webm")
    }
}
