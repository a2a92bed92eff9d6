import Foundation
import GlissadePicture
import GlissadeTestSupport

/// Frames and conversions by the `ffmpeg` command, to compare with.
enum FFmpegReference {
    /// One frame of a source of libavfilter's, in `pixelFormat`, tightly packed.
    static func frame(of source: String, pixelFormat: String) throws -> [UInt8] {
        try FFmpeg.bytes(["-f", "lavfi", "-i", source, "-frames:v", "1", "-pix_fmt", pixelFormat, "-f", "rawvideo"])
    }

    /// What zimg makes of `raw` in 8-bit RGB: three planes in the order G, B, R.
    static func converted(_ raw: [UInt8], _ format: PixelFormat, pixelFormat: String) throws -> [UInt8] {
        let input = FileManager.default.temporaryDirectory.appendingPathComponent("glissade-\(UUID().uuidString).raw")
        try Data(raw).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let (matrix, range, siting) = FFmpeg.zscaleNames(of: format)
        return try FFmpeg.bytes([
            "-f", "rawvideo", "-pix_fmt", pixelFormat, "-s", "\(format.size.width)x\(format.size.height)", "-i",
            input.path, "-vf",
            "zscale=matrixin=\(matrix):rangein=\(range):chromalin=\(siting):filter=bilinear:dither=none,format=gbrp",
            "-frames:v", "1", "-f", "rawvideo",
        ])
    }
}
