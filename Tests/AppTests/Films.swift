import Foundation
import Synchronization

/// Small films, made by the `ffmpeg` command when first asked for, in a folder that goes with the process.
enum Films {
    struct Failure: Error {
        let arguments: [String]
        let output: String
    }

    private static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("glissade-app-films-\(getpid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: Films.folder) }
        return folder
    }()

    private static let made = Mutex<Set<String>>([])

    private static func file(_ name: String, ffmpeg arguments: [String]) throws -> String {
        try made.withLock { made in
            let path = folder.appendingPathComponent(name).path
            if made.insert(name).inserted { try ffmpeg(arguments + [path]) }
            return path
        }
    }

    private static func ffmpeg(_ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["ffmpeg", "-y", "-v", "error", "-nostdin"] + arguments
        let words = Pipe()
        process.standardError = words
        process.standardOutput = FileHandle.nullDevice
        try process.run()
        let output = words.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw Failure(arguments: arguments, output: String(decoding: output, as: UTF8.self))
        }
    }

    private static let h264 = [
        "-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-threads", "1", "-g", "20", "-keyint_min",
        "20", "-sc_threshold", "0",
    ]

    private static func color(_ name: String, _ seconds: Int) -> [String] {
        ["-f", "lavfi", "-i", "color=c=\(name):s=320x240:r=20:d=\(seconds)"]
    }

    private static func tone(_ frequency: Int) -> [String] {
        ["-f", "lavfi", "-i", "sine=frequency=\(frequency):sample_rate=8000"]
    }

    /// 40 s of black and 20 s of white, a keyframe each second, with English and Finnish sound, English and German
    /// subtitles (a line from 2 s to 4 s, and from 50 s to 60 s), and two chapters, the second from 40 s on.
    static func everything() throws -> String {
        let lines = folder.appendingPathComponent("lines.srt")
        try Data(subtitles.utf8).write(to: lines)
        let chapters = folder.appendingPathComponent("chapters.txt")
        try Data(
            (";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=40000\ntitle=Night\n"
                + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=40000\nEND=60000\ntitle=Day\n").utf8
        ).write(to: chapters)
        return try file(
            "everything.mkv",
            ffmpeg: color("black", 40) + color("white", 20) + tone(440) + tone(660)
                + ["-i", lines.path, "-i", lines.path, "-i", chapters.path, "-filter_complex", "[0][1]concat[v]"]
                + ["-map", "[v]", "-map", "2", "-map", "3", "-map", "4", "-map", "5", "-map_metadata", "6", "-t", "60"]
                + h264 + ["-c:a", "aac", "-b:a", "16k", "-c:s", "srt"]
                + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=fin"]
                + ["-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=ger"]
                + ["-disposition:s:0", "0", "-disposition:s:1", "0"])
    }

    /// 60 s of black, a keyframe each second, with nothing else.
    static func plain() throws -> String { try file("plain.mp4", ffmpeg: color("black", 60) + h264) }

    /// Half a second of black.
    static func short() throws -> String { try file("short.mp4", ffmpeg: color("black", 1) + ["-t", "0.5"] + h264) }

    /// A line from 2 s to 4 s, and one from 50 s to 60 s.
    static let subtitles = """
        1
        00:00:02,000 --> 00:00:04,000
        HHHHHH

        2
        00:00:50,000 --> 00:01:00,000
        MMMM

        """
}

extension Scene {
    /// A copy of a film.
    @discardableResult func add(_ film: String, as name: String) throws -> String {
        try FileManager.default.copyItem(atPath: film, toPath: "\(path)/\(name)")
        return "\(path)/\(name)"
    }

    @discardableResult func write(_ text: String, to name: String) throws -> String {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(path)/\(name)"))
        return "\(path)/\(name)"
    }
}
