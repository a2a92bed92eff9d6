import GlissadeGeometry
import GlissadeMedia
import GlissadeTestSupport
import Testing

@testable import GlissadePlayback

/// Whose word counts about the shape of pixels: the container's, or else the bitstream's.
@MainActor @Suite("Pixel aspect", .serialized) struct PixelAspectTests {
    private func expect(_ path: String, width: Int, _ format: String) throws {
        let size = PixelSize(width: width, height: 240)
        let info = try #require(try MediaInfo(opening: path).displaySize)
        #expect(abs(info.width - Double(width)) < 1 && info.height == 240, "\(format)")
        for (name, bitmap) in try FilePictures(path).all { #expect(bitmap.size == size, "\(format): \(name)") }
        let frame = try #require(PlaybackHarness(path).nextFrame())
        #expect(abs(frame.geometry.pixelAspect - Double(width) / 320) < 0.01, "\(format)")
    }

    private func film(_ kind: String, aspect: String) throws -> String {
        try Clips.file(
            "square\(aspect == "1" ? "" : "-not").\(kind)",
            ffmpeg: NumberedFrames.source(seconds: 0.2, size: "320x240")
                + [
                    "-vf", "setsar=\(aspect)", "-c:v", "libx264", "-bsf:v",
                    "h264_metadata=sample_aspect_ratio=\(aspect)",
                ])
    }

    @Test(
        "The container's pixel aspect comes before the bitstream's, in what is said as in what is shown",
        arguments: ["mkv", "mp4", "mov", "avi"])
    func container(kind: String) throws {
        let path = try Clips.file(
            "wide.\(kind)", ffmpeg: ["-i", try film("mp4", aspect: "1"), "-c", "copy", "-aspect", "16:9"])
        try expect(path, width: 427, kind)
    }

    @Test("Without a pixel aspect in the container, that of the bitstream counts", arguments: ["ts", "h264"])
    func bitstream(kind: String) throws { try expect(try film(kind, aspect: "4/3"), width: 427, kind) }
}
