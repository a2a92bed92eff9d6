import Foundation
import GlissadeTestSupport

/// The content of small media files, made when they are first asked for.
enum Films {
    /// The content of a file that `ffmpeg` writes with `arguments` the first time.
    static func data(_ name: String, ffmpeg arguments: [String]) throws -> Data {
        try Clips.bytes(Clips.file("library-\(name)", ffmpeg: arguments))
    }

    private static let h264 = ["-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-threads", "2"]
    private static let tone = ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000"]

    private static func color(_ name: String, seconds: Double, size: String = "640x360") -> [String] {
        ["-f", "lavfi", "-i", "color=c=\(name):s=\(size):r=25:d=\(seconds)"]
    }

    /// Two seconds of one colour, 640×360.
    static func film(_ color: String, _ kind: String = "mp4") throws -> Data {
        try data("\(color).\(kind)", ffmpeg: Self.color(color, seconds: 2) + h264)
    }

    /// A second of red, 640×360, that lies on its side: to be seen upright it is turned, to 360×640.
    static func turned() throws -> Data {
        let flat = try data("flat.mp4", ffmpeg: Self.color("red", seconds: 1) + h264)
        return Data(TurnedMP4.turning([UInt8](flat), by: 90))
    }

    /// A second with pixels twice as wide as high: 320×240 that is seen as 640×240.
    static func wide() throws -> Data {
        try data("wide.mkv", ffmpeg: color("green", seconds: 1, size: "320x240") + ["-vf", "setsar=2"] + h264)
    }

    /// Ten seconds, the first 45 % black, the rest white; a keyframe each `interval` frames.
    static func lateLight(interval: Int) throws -> Data {
        try data(
            "late-\(interval).mp4",
            ffmpeg: color("black", seconds: 4.5, size: "320x180") + color("white", seconds: 5.5, size: "320x180")
                + ["-filter_complex", "[0][1]concat"] + h264
                + ["-g", "\(interval)", "-keyint_min", "\(interval)", "-sc_threshold", "0"])
    }

    /// A second of a tone without pictures.
    static func audio() throws -> Data { try data("sound.flac", ffmpeg: tone + ["-t", "1"]) }

    /// A second of a tone with a blue cover of 400×400.
    static func record() throws -> Data {
        try data(
            "record.mp3",
            ffmpeg: tone + color("blue", seconds: 0.04, size: "400x400")
                + ["-map", "0:a", "-map", "1:v", "-c:v", "png", "-t", "1", "-disposition:v:0", "attached_pic"])
    }

    /// Film, two languages of sound, subtitles and chapters.
    static func everything() throws -> Data {
        let subtitles = try Clips.file(
            "library-lines.srt", data: Data("1\n00:00:00,000 --> 00:00:01,000\nHello\n".utf8))
        let chapters = try Clips.file(
            "library-chapters.txt",
            data: Data(
                (";FFMETADATA1\ntitle=A\\\nfilm\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=1000\ntitle=Start\n"
                    + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=1000\nEND=2000\n").utf8))
        return try data(
            "everything.mkv",
            ffmpeg: color("gray", seconds: 2) + tone + tone + ["-i", subtitles, "-i", chapters]
                + ["-map", "0:v", "-map", "1:a", "-map", "2:a", "-map", "3:s", "-map_metadata", "4", "-t", "2"] + h264
                + ["-c:a", "aac", "-c:s", "srt", "-metadata:s:a:1", "language=fin"])
    }

    /// Three seconds of moving grain, so that most of the file is pictures; a keyframe each second.
    static func grainy(_ kind: String) throws -> Data {
        try data(
            "grainy.\(kind)",
            ffmpeg: ["-f", "lavfi", "-i", "testsrc2=s=320x180:r=25:d=3,noise=alls=40:allf=t"] + h264 + ["-g", "25"])
    }
}
