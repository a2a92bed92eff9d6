package import Foundation
import Glibc

/// Small media files, made by the `ffmpeg` command when they are first asked for. They are deleted when the process ends.
package enum Clips {
    /// Where they are.
    package static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("glissade-clips-\(getpid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: Clips.folder) }
        return folder
    }()

    /// The origins of the files that have been made, by name; guarded by `lock`, so that no file is written twice or read
    /// half-written.
    nonisolated(unsafe) private static var origins: [String: Origin] = [:]
    /// Recursive, because some files are made of others.
    private static let lock = NSRecursiveLock()

    /// What a file was made of: files of the same origin are equal.
    private enum Origin: Equatable {
        case code(file: String, line: Int)
        case ffmpeg([String])
        case data(Data)
    }

    /// A test asks for a file by the name of another file.
    package struct NameClash: Error, CustomStringConvertible {
        package let name: String
        package var description: String { "two different files named \(name)" }
    }

    private static func file(_ name: String, _ origin: Origin, _ make: (String) throws -> Void) throws -> String {
        let path = folder.appendingPathComponent(name).path
        lock.lock()
        defer { lock.unlock() }
        if let other = origins[name] {
            guard other == origin else { throw NameClash(name: name) }
            return path
        }
        try make(path)
        origins[name] = origin
        return path
    }

    /// The path of the file `name`, made by `make` the first time.
    package static func file(
        _ name: String, in file: String = #fileID, line: Int = #line, _ make: (String) throws -> Void
    ) throws -> String {
        try self.file(name, .code(file: file, line: line), make)
    }

    /// The path of the file `name`, written by `ffmpeg` with `arguments` the first time.
    package static func file(_ name: String, ffmpeg arguments: [String]) throws -> String {
        try file(name, .ffmpeg(arguments)) { path in
            let make = { (path: String) in try FFmpeg.run(arguments + [path]) }
            // What refers to other files is made beside them.
            if name.hasSuffix(".m3u8") || name.hasSuffix(".mpd") { return try make(path) }
            // The files that it is made of are the same in each process, in a folder of its own.
            let recipe = ([name] + arguments).joined(separator: "\n").replacing(folder.path, with: "")
            try makeOnce(recipe, at: path, make)
        }
    }

    /// Writes the file `path` by `make`, or copies the one that another process of the same test run has made by the same
    /// `recipe`: these share the folder that GLISSADE_TEST_CLIPS names.
    package static func makeOnce(_ recipe: String, at path: String, _ make: (String) throws -> Void) throws {
        guard let shared = ProcessInfo.processInfo.environment["GLISSADE_TEST_CLIPS"] else { return try make(path) }
        // FNV-1a: a hash that is the same in each process.
        let hash = recipe.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let kept = "\(shared)/\(String(hash, radix: 36))"
        let lock = open("\(kept).lock", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        defer { close(lock) }
        while flock(lock, LOCK_EX) != 0, errno == EINTR {}
        if access(kept, F_OK) == 0 {
            try FileManager.default.copyItem(atPath: kept, toPath: path)
        } else {
            try make(path)
            try FileManager.default.copyItem(atPath: path, toPath: kept + ".part")
            rename(kept + ".part", kept)
        }
    }

    /// The path of the file `name`, which holds `data`.
    package static func file(_ name: String, data: Data) throws -> String {
        try file(name, .data(data)) { try data.write(to: URL(fileURLWithPath: $0)) }
    }

    /// The path of the file `name`, with the content of the MP4 file at `path` rotated by `degrees`.
    package static func turned(_ path: String, by degrees: Int, name: String) throws -> String {
        try file(name, data: Data(TurnedMP4.turning([UInt8](try bytes(path)), by: degrees)))
    }

    package static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }
}

extension Clips {
    /// 100 frames at 25 a second, a keyframe every 50, B-frames between; no sound.
    package static func film(_ kind: String = "mp4") throws -> String {
        try file("film.\(kind)", ffmpeg: NumberedFrames.source(seconds: 4) + NumberedFrames.h264)
    }

    /// The same film, grainy, so that most of the file is pictures.
    package static func grainyFilm(_ kind: String, _ more: [String] = []) throws -> String {
        var source = NumberedFrames.source(seconds: 4)
        source[source.count - 1] += ",noise=alls=40:allf=t"
        return try file("grainy\(more.joined()).\(kind)", ffmpeg: source + NumberedFrames.h264 + more)
    }

    /// 50 frames at 25 a second with a tone of the same length.
    package static func filmWithAudio(_ kind: String = "mp4") throws -> String {
        try file(
            "film-sound.\(kind)",
            ffmpeg: NumberedFrames.source(seconds: 2) + NumberedFrames.tone + NumberedFrames.h264 + [
                "-c:a", "aac", "-t", "2",
            ])
    }

    /// A second of a tone, without pictures.
    package static func audio(_ kind: String = "flac") throws -> String {
        try file("sound.\(kind)", ffmpeg: NumberedFrames.tone + ["-t", "1"])
    }

    /// 100 frames, two tones of 4 s, and two subtitles: a line each second, "one 0"…, and "two 0"….
    package static func tracks(_ kind: String = "mkv") throws -> String {
        func lines(_ name: String) throws -> String {
            try file("\(name).srt") { path in
                let text = (0..<4).map { "\($0 + 1)\n00:00:0\($0),100 --> 00:00:0\($0),900\n\(name) \($0)\n" }
                try text.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
            }
        }
        return try file(
            "tracks.\(kind)",
            ffmpeg: NumberedFrames.source(seconds: 4) + NumberedFrames.tone
                + ["-f", "lavfi", "-i", "sine=frequency=880:sample_rate=48000", "-i", lines("one"), "-i", lines("two")]
                + ["-map", "0", "-map", "1", "-map", "2", "-map", "3", "-map", "4"] + NumberedFrames.h264
                + ["-c:a", "aac", "-c:s", kind == "mp4" ? "mov_text" : "subrip", "-t", "4"])
    }
}
