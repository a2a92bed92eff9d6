import Foundation
import Synchronization
import TestSupport

/// Small media, made by the `ffmpeg` command when first asked for, in a folder that goes with the process.
enum Clips {
    struct Failure: Error {
        let arguments: [String]
        let output: String
    }

    static let folder: URL = {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("glissade-clips-\(getpid())")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: Clips.folder) }
        return folder
    }()

    /// What was made, by whoever has the lock: two that ask for the same file at once would write it twice, one while the other
    /// reads. Recursive, since files are made of others.
    nonisolated(unsafe) private static var made: Set<String> = []
    private static let making = NSRecursiveLock()

    /// The path of the file `name`, made by `make` the first time.
    static func file(_ name: String, _ make: (String) throws -> Void) throws -> String {
        let path = folder.appendingPathComponent(name).path
        making.lock()
        defer { making.unlock() }
        if made.contains(name) { return path }
        try make(path)
        made.insert(name)
        return path
    }

    /// The path of the file `name`, written by `ffmpeg` with `arguments`.
    static func file(_ name: String, ffmpeg arguments: [String]) throws -> String {
        try file(name) { try ffmpeg(arguments + [$0]) }
    }

    /// A new file with `data`.
    static func file(_ name: String, data: Data) throws -> String {
        try file(name) { try data.write(to: URL(fileURLWithPath: $0)) }
    }

    /// A new file `name` with what is in the MP4 file at `path`, turned by `degrees`.
    static func turned(_ path: String, by degrees: Int, name: String) throws -> String {
        try file(name, data: Data(TurnedMP4.turning([UInt8](try bytes(path)), by: degrees)))
    }

    static func bytes(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: path)) }

    static func ffmpeg(_ arguments: [String]) throws {
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
}

// MARK: - Pictures that say which they are

/// Eight columns, each white or black: the frame's number in binary, which survives any codec and any scaling.
enum FrameCode {
    /// A source of libavfilter's whose frames are numbered from `first`.
    static func source(
        seconds: Double, rate: String = "25", size: String = "160x90", first: Int = 0, format: String = "yuv420p"
    ) -> [String] {
        let code = "if(bitand(N+\(first)\\,pow(2\\,floor(X*8/W)))\\,235\\,16)"
        return [
            "-f", "lavfi", "-i",
            "color=c=black:s=\(size):r=\(rate):d=\(seconds),format=yuv444p,geq=lum='\(code)':cb=128:cr=128,"
                + "setparams=range=limited:colorspace=smpte170m,format=\(format)",
        ]
    }

    static let h264 = [
        "-c:v", "libx264", "-preset", "veryfast", "-g", "50", "-keyint_min", "50", "-sc_threshold", "0", "-bf", "3",
        "-b_strategy", "0", "-threads", "2",
    ]

    static let tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"]
}

extension Clips {
    /// 100 frames at 25 a second, a keyframe every 50, B-frames between; no sound.
    static func film(_ kind: String = "mp4") throws -> String {
        try file("film.\(kind)", ffmpeg: FrameCode.source(seconds: 4) + FrameCode.h264)
    }

    /// The same film, grainy, so that most of the file is pictures.
    static func grainyFilm(_ kind: String, _ more: [String] = []) throws -> String {
        var source = FrameCode.source(seconds: 4)
        source[source.count - 1] += ",noise=alls=40:allf=t"
        return try file("grainy\(more.joined()).\(kind)", ffmpeg: source + FrameCode.h264 + more)
    }

    /// 50 frames at 25 a second with a tone of the same length.
    static func filmWithAudio(_ kind: String = "mp4") throws -> String {
        try file(
            "film-sound.\(kind)",
            ffmpeg: FrameCode.source(seconds: 2) + FrameCode.tone + FrameCode.h264 + ["-c:a", "aac", "-t", "2"])
    }

    /// A second of a tone, without pictures.
    static func audio(_ kind: String = "flac") throws -> String {
        try file("sound.\(kind)", ffmpeg: FrameCode.tone + ["-t", "1"])
    }
}
