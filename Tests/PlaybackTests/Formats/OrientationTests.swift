import Foundation
import GlissadeGeometry
import GlissadeMedia
import GlissadePicture
import GlissadeTestSupport
import Testing

@testable import GlissadePlayback

/// Which way up a picture is shown. The pictures have a red, a green, a blue and a white quarter.
@MainActor @Suite("Orientation", .serialized) struct OrientationTests {
    /// A way to store a picture.
    struct Stored: CustomTestStringConvertible, Sendable {
        /// The number that Exif gives it (tag 0x0112): which sides of the upright picture are the first row and column.
        var exif: Int
        /// The upper left part of the display matrix that makes it upright.
        var matrix: [Int]
        /// The colors of its top left, top right, bottom left and bottom right once it is upright.
        var corners: String

        var swapsAxes: Bool { exif > 4 }
        var testDescription: String { "Exif \(exif)" }
    }

    /// All eight. Stored, the corners are R G over B W.
    nonisolated static let all = [
        Stored(exif: 1, matrix: [1, 0, 0, 1], corners: "RGBW"),
        Stored(exif: 2, matrix: [-1, 0, 0, 1], corners: "GRWB"),
        Stored(exif: 3, matrix: [-1, 0, 0, -1], corners: "WBGR"),
        Stored(exif: 4, matrix: [1, 0, 0, -1], corners: "BWRG"),
        Stored(exif: 5, matrix: [0, 1, 1, 0], corners: "RBGW"),
        Stored(exif: 6, matrix: [0, 1, -1, 0], corners: "BRWG"),
        Stored(exif: 7, matrix: [0, -1, -1, 0], corners: "WGBR"),
        Stored(exif: 8, matrix: [0, -1, 1, 0], corners: "GWRB"),
    ]

    private static let quarters =
        "color=c=black:s=160x96:r=5:d=0.4,format=rgb24,geq=r='if(gt(Y,H/2),255*gt(X,W/2),255*lt(X,W/2))'"
        + ":g='255*gt(X,W/2)':b='255*gt(Y,H/2)'"

    private static let colors: [Character: [Int]] = [
        "R": [255, 0, 0], "G": [0, 255, 0], "B": [0, 0, 255], "W": [255, 255, 255],
    ]

    private func expect(_ path: String, shows stored: Stored) throws {
        let size = stored.swapsAxes ? PixelSize(width: 96, height: 160) : PixelSize(width: 160, height: 96)
        #expect(try MediaInfo(opening: path).displaySize == size.size)
        for (name, bitmap) in try FilePictures(path).all {
            #expect(bitmap.size == size, "\(name)")
            for (corner, place) in zip(stored.corners, [(0.25, 0.25), (0.75, 0.25), (0.25, 0.75), (0.75, 0.75)]) {
                #expect(
                    bitmap.shows(Self.colors[corner] ?? [], place.0, place.1, within: 12),
                    "\(name), \(place): \(corner)")
            }
        }
    }

    @Test("A film mirrored or turned by its display matrix is shown upright", arguments: all)
    func film(stored: Stored) throws {
        let flat = try Clips.file(
            "quarters.mp4",
            ffmpeg: ["-f", "lavfi", "-i", Self.quarters, "-c:v", "libx264", "-qp", "4", "-pix_fmt", "yuv444p"])
        let path = try Clips.file(
            "quarters-\(stored.exif).mp4",
            data: Data(TurnedMP4.placing([UInt8](try Clips.bytes(flat)), stored.matrix)))
        try expect(path, shows: stored)
        let frame = try #require(PlaybackHarness(path).nextFrame())
        #expect(frame.geometry == PlaybackHarness(path).open()?.geometry)
    }

    @Test("A JPEG is shown as its Exif orientation says, in either byte order", arguments: all, [false, true])
    func exif(stored: Stored, isBigEndian: Bool) throws {
        let flat = try Clips.file(
            "quarters.jpg",
            ffmpeg: ["-f", "lavfi", "-i", Self.quarters, "-frames:v", "1", "-q:v", "1", "-pix_fmt", "yuvj444p"])
        let tiff = Exif.tiff(orientation: stored.exif, isBigEndian: isBigEndian)
        let name = "quarters-\(stored.exif)-\(isBigEndian ? "big" : "little").jpg"
        try expect(
            try Clips.file(name, data: Data(Exif.jpeg([UInt8](try Clips.bytes(flat)), tiff))), shows: stored)
    }

    @Test("A PNG and a WebP picture are shown as their Exif orientation says", arguments: all)
    func otherExif(stored: Stored) throws {
        let flat = try Clips.file(
            "quarters.png", ffmpeg: ["-f", "lavfi", "-i", Self.quarters, "-frames:v", "1", "-pix_fmt", "rgb24"])
        let tiff = Exif.tiff(orientation: stored.exif)
        try expect(
            try Clips.file(
                "quarters-\(stored.exif).png", data: Data(Exif.png([UInt8](try Clips.bytes(flat)), tiff))),
            shows: stored)
        let web = try Clips.file(
            "quarters.webp",
            ffmpeg: ["-f", "lavfi", "-i", Self.quarters, "-frames:v", "1", "-c:v", "libwebp", "-lossless", "1"])
        let extended = Exif.webp([UInt8](try Clips.bytes(web)), width: 160, height: 96, tiff)
        try expect(try Clips.file("quarters-\(stored.exif).webp", data: Data(extended)), shows: stored)
    }

    @Test("Exif data that is cut off or refers to itself is read as far as it goes")
    func damagedExif() throws {
        let picture = [UInt8](
            try Clips.bytes(
                try Clips.file(
                    "quarters.jpg",
                    ffmpeg: ["-f", "lavfi", "-i", Self.quarters, "-frames:v", "1", "-q:v", "1", "-pix_fmt", "yuvj444p"])
            ))
        let tiff = Exif.tiff(orientation: 6)
        var far = tiff
        far.replaceSubrange(4..<8, with: [0xF0, 0xFF, 0xFF, 0xFF])
        var many = tiff
        many.replaceSubrange(8..<10, with: [0xFF, 0xFF])
        var odd = tiff
        odd[18] = 9
        let cut = (0..<tiff.count).map { Array(tiff.prefix($0)) }
        for (index, data) in ([far, many, odd] + cut).enumerated() {
            let path = try Clips.file("exif-damaged-\(index).jpg", data: Data(Exif.jpeg(picture, data)))
            #expect(try MediaInfo(opening: path).container == "jpeg_pipe")
        }
    }
}
