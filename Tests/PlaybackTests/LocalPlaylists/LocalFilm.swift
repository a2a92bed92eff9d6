import Foundation
import GlissadeTestSupport

@testable import GlissadeMedia
@testable import GlissadePlayback

/// A folder with a film in segments of two seconds, which tests may change. 200 frames at 25 a second; no sound.
struct LocalFilm {
    let folder: String

    enum Segments: CaseIterable, Sendable {
        /// MPEG-TS, MPEG-TS with AES-128, MP4, and byte ranges of one file.
        case transport, encrypted, mp4, ranges

        fileprivate var options: [String] {
            switch self {
            case .transport: []
            case .encrypted: ["-hls_key_info_file", "key.txt"]
            case .mp4: ["-hls_segment_type", "fmp4", "-hls_fmp4_init_filename", "init.mp4"]
            case .ranges: ["-hls_flags", "single_file"]
            }
        }

        fileprivate var ending: String { self == .mp4 ? "m4s" : "ts" }
    }

    /// Creates the folder, with `film.m3u8` and its segments in `parts`.
    @MainActor init(_ segments: Segments = .transport) throws {
        folder = Clips.folder.appendingPathComponent("local-\(UUID())").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let film = try Clips.file(
            "eight-plain.mkv", ffmpeg: NumberedFrames.source(seconds: 8) + NumberedFrames.h264)
        try write("film.key", Data((0..<16).map { UInt8($0) }))
        try write("key.txt", Data("film.key\n\(folder)/film.key\n".utf8))
        let options = segments.options.map { $0 == "key.txt" ? "\(folder)/key.txt" : $0 }
        let name = segments == .ranges ? "film.ts" : "part %d.\(segments.ending)"
        try FFmpeg.run(
            ["-i", film, "-c", "copy", "-hls_time", "2", "-hls_list_size", "0"] + options
                + ["-hls_segment_filename", "\(folder)/\(name)", path])
    }

    /// The playlist's path.
    var path: String { folder + "/film.m3u8" }

    func write(_ name: String, _ data: Data) throws {
        try data.write(to: URL(fileURLWithPath: folder + "/" + name))
    }

    /// Writes a playlist of segments of two seconds, and returns its path.
    func playlist(_ name: String = "list.m3u8", _ references: String..., head: String = "") throws -> String {
        let parts = references.map { "#EXTINF:2.0,\n\($0)\n" }.joined()
        let text = "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n\(head)\(parts)#EXT-X-ENDLIST\n"
        try write(name, Data(text.utf8))
        return folder + "/" + name
    }

    /// Replaces `old` in the playlist `film.m3u8`.
    func replace(_ old: String, with new: String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try write("film.m3u8", Data(text.replacingOccurrences(of: old, with: new).utf8))
    }

    func move(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: folder + "/" + name, toPath: folder + "/" + other)
    }

    func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: folder + "/" + name) }

    func link(_ name: String, to target: String) throws {
        try FileManager.default.createSymbolicLink(atPath: folder + "/" + name, withDestinationPath: target)
    }
}
