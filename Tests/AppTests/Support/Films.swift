import Foundation
import GlissadeTestSupport

/// Small films, made when they are first asked for.
enum Films {
    private static func file(_ name: String, ffmpeg arguments: [String]) throws -> String {
        try Clips.file("app-\(name)", ffmpeg: arguments)
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
        let lines = try Clips.file("app-lines.srt", data: Data(subtitles.utf8))
        let chapters = try Clips.file(
            "app-chapters.txt",
            data: Data(
                (";FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=40000\ntitle=Night\n"
                    + "[CHAPTER]\nTIMEBASE=1/1000\nSTART=40000\nEND=60000\ntitle=Day\n").utf8))
        return try file(
            "everything.mkv",
            ffmpeg: color("black", 40) + color("white", 20) + tone(440) + tone(660)
                + ["-i", lines, "-i", lines, "-i", chapters, "-filter_complex", "[0][1]concat[v]"]
                + ["-map", "[v]", "-map", "2", "-map", "3", "-map", "4", "-map", "5", "-map_metadata", "6", "-t", "60"]
                + h264 + ["-c:a", "aac", "-b:a", "16k", "-c:s", "srt"]
                + ["-metadata:s:a:0", "language=eng", "-metadata:s:a:1", "language=fin"]
                + ["-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=ger"]
                + ["-disposition:s:0", "0", "-disposition:s:1", "0"])
    }

    /// 60 s of black, a keyframe each second, with nothing else.
    static func plain() throws -> String { try file("plain.mp4", ffmpeg: color("black", 60) + h264) }

    /// 40 s of black, 180×320, with a white upper quarter and a keyframe each second.
    static func portrait() throws -> String {
        let picture = "color=c=black:s=180x320:r=20:d=40,drawbox=w=180:h=80:color=white:t=fill"
        return try file("portrait.mp4", ffmpeg: ["-f", "lavfi", "-i", picture] + h264)
    }

    /// 60 s of even grays: frame N, of 20 a second, is one of eight, by its number.
    static func grays() throws -> String {
        let gray = "geq=lum='40+24*mod(N\\,8)':cb=128:cr=128,scale=64:48:flags=neighbor"
        return try file(
            "grays.mp4",
            ffmpeg: ["-f", "lavfi", "-i", "color=c=black:s=8x6:r=20:d=60,format=yuv420p,\(gray)"] + h264)
    }

    /// The number, modulo 8, of the frame of `grays` that has this gray, 0…255; nil if none has.
    static func number(ofGray gray: UInt8) -> Int? {
        let step = (Double(gray) * 219 / 255 + 16 - 40) / 24
        let number = Int(step.rounded())
        return (0..<8).contains(number) && abs(step - Double(number)) < 0.25 ? number : nil
    }

    /// A song of 2 s with a title, an artist and an album.
    static func song() throws -> String {
        try file(
            "song.flac",
            ffmpeg: tone(440) + [
                "-t", "2", "-metadata", "title=One song", "-metadata", "artist=Somebody", "-metadata",
                "album=Collected songs",
            ])
    }

    /// A song of 20 s with a blue cover of 180×320.
    static func coveredSong() throws -> String {
        try file(
            "covered-song.mp3",
            ffmpeg: tone(440) + ["-f", "lavfi", "-i", "color=c=blue:s=180x320:r=25:d=0.04"]
                + ["-map", "0:a", "-map", "1:v", "-c:v", "png", "-t", "20", "-disposition:v:0", "attached_pic"])
    }

    /// A red picture.
    static func picture() throws -> String { try file("picture.png", ffmpeg: color("red", 1) + ["-frames:v", "1"]) }

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
