import GlissadeCFFmpeg
import Foundation
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia

@Suite("MP4 header probe", .serialized) struct HeaderProbeTests {
    /// H.264 with B frames, of 12 frames.
    private static func film(_ name: String, _ more: [String], audio: [String] = ["-an"]) throws -> String {
        let source = NumberedFrames.source(seconds: 0.48)
        let tone = audio == ["-an"] ? [] : NumberedFrames.tone
        let coding = NumberedFrames.h264 + more + audio
        return try Clips.file("head-\(name)", ffmpeg: source + tone + coding + ["-t", "0.48"])
    }

    private static let known: [(name: String, options: [String], audio: [String])] = [
        ("high.mp4", [], ["-an"]), ("baseline.mp4", ["-profile:v", "baseline"], ["-c:a", "aac"]),
        ("main.mov", ["-profile:v", "main"], ["-c:a", "aac", "-ac", "1"]),
        ("high10.mp4", ["-pix_fmt", "yuv420p10le", "-profile:v", "high10"], ["-an"]),
        ("fast.mp4", ["-movflags", "+faststart"], ["-c:a", "aac"]),
        ("sar.mp4", ["-vf", "setsar=4/3"], ["-an"]), ("one.mp4", ["-frames:v", "1"], ["-an"]),
        ("late.mp4", ["-output_ts_offset", "2"], ["-c:a", "aac"]),
        ("sooner.mp4", ["-af", "adelay=0", "-bf", "0"], ["-c:a", "aac", "-ar", "44100"]),
        ("named.mp4", ["-metadata", "title=A film", "-metadata:s:a:0", "language=deu"], ["-c:a", "aac"]),
        ("slow.mp4", ["-r", "24000/1001"], ["-an"]),
    ]

    private struct Sent: Hashable {
        var stream: CInt
        var pts, dts, duration: Int64
        var size: CInt
        var flags: CInt
    }

    /// All packets, in their order.
    private func packets(_ input: borrowing MediaInput) -> [Sent] {
        var packet = av_packet_alloc()
        defer { av_packet_free(&packet) }
        var sent: [Sent] = []
        while let packet, av_read_frame(input.context, packet) >= 0 {
            sent.append(
                Sent(
                    stream: packet.pointee.stream_index, pts: packet.pointee.pts, dts: packet.pointee.dts,
                    duration: packet.pointee.duration, size: packet.pointee.size, flags: packet.pointee.flags))
            av_packet_unref(packet)
        }
        return sent
    }

    /// Whether the head of `path` is enough.
    private func isEnough(_ path: String) -> Bool {
        var context: UnsafeMutablePointer<AVFormatContext>?
        guard avformat_open_input(&context, path, nil, nil) >= 0, let opened = context else { return false }
        defer { avformat_close_input(&context) }
        let before = (0..<Int(opened.pointee.nb_streams)).map {
            opened.pointee.streams[$0]!.pointee.codecpar.pointee.format
        }
        let isEnough = HeaderProbe.complete(opened)
        let after = (0..<Int(opened.pointee.nb_streams)).map {
            opened.pointee.streams[$0]!.pointee.codecpar.pointee.format
        }
        #expect(isEnough ? !after.contains(-1) : after == before)
        return isEnough
    }

    @Test("The header gives the same stream info and packets as probing the stream", arguments: known.indices)
    func same(index: Int) throws {
        let (name, options, audio) = Self.known[index]
        let path = try Self.film(name, options, audio: audio)
        #expect(isEnough(path))
        let quick = try MediaInput(location: path, isForPlaying: true) { false }
        let whole = try MediaInput(location: path) { false }
        let (found, wanted) = (MediaInfo(quick), MediaInfo(whole))
        #expect(found == wanted)
        #expect(found.tracks.allSatisfy { $0.profile != nil && $0.sampleFormat != nil })
        let (sent, all) = (packets(quick), packets(whole))
        #expect(sent == all)
        #expect(!all.isEmpty)
    }

    @Test("The rotation is read from the header")
    func turned() throws {
        let film = try Self.film("upright.mp4", [])
        let path = try Clips.turned(film, by: 90, name: "head-turned.mp4")
        #expect(isEnough(path))
        let quick = MediaInfo(try MediaInput(location: path, isForPlaying: true) { false })
        #expect(quick == MediaInfo(try MediaInput(location: path) { false }))
        #expect(quick.rotation != .none && quick.displaySize?.width == 90)
    }

