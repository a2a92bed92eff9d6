import Foundation

/// Small media of the `ffmpeg` command's, as bytes.
enum Samples {
    struct Failure: Error { let arguments: [String] }

    /// Half a second of picture and sound, in the container that `ending` names.
    static func media(_ ending: String, _ options: [String] = []) throws -> [UInt8] {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).\(ending)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let isOgg = ending == "ogg"
        let codecs =
            isOgg
            ? ["-c:a", "libvorbis", "-vn"]
            : ["-c:v", "mpeg4", "-c:a", "aac", "-metadata", "title=A title"]
        let arguments =
            [
                "ffmpeg", "-y", "-v", "error", "-nostdin", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=10", "-f", "lavfi",
                "-i",
                "sine=r=48000", "-t", "0.5",
            ] + codecs + options + [path]
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
        return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    }
}
