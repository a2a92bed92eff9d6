import ArgumentParser
import Foundation
import GlissadeScreenProbe

/// Makes a coded film.
struct Film: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Make a film whose frames say which they are, with FFmpeg: H.264 of 8 Mbit/s with a tone.")

    @Option(help: ArgumentHelp("The picture.", valueName: "WxH")) var size = "1920x1080"
    @Option(help: ArgumentHelp("Frames a second.", valueName: "rate")) var rate = 60
    @Option(help: ArgumentHelp("How long.", valueName: "seconds")) var seconds = 20
    @Option(
        help: ArgumentHelp(
            "Black above and below the code, in pixels, for layers over the film's edges.", valueName: "TOP,BOTTOM"))
    var margins = "0,0"
    @Option(name: .customLong("gop"), help: ArgumentHelp("From one keyframe to the next.", valueName: "frames"))
    var keyframeDistance = 120
    @Flag(help: "With marks beside the code, so that it is found wherever the picture lies (see follow).") var marked =
        false
    @Argument(help: "The file to make.") var file: String

    func run() throws {
        let numbers = size.split(separator: "x", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard numbers.count == 2, numbers.allSatisfy({ (48...8192).contains($0) && $0.isMultiple(of: 2) }) else {
            throw ValidationError("a size is WIDTHxHEIGHT, each even and 48 to 8192")
        }
        let limit = marked ? MarkedCode.limit : FrameCode.limit
        guard (1...240).contains(rate), seconds >= 1, seconds <= limit / rate else {
            throw ValidationError("a film has at most \(limit) frames, and 1 to 240 of them a second")
        }
        let edges = margins.split(separator: ",", omittingEmptySubsequences: false).compactMap { Int($0) }
        guard edges.count == 2, edges.allSatisfy({ $0 >= 0 && $0.isMultiple(of: 2) }),
            numbers[1] - edges[0] - edges[1] >= 48
        else { throw ValidationError("margins are TOP,BOTTOM, each even, and leave 48 rows or more") }
        guard (1...600).contains(keyframeDistance) else { throw ValidationError("--gop is 1 to 600") }
        var film = CodedFilm(
            width: numbers[0], height: numbers[1], rate: rate, frameCount: rate * seconds, isTextured: true)
        film.margins = (edges[0], edges[1])
        film.isMarked = marked
        let raw = file + ".raw"
        try Data(film.raw()).write(to: URL(fileURLWithPath: raw))
        defer { try? FileManager.default.removeItem(atPath: raw) }
        let ffmpeg = Process()
        ffmpeg.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        ffmpeg.arguments =
            ["ffmpeg", "-nostdin", "-loglevel", "error", "-y"] + film.input(raw) + [
                "-c:v", "libx264", "-preset", "veryfast", "-profile:v", "high", "-pix_fmt", "yuv420p", "-b:v", "8M",
                "-maxrate", "12M", "-bufsize", "16M", "-g", "\(keyframeDistance)", "-c:a", "aac", "-b:a", "128k",
                "-ac", "2", "-movflags", "+faststart", file,
            ]
        try ffmpeg.run()
        ffmpeg.waitUntilExit()
        guard ffmpeg.terminationStatus == 0 else { throw ExitCode.failure }
    }
}
