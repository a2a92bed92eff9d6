import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadeTime

/// Prints the details of a file or URL, or of each media file in a folder, for `glissade info`. Returns `.failed` if a
/// file cannot be opened, after printing the rest. Main thread. Blocks while media are opened.
@MainActor package func printInfo(of location: String) -> ExitStatus {
    let console = Console()
    beginCrashReports()
    silenceFFmpeg()
    do {
        if location == "-", let fault = StandardInput.fault {
            throw MediaArguments.Failure(location: location, reason: fault)
        }
        let path = try location == "-" ? [StandardInput.location] : MediaArguments.expand(location)
        var status = ExitStatus.done
        for location in path {
            do {
                console.print(InfoText.text(location, try MediaInfo(opening: location, isMeasured: true)))
            } catch {
                console.error("\(ShownLocation.text(location)): \(error)")
                status = .failed
            }
        }
        return status
    } catch let failure as MediaArguments.Failure {
        console.error("\(failure)")
    } catch {
        console.error("\(ShownLocation.text(location)): \(error)")
    }
    return .failed
}

enum InfoText {
    static func text(_ location: String, _ info: MediaInfo) -> String {
        var lines = [ShownLocation.text(location)]
        var summary = ["  container \(info.container)"]
        summary.append(info.duration.map { "length \(MediaFormatter.exactLength($0))" } ?? "length unknown")
        if let bytes = info.byteCount { summary.append(MediaFormatter.size(bytes)) }
        if let rate = info.bitRate { summary.append(MediaFormatter.bitRate(rate)) }
        if !info.isSeekable { summary.append("not seekable") }
        lines.append(summary.joined(separator: "  "))
        if let title = info.title { lines.append("  title     \(title)") }
        for (number, track) in info.tracks.enumerated() {
            let plays = number == info.videoTrack || number == info.audioTrack
            lines.append("  \(plays ? "*" : " ") \(track.index)  \(describe(track))")
        }
        if let track = info.videoTrack.map({ info.tracks[$0] }), case .video(_, _, _, false) = track.kind {
            let devices = HardwareDevice.devices(decoding: track.codec).map(\.name)
            let hardware = devices.isEmpty ? "none" : devices.joined(separator: ", ")
            lines.append("  hardware decoders for --hwdec: \(hardware)")
        }
        for (number, chapter) in info.chapters.enumerated() {
            lines.append(
                "    chapter \(number + 1)  \(MediaFormatter.exactLength(chapter.start - info.startTime))  \(chapter.title ?? "")"
            )
        }
        // Titles, names and codecs may contain control characters.
        return lines.map { DisplaySafeText.text($0) + "\n" }.joined()
    }

    private static func describe(_ track: MediaInfo.Track) -> String {
        let codec = track.profile.map { "\(track.codec) (\($0))" } ?? track.codec
        var parts: [String] = []
        switch track.kind {
        case .video(let size, let geometry, let rate, let isStill):
            parts = [
                isStill ? "cover" : "video", codec, size.isEmpty ? "unknown size" : "\(size.width)x\(size.height)",
            ]
            if geometry.pixelAspect != 1 { parts.append("pixel aspect \(MediaFormatter.number(geometry.pixelAspect))") }
            if geometry.isMirrored { parts.append("mirrored") }
            if geometry.rotation != .none { parts.append("rotated \(geometry.rotation.rawValue * 90)° clockwise") }
            if let rate, !isStill { parts.append("\(MediaFormatter.number(rate)) frames/s") }
        case .audio(let rate, let layout): parts = ["audio", codec, "\(rate) Hz", layout]
        case .subtitle: parts = ["subtitle", codec]
        case .other(let kind): parts = [kind, codec]
        }
        if let format = track.sampleFormat { parts.append(format) }
        if let rate = track.bitRate { parts.append(MediaFormatter.bitRate(rate)) }
        if let language = track.language, language != "und" { parts.append("[\(language)]") }
        if let title = track.title { parts.append("“\(title)”") }
        return parts.joined(separator: "  ")
    }
}
