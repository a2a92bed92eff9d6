import GlissadeCFFmpeg
import Foundation
import GlissadeGeometry
import GlissadePicture
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeSubtitles

@MainActor @Suite("Embedded subtitles", .serialized) struct SubtitleStreamTests {
    private static let lines: [(from: Double, until: Double, text: String)] = [
        (0.5, 1, "One"), (1, 1.5, "Two"), (2, 3, "<b>Three</b>\nof four"), (3.5, 3.9, "Four"),
    ]

    /// A film of four seconds with lines in the form of `codec`.
    private func film(_ codec: String, _ kind: String) throws -> String {
        let text = try Script.file("lines.srt", Script.srt(Self.lines))
        return try Clips.file(
            "lines-\(codec).\(kind)",
            ffmpeg: NumberedFrames.source(seconds: 4) + ["-i", text, "-map", "0", "-map", "1"] + NumberedFrames.h264
                + ["-c:s", codec])
    }

    @Test(
        "Text subtitles of every format are shown at their times",
        arguments: [("srt", "mkv"), ("ass", "mkv"), ("webvtt", "mkv"), ("mov_text", "mp4"), ("webvtt", "webm")])
    func text(codec: String, kind: String) throws {
        let harness = SubtitleHarness()
        var codecs = try film(codec, kind == "webm" ? "mkv" : kind)
        if kind == "webm" {
            codecs = try Clips.file("lines.vtt", ffmpeg: ["-i", Script.file("lines.srt", Script.srt(Self.lines))])
        }
        let feed = try SubtitleFeed(codecs, to: harness.subtitles)
        feed.feed(harness.subtitles)
        #expect(harness.problems.isEmpty)
        for line in Self.lines {
            let plain = line.text.replacing("<b>", with: "").replacing("</b>", with: "")
            #expect(harness.current(line.from) == plain)
            #expect(harness.current(line.until - 0.001) == plain)
            #expect(harness.place(at: line.from + 0.1) != nil)
        }
        #expect(harness.current(0.499) == nil && harness.current(1.7) == nil && harness.place(at: 1.7) == nil)
    }

    @Test("A line delivered again after a seek is there once")
    func again() throws {
        let harness = SubtitleHarness()
        let feed = try SubtitleFeed(try film("srt", "mkv"), to: harness.subtitles)
        feed.feed(harness.subtitles)
        let place = try #require(harness.place(at: 2.5))
        for start in [2.0, 0, 1] {
            feed.seek(to: start)
            feed.feed(harness.subtitles)
        }
        #expect(harness.subtitles.pipeline.state.withLock { $0.embedded?.timeline.events.count } == 4)
        #expect(harness.place(at: 2.5) == place)
    }

    @Test("A line delivered late is shown at once and wakes the frame loop")
    func late() throws {
        let harness = SubtitleHarness()
        let feed = try SubtitleFeed(try film("srt", "mkv"), to: harness.subtitles)
        feed.feed(harness.subtitles, until: 1.9)
        #expect(harness.place(at: 2.5) == nil)
        feed.feed(harness.subtitles)
        // The packet before was read past; its line comes with a seek.
        feed.seek(to: 1)
        feed.feed(harness.subtitles)
        #expect(harness.place(at: 2.5) != nil)
    }

    @Test("Selecting another stream, or none, removes the former lines")
    func selection() throws {
        let harness = SubtitleHarness()
        let first = try SubtitleFeed(try film("srt", "mkv"), to: harness.subtitles)
        first.feed(harness.subtitles)
        #expect(harness.place(at: 2.5) != nil && harness.subtitles.isActive)
        let second = try SubtitleFeed(try film("mov_text", "mp4"), to: harness.subtitles)
        #expect(harness.place(at: 2.5) == nil)
        second.feed(harness.subtitles)
        #expect(harness.place(at: 2.5) != nil)
        harness.subtitles.select(nil, of: nil)
        #expect(harness.frame(2_500_000_000) == .clear)
        #expect(!harness.subtitles.isActive)
    }

    @Test("An opened file replaces the embedded subtitles, which return when it is closed")
    func precedence() throws {
        let harness = SubtitleHarness()
        let feed = try SubtitleFeed(try film("srt", "mkv"), to: harness.subtitles)
        feed.feed(harness.subtitles)
        #expect(harness.open(try Script.file("beside.srt", Script.srt([(2, 3, "Beside")]))) == .ready)
        #expect(harness.current(2.5) == "Beside")
        #expect(harness.open(Clips.folder.path) != .ready)
        #expect(harness.current(2.5) == "Beside")
        harness.subtitles.closeFile()
        #expect(harness.subtitles.file == .none)
        #expect(harness.current(2.5) == "Three\nof four")
        #expect(harness.place(at: 2.5) != nil)
    }