    @Test(
        "What the header does not tell is probed in the stream",
        arguments: [
            ("422.mp4", ["-pix_fmt", "yuv422p"]), ("444.mp4", ["-pix_fmt", "yuv444p"]), ("head.mkv", []),
            ("parts.mp4", ["-movflags", "frag_keyframe+empty_moov"]), ("head.ts", []), ("film.avi", ["-bf", "0"]),
            ("other.mp4", ["-c:v", "mpeg4"]),
        ])
    func lookedFor(name: String, options: [String]) throws {
        let path = try Self.film(name, options)
        #expect(!isEnough(path))
        let quick = MediaInfo(try MediaInput(location: path, isForPlaying: true) { false })
        #expect(quick == MediaInfo(try MediaInput(location: path) { false }))
        #expect(quick.tracks.first?.sampleFormat != nil)
    }

    @Test("Audio other than plain AAC, and covers, need probing", arguments: ["ac3", "mp3", "cover"])
    func others(kind: String) throws {
        if kind == "cover" {
            let film = try Self.film("upright.mp4", [])
            let picture = try Clips.file(
                "cover.png",
                ffmpeg: NumberedFrames.source(seconds: 0.04, first: 77, format: "rgb24") + ["-frames:v", "1"])
            let path = try Clips.file(
                "head-cover.mp4",
                ffmpeg: ["-i", film, "-i", picture, "-map", "0", "-map", "1", "-c", "copy"]
                    + ["-disposition:v:1", "attached_pic"])
            #expect(!isEnough(path))
        } else {
            #expect(!isEnough(try Self.film("\(kind).mp4", [], audio: ["-c:a", kind == "mp3" ? "libmp3lame" : kind])))
        }
    }

    // MARK: - The record itself

    private let record: [UInt8] = [1, 100, 0, 42, 0xFF, 0xE1, 0, 3, 0x67, 1, 2, 1, 0, 2, 0x68, 3, 0xFD, 0xF8, 0xF8, 0]

    private func read(_ bytes: [UInt8]) -> H264Head? { bytes.withUnsafeBufferPointer { H264Head($0) } }

    @Test("Profile, level and sample format are read from the codec record")
    func fields() {
        let head = read(record)
        #expect(head?.profile == 100 && head?.level == 42 && head?.format == AV_PIX_FMT_YUV420P)
        var deep = record
        (deep[1], deep[17], deep[18]) = (110, 0xFA, 0xFA)
        #expect(read(deep)?.format == AV_PIX_FMT_YUV420P10LE)
        var simple = record
        (simple[1], simple[2]) = (66, 0x40)
        #expect(read(simple)?.profile == 66 | glissade_profile_h264_constrained)
        #expect(read(Array(simple[..<16]))?.format == AV_PIX_FMT_YUV420P, "there is no more of it in this profile")
    }

    @Test("Only AAC LC in frames of 1024 samples, at a listed sample rate and without SBR, is plain")
    func plainAAC() {
        func isPlain(_ bytes: [UInt8]) -> Bool { bytes.withUnsafeBufferPointer(AACHead.isPlain) }
        #expect(isPlain([0x11, 0x90]) && isPlain([0x12, 0x10]), "48 and 44.1 kHz, stereo")
        #expect(isPlain([0x11, 0x90, 0x56, 0xE5, 0x00]))
        #expect(!isPlain([0x11, 0x90, 0x56, 0xE5, 0x80]), "SBR")
        #expect(!isPlain([0x29, 0x90]), "another object type")
        #expect(!isPlain([0x11, 0x94]), "frames of 960 samples")
        #expect(!isPlain([0x17, 0x80]), "an explicit sample rate")
        #expect(!isPlain([0x17, 0x80, 0x56, 0xE5, 0x00]))
        #expect(!isPlain([0x11]) && !isPlain([]))
    }

    @Test("A truncated or inconsistent header gives nothing")
    func damaged() {
        for length in 0..<19 { #expect(read(Array(record[..<length])) == nil) }
        for (place, value) in [
            (0, 0), (0, 2), (1, 244), (1, 0), (5, 0xE0), (5, 0xFF), (6, 0xFF), (7, 0xFF), (11, 0xFF), (12, 0xFF),
        ] {
            var bytes = record
            bytes[place] = UInt8(value)
            #expect(read(bytes) == nil, "\(place) is \(value)")
        }
        for (chroma, luma, depth) in [(0xFC, 0xF8, 0xF8), (0xFE, 0xF8, 0xF8), (0xFD, 0xFA, 0xF8), (0xFD, 0xF9, 0xF9)] {
            var bytes = record
            (bytes[16], bytes[17], bytes[18]) = (UInt8(chroma), UInt8(luma), UInt8(depth))
            #expect(read(bytes) == nil)
        }
    }
}
