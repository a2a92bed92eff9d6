import Foundation
import GlissadePicture
import GlissadeTestSupport

/// Frames and conversions by the `ffmpeg` command, to compare with.
enum FFmpegReference {
    /// One frame of a source of libavfilter's, in `pixelFormat`, tightly packed.
    static func frame(of source: String, pixelFormat: String) throws -> [UInt8] {
        try FFmpeg.bytes(["-f", "lavfi", "-i", source, "-frames:v", "1", "-pix_fmt", pixelFormat, "-f", "rawvideo"])
    }

    /// What zimg makes of `raw` in 8-bit RGB, in each of `formats`: three planes in the order G, B, R. One command makes them
    /// all, as its start takes longer than its work.
    static func converted(_ raw: [UInt8], _ formats: [PixelFormat], pixelFormat: String) throws -> [[UInt8]] {
        guard let size = formats.first?.size else { return [] }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("glissade-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String) -> URL { folder.appendingPathComponent(name) }
        try Data(raw).write(to: file("planes"))
        var graph = "[0:v]split=\(formats.count)" + formats.indices.map { "[planes\($0)]" }.joined()
        for (index, format) in formats.enumerated() {
            let (matrix, range, siting) = FFmpeg.zscaleNames(of: format)
            graph +=
                ";[planes\(index)]zscale=matrixin=\(matrix):rangein=\(range):chromalin=\(siting):filter=bilinear:dither=none"
                + ",format=gbrp[rgb\(index)]"
        }
        let input = ["-f", "rawvideo", "-pix_fmt", pixelFormat, "-s", "\(size.width)x\(size.height)", "-i"]
        let outputs = formats.indices.flatMap {
            ["-map", "[rgb\($0)]", "-frames:v", "1", "-f", "rawvideo", file("\($0)").path]
        }
        try FFmpeg.run(input + [file("planes").path, "-filter_complex", graph] + outputs)
        return try formats.indices.map { [UInt8](try Data(contentsOf: file("\($0)"))) }
    }
}