    @Test(
        "Bitmap subtitles scale with the video and end when the next one or an empty one starts",
        arguments: ["dvdsub", "dvbsub"])
    func pictures(codec: String) throws {
        // FFmpeg makes pictures of pictures alone: a stream of them is written by hand out of PGS's segments.
        let path = try Clips.file("pictures.sup", data: PGS.stream([(0, 2), (2, 3), (5, 7)]))
        let made = try Clips.file(
            "pictures-\(codec).mkv",
            ffmpeg: [
                "-fix_sub_duration", "-i", path, "-f", "lavfi", "-i", "color=s=320x180:d=9:r=5", "-map", "1", "-map",
                "0", "-c:s", codec,
            ])
        let harness = SubtitleHarness()
        let feed = try SubtitleFeed(made, to: harness.subtitles)
        feed.feed(harness.subtitles)
        #expect(harness.place(at: 1) != nil)
        #expect(harness.picture?.bitmap.isPremultiplied == true)
        #expect(harness.place(at: 4) == nil)
        #expect(harness.place(at: 6) != nil)
        #expect(harness.problems.isEmpty)
    }

    @Test("A picture of a DVD is shown from its own start to its own end, which count from its packet's time")
    func delays() throws {
        func sequence(after delay: UInt8, next: UInt8, _ commands: [UInt8]) -> [UInt8] {
            [0, delay, 0, next] + commands + [0xFF]
        }
        // Two fields of two rows: each is color 1 to its end. Delays count by 1024/90 ms.
        let rows: [UInt8] = [0, 1, 0, 1, 0, 1, 0, 1]
        let look: [UInt8] = [3, 0x32, 0x10, 4, 0xFF, 0xF0, 5, 0, 0, 7, 0, 0, 3, 6, 0, 4, 0, 8]
        let unit =
            [0, 42, 0, 12] + rows + sequence(after: 45, next: 36, look + [1]) + sequence(after: 225, next: 36, [2])
        var (parameters, packet) = (avcodec_parameters_alloc(), av_packet_alloc())
        defer {
            avcodec_parameters_free(&parameters)
            av_packet_free(&packet)
        }
        let (stream, data) = (try #require(parameters), try #require(packet))
        stream.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        stream.pointee.codec_id = AV_CODEC_ID_DVD_SUBTITLE
        try #require(av_new_packet(data, CInt(unit.count)) == 0)
        data.pointee.data.update(from: unit, count: unit.count)
        data.pointee.pts = 7_000_000_000
        var decoder = try SubtitleDecoder(stream)
        let event = try #require(try decoder.decode(data).events.first)
        #expect(event.start == 7_512_000_000 && event.end == 9_560_000_000)
    }

    @Test("A PGS file is shown at the place on its canvas")
    func pgs() throws {
        let harness = SubtitleHarness(width: 320, height: 180)
        #expect(harness.open(try Clips.file("pgs.sup", data: PGS.stream([(1, 3), (3, 4), (6, 8)]))) == .ready)
        // 64 × 32 at (200, 280) of 640 × 360.
        let place = PixelRect(minX: 100, minY: 140, maxX: 132, maxY: 156)
        #expect(harness.place(at: 1) == place && harness.place(at: 2.999) == place)
        let bitmap = try #require(harness.picture?.bitmap)
        #expect(bitmap.isPremultiplied && bitmap.peak(3) == 255 && bitmap.peak(1) > 200)
        #expect(harness.place(at: 3.5) == place)
        #expect(harness.place(at: 4.5) == nil && harness.place(at: 0.5) == nil)
        #expect(harness.place(at: 7) == place && harness.place(at: 8) == nil)
        harness.subtitles.prepare(size: PixelSize(width: 320, height: 180), bottomMargin: 60)
        #expect(harness.place(at: 7) == PixelRect(minX: 100, minY: 104, maxX: 132, maxY: 120))
        #expect(harness.current(7) == nil)
    }

    @Test("Fonts embedded in the media are used")
    func fonts() throws {
        // A font of the system's under a name that nobody has, of the same length.
        var font = try Clips.bytes("/usr/share/fonts/truetype/dejavu/DejaVuSansMono.ttf")
        for encoding in [String.Encoding.utf16BigEndian, .ascii] {
            let (old, new) = ("DejaVu Sans Mono".data(using: encoding)!, "Glissade  Letter".data(using: encoding)!)
            while let range = font.range(of: old) { font.replaceSubrange(range, with: new) }
        }
        let attached = try Clips.file("letter.ttf", data: font)
        let script = Script.ass(
            ["0:00:01.00,0:00:02.00,iiiiiiii", "0:00:03.00,0:00:04.00,MMMMMMMM"], style: "Glissade  Letter,40")
        func widths(_ name: String, _ more: [String]) throws -> [Int] {
            let text = try Script.file("\(name).ass", script)
            let path = try Clips.file("\(name).mkv", ffmpeg: ["-i", text] + more + ["-c:s", "ass"])
            let harness = SubtitleHarness()
            let feed = try SubtitleFeed(path, to: harness.subtitles)
            feed.feed(harness.subtitles)
            return [try #require(harness.place(at: 1.5)).width, try #require(harness.place(at: 3.5)).width]
        }
        let with = try widths("font", ["-attach", attached, "-metadata:s:t", "mimetype=application/x-truetype-font"])
        // All its letters are equally wide.
        #expect(with[1] < with[0] * 5 / 4)
        let without = try widths("no-font", [])
        #expect(without[1] > without[0] * 2)
    }
}

/// A stream of Presentation Graphics (Blu-ray's subtitles) with a bar of 64 × 32 on a canvas of 640 × 360.
///
/// Segments: US 2009/0185789 A1, and FFmpeg's `libavcodec/pgssubdec.c`, which reads them.
enum PGS {
    static func stream(_ times: [(from: Double, until: Double)]) -> Data {
        var data = Data()
        for (number, time) in times.enumerated() {
            data += shown(at: time.from, number: UInt16(number * 2))
            if !times.contains(where: { $0.from == time.until }) {
                data += gone(at: time.until, number: UInt16(number * 2 + 1))
            }
        }
        return data
    }

    /// Pictures of colour 1, `side` pixels wide and high, that lie over each other on a canvas of their size.
    static func squares(_ count: UInt8, side: UInt16, at time: Double = 1) -> Data {
        let size = bytes(side) + bytes(side)
        let objects = (0..<count).flatMap { number -> [UInt8] in [0, number, 0, 0, 0, 0, 0, 0] }
        let composition: [UInt8] = size + [0x10, 0, 0, 0x80, 0, 0, count] + objects
        let rows = (0..<side).flatMap { _ -> [UInt8] in [0, 0xC0 | UInt8(side >> 8), UInt8(side & 0xFF), 1, 0, 0] }
        let pictures = (0..<count).flatMap { number -> [UInt8] in
            let length = rows.count + 4
            let head: [UInt8] = [0, number, 0, 0xC0] + bytes(UInt32(length)).dropFirst()
            return segment(0x15, time, head + size + rows)
        }
        return Data(
            segment(0x16, time, composition) + segment(0x14, time, [0, 0, 1, 235, 128, 128, 255]) + pictures
                + segment(0x80, time, []))
    }

    private static func segment(_ kind: UInt8, _ seconds: Double, _ payload: [UInt8]) -> [UInt8] {
        let time = UInt32(seconds * 90000)
        return [0x50, 0x47] + bytes(time) + [0, 0, 0, 0, kind] + bytes(UInt16(payload.count)) + payload
    }

    private static func bytes<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        withUnsafeBytes(of: value.bigEndian) { Array($0) }
    }

    private static let canvas = bytes(UInt16(640)) + bytes(UInt16(360)) + [0x10]

    private static func shown(at time: Double, number: UInt16) -> [UInt8] {
        let object = bytes(UInt16(0)) + [0, 0] + bytes(UInt16(200)) + bytes(UInt16(280))
        let composition = canvas + bytes(number) + [0x80, 0, 0, 1] + object
        let window: [UInt8] = [1, 0] + bytes(UInt16(200)) + bytes(UInt16(280)) + bytes(UInt16(64)) + bytes(UInt16(32))
        // Entry 1: white, opaque.
        let palette: [UInt8] = [0, 0, 1, 235, 128, 128, 255]
        // A row: 64 times colour 1 (a run of 64 or more takes two bytes for its length), and its end.
        let rows = [[UInt8]](repeating: [0, 0xC0, 64, 1, 0, 0], count: 32).flatMap { $0 }
        let length = rows.count + 4
        let picture: [UInt8] =
            bytes(UInt16(0)) + [0, 0xC0, 0, UInt8(length >> 8), UInt8(length & 0xFF)] + bytes(UInt16(64))
            + bytes(UInt16(32)) + rows
        return segment(0x16, time, composition) + segment(0x17, time, window) + segment(0x14, time, palette)
            + segment(0x15, time, picture) + segment(0x80, time, [])
    }

    private static func gone(at time: Double, number: UInt16) -> [UInt8] {
        segment(0x16, time, canvas + bytes(number) + [0, 0, 0, 0]) + segment(0x80, time, [])
    }
}
