import GlissadeCFFmpeg
import Foundation
import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback
@testable import GlissadeSubtitles

/// Subtitles without a video, updated as the frame loop updates them.
@MainActor final class SubtitleHarness {
    let subtitles: Subtitles
    /// What is on the screen.
    private(set) var picture: (bitmap: Bitmap, place: PixelRect)?
    private let signal = WakeSignal()
    private let problemList: Problems

    private final class Problems: Sendable {
        let list = Mutex<[PlaybackProblem]>([])
    }

    /// The longest that anything may take.
    static let timeout = Duration.seconds(600)

    init(width: Int = 640, height: Int = 360) {
        silenceFFmpeg()
        let (signal, problems) = (signal, Problems())
        problemList = problems
        subtitles = Subtitles(
            wake: { signal.raise() }, report: { problem in problems.list.withLock { $0.append(problem) } })
        subtitles.prepare(size: PixelSize(width: width, height: height))
    }

    var problems: [PlaybackProblem] { problemList.list.withLock { $0 } }

    /// Reads a file; how it went.
    @discardableResult func open(_ path: String, track: Int? = nil) -> Subtitles.FileState {
        subtitles.open(path, track: track)
        _ = signal.wait(atMost: Self.timeout) { subtitles.file != .loading }
        return subtitles.file
    }

    /// One frame, which waits for nothing.
    @discardableResult func frame(_ time: Int64) -> Subtitles.Change {
        let change = subtitles.update(at: MediaTime(nanoseconds: time))
        switch change {
        case .unchanged: break
        case .clear: picture = nil
        case .show(let bitmap, let place): picture = (bitmap, place)
        }
        return change
    }

    /// Frames of the same time until nothing is missing; false after the timeout.
    @discardableResult func settle(_ time: Int64) -> Bool {
        let isSettled = signal.wait(atMost: Self.timeout) {
            frame(time)
            return !subtitles.pipeline.state.withLock { $0.renderCache.isStarved }
        }
        // It may have become ready after that frame.
        if isSettled { frame(time) }
        return isSettled
    }

    /// Where something is seen at a time, once it is ready; nil where nothing is.
    func place(at seconds: Double) -> PixelRect? {
        #expect(settle(Int64(seconds * 1e9)), "nothing became ready at \(seconds) s")
        return picture?.place
    }

    /// Waits until something is ready for a time that has not yet come.
    func waitUntilReady(at time: Int64) -> Bool {
        // What shows nothing becomes ready without a signal.
        eventually(within: Self.timeout) {
            subtitles.pipeline.state.withLock { $0.renderCache.slides.contains { $0.contains(time) } }
        }
    }

    func current(_ seconds: Double) -> String? { subtitles.lines(around: MediaTime(seconds: seconds)).current }
}

extension Bitmap {
    /// The largest of a channel's values: 0 blue, 1 green, 2 red, 3 alpha.
    func peak(_ channel: Int) -> UInt8 {
        stride(from: channel, to: pixels.count, by: 4).reduce(0) { max($0, pixels[$1]) }
    }

    /// Whether no colour is stronger than its alpha.
    var isPremultiplied: Bool {
        stride(from: 0, to: pixels.count, by: 4).allSatisfy { index in
            (0..<3).allSatisfy { pixels[index + $0] <= pixels[index + 3] }
        }
    }

    /// Whether its outermost rows and columns each hold something.
    var isTight: Bool {
        func alpha(_ x: Int, _ y: Int) -> UInt8 { pixels[(y * size.width + x) * 4 + 3] }
        let (right, bottom) = (size.width - 1, size.height - 1)
        return (0...right).contains { alpha($0, 0) > 0 } && (0...right).contains { alpha($0, bottom) > 0 }
            && (0...bottom).contains { alpha(0, $0) > 0 } && (0...bottom).contains { alpha(right, $0) > 0 }
    }
}

// MARK: - Files

enum Script {
    static func seconds(_ value: Double) -> String {
        let ms = Int((value * 1000).rounded())
        func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let rest = String(1000 + ms % 1000).dropFirst()
        return "\(two(ms / 3_600_000)):\(two(ms / 60_000 % 60)):\(two(ms / 1000 % 60)),\(rest)"
    }

    /// SubRip.
    static func srt(_ lines: [(from: Double, until: Double, text: String)]) -> String {
        lines.enumerated().map { number, line in
            "\(number + 1)\n\(seconds(line.from)) --> \(seconds(line.until))\n\(line.text)\n"
        }.joined(separator: "\n")
    }

    /// Advanced SubStation Alpha, about a picture of 640 × 360; lines are `Start,End,Text`.
    static func ass(_ lines: [String], style: String = "Arial,20", more: String = "") -> String {
        """
        [Script Info]
        ScriptType: v4.00+
        PlayResX: 640
        PlayResY: 360

        [V4+ Styles]
        Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, \
        Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, \
        MarginV, Encoding
        Style: Default,\(style),&H0000FF00,&H000000FF,&H00000000,&H00000000,0,0,0,0,100,100,0,0,1,2,0,2,10,10,10,1
        \(more)
        [Events]
        Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text

        """
            + lines.map { line in
                let parts = line.split(separator: ",", maxSplits: 2).map(String.init)
                return "Dialogue: 0,\(parts[0]),\(parts[1]),Default,,0,0,0,,\(parts[2])\n"
            }.joined()
    }

    static func file(_ name: String, _ text: String) throws -> String { try Clips.file(name, data: Data(text.utf8)) }
}

// MARK: - Streams

/// Reads a media's subtitle stream and gives its packets on, as the demuxer does.
final class SubtitleFeed {
    let input: MediaInput
    private let index: Int

    private struct Missing: Error {}

    init(_ path: String, to receiver: some SubtitleReceiver) throws {
        input = try MediaInput(location: path, isInterrupted: { false })
        index = input.bestStream(AVMEDIA_TYPE_SUBTITLE) ?? -1
        guard index >= 0 else { throw Missing() }
        receiver.select(input.stream(index), of: input.context)
    }

    /// Gives on all that comes before `end`, in seconds.
    func feed(_ receiver: some SubtitleReceiver, until end: Double = .infinity) {
        let packet = try! Packet()
        while av_read_frame(input.context, packet.pointer) >= 0 {
            defer { av_packet_unref(packet.pointer) }
            guard Int(packet.pointer.pointee.stream_index) == index, let stream = input.stream(index) else { continue }
            av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
            if Double(packet.pointer.pointee.pts) / 1e9 >= end { return }
            receiver.receive(packet.pointer, of: stream)
        }
    }

    func seek(to seconds: Double) {
        let time = Int64(seconds * 1e6)
        #expect(avformat_seek_file(input.context, -1, .min, time, time, 0) >= 0)
    }
}
