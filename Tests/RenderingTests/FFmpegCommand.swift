import Foundation
import Picture
import Time

/// The `ffmpeg` command: an independent judge of what planes look like.
enum FFmpegCommand {
    struct Failure: Error { let arguments: [String] }

    static let isInstalled = (try? run(["-hide_banner", "-filters"], output: false)) != nil

    /// One frame of a source of libavfilter's, in `pixelFormat`, tightly packed.
    static func frame(of source: String, pixelFormat: String) throws -> [UInt8] {
        try run(
            ["-f", "lavfi", "-i", source, "-frames:v", "1", "-pix_fmt", pixelFormat, "-f", "rawvideo"], output: true)
    }

    /// What zimg makes of `raw` in 8-bit RGB: three planes in the order G, B, R.
    static func converted(_ raw: [UInt8], _ format: PixelFormat, pixelFormat: String) throws -> [UInt8] {
        let input = FileManager.default.temporaryDirectory.appendingPathComponent("glissade-\(UUID().uuidString).raw")
        try Data(raw).write(to: input)
        defer { try? FileManager.default.removeItem(at: input) }
        let matrix =
            switch format.matrix {
            case .bt601: "170m"
            case .bt709: "709"
            case .bt2020: "2020_ncl"
            }
        let siting =
            switch format.siting {
            case .left: "left"
            case .center: "center"
            case .topLeft: "topleft"
            }
        let range = format.range == .full ? "full" : "limited"
        return try run(
            [
                "-f", "rawvideo", "-pix_fmt", pixelFormat, "-s", "\(format.size.width)x\(format.size.height)", "-i",
                input.path, "-vf",
                "zscale=matrixin=\(matrix):rangein=\(range):chromalin=\(siting):filter=bilinear:dither=none,format=gbrp",
                "-frames:v", "1", "-f", "rawvideo",
            ], output: true)
    }

    @discardableResult private static func run(_ arguments: [String], output: Bool) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("glissade-\(UUID().uuidString).raw")
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-v", "error", "-nostdin"] + arguments + (output ? [file.path] : [])
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
        return output ? [UInt8](try Data(contentsOf: file)) : []
    }
}
