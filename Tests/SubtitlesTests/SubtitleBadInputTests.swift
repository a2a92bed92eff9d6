import Foundation
import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadeSubtitles

@MainActor @Suite("Bad subtitle files", .serialized) struct SubtitleBadInputTests {
    private func failure(_ path: String) -> PlaybackError? {
        guard case .failed(let error) = SubtitleHarness().open(path) else { return nil }
        return error
    }

    @Test("A file without subtitles fails with one clear reason")
    func refused() throws {
        let fifo = Clips.folder.appendingPathComponent("fifo.srt").path
        mkfifo(fifo, 0o600)
        let files = [
            "\(Clips.folder.path)/missing.srt", Clips.folder.path, "/dev/zero", "/dev/null", fifo, "",
            try Script.file("empty.srt", ""), try Clips.file("noise.srt", data: .noise(count: 50_000, seed: 5)),
            try Script.file("prose.srt", String(repeating: "No subtitles at all.\n", count: 200)),
            try Script.file("subtitles.m3u8", "#EXTM3U\n#EXTINF:4.0,\nlook.srt\n#EXT-X-ENDLIST\n"),
            try Script.file(
                "vob.idx", "# VobSub index file, v7\nid: en, index: 0\ntimestamp: 00:00:01:000, filepos: 0\n"),
            try Script.file("head.ass", Script.ass([])), try Clips.film(),
        ]
        for path in files {
            let error = failure(path)
            #expect(error != nil, "\(path) was taken")
            #expect(error?.description.isEmpty == false && error?.description.contains("\n") == false)
        }
        #expect(failure("\(Clips.folder.path)/missing.srt")?.description == "No such file or directory")
        #expect(failure("/dev/zero")?.description == "not a file")
        #expect(failure(try Script.file("empty.srt", ""))?.description == "the file is empty")
    }

    @Test("A subtitle file that is too large is refused without reading it to its end")
    func huge() throws {
        let line = "1\n00:00:01,000 --> 00:00:02,000\nOver and over again the same line\n\n"
        let path = try Clips.file("huge.srt") { path in
            let block = Data(String(repeating: line, count: 20_000).utf8)
            try Data().write(to: URL(fileURLWithPath: path))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            for _ in 0..<(100 << 20) / block.count + 1 { try file.write(contentsOf: block) }
            try file.close()
        }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let before = try ProcessStatus.resident()
        #expect(failure(path)?.description.hasPrefix("too large for subtitles") == true)
        #expect(try ProcessStatus.resident() < before + 120 << 20)
    }

    @Test("Of hundreds of thousands of simultaneous lines some are shown, in bounded memory")
    func crowd() throws {
        let head = Script.ass([])
        let line = "Dialogue: 0,0:00:01.00,9:00:00.00,Default,,0,0,0,,All at once "
        let path = try Script.file("crowd.ass", head + (0..<300_000).map { "\(line)\($0)\n" }.joined())
        let harness = SubtitleHarness()
        #expect(harness.open(path) == .ready)
        #expect(harness.place(at: 2) != nil)
        #expect(harness.subtitles.pipeline.state.withLock { $0.external?.timeline.byteCount ?? 0 } <= 108 << 20)
    }

    @Test("If there are more lines than memory allows the first are kept, and this is reported")
    func cut() throws {
        let path = try Script.file(
            "many.srt", Script.srt((0..<1000).map { (Double($0), Double($0) + 0.5, "Line \($0)") }))
        var problems: [PlaybackProblem] = []
        let source = try SubtitleFile.read(path, id: 1, keeping: 20_000, report: { problems.append($0) })
        #expect((80..<130).contains(source.timeline.events.count) && source.timeline.byteCount <= 20_000)
        #expect(source.timeline.events.first?.start == 0)
        let words = "its subtitles after \(source.timeline.events.count) s cannot be played"
        #expect(problems.map(\.description).first?.hasPrefix(words) == true && problems.count == 1)
    }

    @Test("A line of a megabyte is shown in part")
    func longLine() throws {
        let text = String(repeating: "long ", count: 200_000)
        for (name, script) in [
            ("long.srt", Script.srt([(1, 2, text), (3, 4, "Short")])),
            ("long.ass", Script.ass(["0:00:01.00,0:00:02.00,\(text)", "0:00:03.00,0:00:04.00,Short"])),
        ] {
            let harness = SubtitleHarness()
            #expect(harness.open(try Script.file(name, script)) == .ready)
            #expect(harness.settle(1_500_000_000))
            #expect(harness.place(at: 3.5) != nil)
            #expect(harness.current(3.5) == "Short")
        }
    }

    @Test("Negative, absurd and reversed times do not harm other lines")
    func times() throws {
        let srt =
            "1\n00:00:05,000 --> 00:00:02,000\nBackwards\n\n2\n-00:00:05,000 --> 00:00:02,000\nNegative\n\n"
            + "3\n99999999:00:00,000 --> 99999999:00:01,000\nFar\n\n4\n00:00:03,000 --> 00:00:04,000\nGood\n\n"
            + "5\n00:00:06,000 --> 99999999:00:00,000\nEndless\n"
        let harness = SubtitleHarness()
        #expect(harness.open(try Script.file("times.srt", srt)) == .ready)
        #expect(harness.current(3.5)?.contains("Good") == true)
        #expect(harness.place(at: 3.5) != nil)
        for time in [Int64.min, -1, .max, .max - 1, 1 << 61] { #expect(harness.settle(time)) }
        let ass = Script.ass([
            "0:00:05.00,0:00:02.00,Backwards", "-1:00:00.00,0:00:02.00,Negative", "999999999:00:00.00,9:99:99.99,Far",
            "0:00:03.00,0:00:04.00,Good",
        ])
        let other = SubtitleHarness()
        #expect(other.open(try Script.file("times.ass", ass)) == .ready)
        #expect(other.current(3.5)?.contains("Good") == true)
        #expect(other.place(at: 3.5) != nil)
    }

    @Test(
        "Hostile values in styles and tags neither crash nor allocate excessive memory",
        arguments: [
            ("Arial,1000000000", "x"), ("Arial,-5", "x"), ("Arial,nan", "x"), (",0", "x"), ("No Such Font,20", "x"),
            ("Arial,20", "{\\fs999999999}x"), ("Arial,20", "{\\bord99999}x"), ("Arial,20", "{\\blur99999\\bord50}x"),
            ("Arial,20", "{\\fscx9999999\\fscy9999999}x"), ("Arial,20", "{\\frx89.999\\fry89.999}x"),
            ("Arial,20", "{\\pos(1e30,-1e30)}x"), ("Arial,20", "{\\p1000}m 0 0 l 99999999 0 99999999 99999999{\\p0}"),
            ("Arial,20", "{\\clip(1,m 0 0 l 999999 999999)}x"),
            ("Arial,20", "{\\fn\(String(repeating: "f", count: 5000))}x"),
            ("Arial,20", "{\\org(-99999999,0)\\frz45}x"), ("Arial,20", String(repeating: "{\\i1}x{\\i0}", count: 4000)),
            ("Arial,20", "{\\t(0,1,\\fs1000000)}x"), ("Arial,20", "\u{202E}\u{200B}\u{FFFD}\u{1F468}\u{200D}\u{1F469}"),
        ])
    func hostile(style: String, text: String) throws {
        let script = Script.ass(
            ["0:00:01.00,0:00:02.00,\(text)", "0:00:03.00,0:00:04.00,Fine"], style: style,
            more: "Style: Broken,,,,,,\nStyle\nStyle: \n")
        let before = try ProcessStatus.resident()
        let harness = SubtitleHarness()
        #expect(harness.open(try Script.file("hostile-\(abs((style + text).hashValue)).ass", script)) == .ready)
        #expect(harness.settle(1_500_000_000))
        if let picture = harness.picture {
            #expect(PixelRect(minX: 0, minY: 0, maxX: 640, maxY: 360).contains(picture.place))
            #expect(picture.bitmap.isPremultiplied)
        }
        #expect(harness.settle(3_500_000_000))
        #expect(harness.current(3.5) == "Fine")
        #expect(try ProcessStatus.resident() < before + 256 << 20)
    }

    @Test(
        "Subtitle files damaged anywhere show what is left, or are refused", arguments: ["ass", "srt", "vtt", "sup"])
    func damaged(kind: String) throws {
        let lines = [(1.0, 2.0, "{\\an8}<i>One</i>"), (2.5, 4, "Two\nof <b>them</b>")]
        let whole: Data
        switch kind {
        case "ass":
            whole = Data(
                Script.ass([
                    "0:00:01.00,0:00:02.00,{\\move(1,2,300,200)\\t(\\fs40)}Moves",
                    "0:00:01.50,0:00:03.00,{\\k20}ka{\\k30}ra",
                    "0:00:02.00,0:00:04.00,{\\p1}m 0 0 b 10 10 20 20 50 50 l 100 0{\\p0}{\\clip(m 0 0 l 9 9 90 0)\\frz30}x",
                ]).utf8)
        case "sup": whole = PGS.stream([(1, 3), (3, 4)])
        case "vtt": whole = Data("WEBVTT\n\n00:01.000 --> 00:04.000 line:10%\n<v Bob>Hello <c.x>there</c>\n".utf8)
        default: whole = Data(Script.srt(lines).utf8)
        }
        var state: UInt32 = 17
        func random(_ bound: Int) -> Int {
            state = state &* 1_664_525 &+ 1_013_904_223
            return Int(state >> 8) % bound
        }
        let path = Clips.folder.appendingPathComponent("damaged-subtitles.\(kind)").path
        for round in 0..<rounds {
            var data = whole
            for _ in 0...random(8) {
                let index = random(data.count)
                switch random(4) {
                case 0: data[index] = UInt8(random(256))
                case 1: data.remove(at: index)
                case 2: data.insert(contentsOf: Data("9999999999".utf8.prefix(random(10))), at: index)
                default: data = data.prefix(index) + data.suffix(random(data.count))
                }
                if data.isEmpty { data = whole }
            }
            try Data(data).write(to: URL(fileURLWithPath: path))
            let harness = SubtitleHarness(width: 320, height: 180)
            guard harness.open(path) == .ready else { continue }
            for time in stride(from: 500_000_000, to: 4_500_000_000, by: 700_000_000) {
                #expect(harness.settle(Int64(time)), "round \(round)")
                _ = harness.subtitles.lines(around: MediaTime(nanoseconds: Int64(time)))
            }
        }
    }

    private let rounds = 25

    @Test("A script with a truncated or absurd header shows what is left")
    func headers() throws {
        for (index, header) in [
            "[Script Info]\nPlayResX: 999999999\nPlayResY: -1\n", "[Script Info]\nPlayResX: 0\nPlayResY: 0\n",
            "[Script Info]\nScriptType: v4.00+\n[V4+ Styles]\nFormat: Nothing\nStyle: a\n", "[Script Info]\n",
            "[Script Info]\n[Fonts]\nfontname: x.ttf\n!!!!\n\n",
        ].enumerated() {
            let events =
                "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
                + "Dialogue: 0,0:00:01.00,0:00:02.00,Gone,,0,0,0,,Still there\n"
            let harness = SubtitleHarness()
            #expect(harness.open(try Script.file("header-\(index).ass", header + events)) == .ready)
            #expect(harness.settle(1_500_000_000))
            #expect(harness.current(1.5) == "Still there")
        }
    }

    @Test("Text in other encodings, or cut within a character, is read")
    func encodings() throws {
        func current(_ name: String, _ data: Data) throws -> String? {
            let harness = SubtitleHarness()
            #expect(harness.open(try Clips.file(name, data: data)) == .ready, "\(name)")
            #expect(harness.place(at: 1.5) != nil)
            return harness.current(1.5)
        }
        let text = Script.srt([(1, 2, "Grüße, café"), (3, 4, "señor")])
        let latin = Data(text.unicodeScalars.map { UInt8($0.value) })
        #expect(try current("utf8.srt", Data(text.utf8)) == "Grüße, café")
        #expect(try current("mark.srt", Data([0xEF, 0xBB, 0xBF]) + Data(text.utf8)) == "Grüße, café")
        #expect(try current("latin.srt", latin) == "Grüße, café")
        #expect(try current("utf16le.srt", #require(text.data(using: .utf16))) == "Grüße, café")
        #expect(
            try current("utf16be.srt", Data([0xFE, 0xFF]) + #require(text.data(using: .utf16BigEndian)))
                == "Grüße, café")
        let cut = Data(Script.srt([(1, 2, "世界世界"), (3, 4, "世界")]).utf8).dropLast(2)
        #expect(try current("cut.srt", cut) == "世界世界")
        let windows = Data(text.replacing("\n", with: "\r\n").utf8)
        #expect(try current("crlf.srt", windows) == "Grüße, café")
    }

    @Test("Other subtitle formats are read", arguments: ["vtt", "ssa", "sub", "mks"])
    func kinds(kind: String) throws {
        let harness = SubtitleHarness()
        let path: String
        switch kind {
        case "vtt": path = try Script.file("k.vtt", "WEBVTT\n\n00:01.000 --> 00:02.000 line:10%\n<v Bob>Hello</v>\n")
        case "sub": path = try Script.file("k.sub", "{1}{1}25.000\n{25}{50}Hello\n{75}{100}Again|and again\n")
        case "ssa":
            path = try Script.file(
                "k.ssa",
                "[Script Info]\nScriptType: v4.00\n[V4 Styles]\nFormat: Name, Fontname, Fontsize\nStyle: Default,Arial,20\n"
                    + "[Events]\nFormat: Marked, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
                    + "Dialogue: Marked=0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hello\n")
        default:
            path = try Clips.file(
                "k.mks", ffmpeg: ["-i", Script.file("k.srt", Script.srt([(1, 2, "Hello")])), "-f", "matroska"])
        }
        #expect(harness.open(path) == .ready)
        #expect(harness.current(1.5) == "Hello")
        #expect(harness.place(at: 1.5) != nil)
    }

    @Test("Files opened in quick succession and closed at any moment leave no thread behind")
    func sudden() throws {
        let path = try Script.file("sudden.srt", Script.srt([(1, 2, "a"), (2, 3, "b")]))
        let before = try ProcessStatus.threadCount()
        for index in 0..<30 {
            let harness = SubtitleHarness()
            for _ in 0...index % 3 { harness.subtitles.open(path) }
            if index.isMultiple(of: 2) { harness.frame(1_500_000_000) }
            if index.isMultiple(of: 5) { harness.settle(1_500_000_000) }
            if index.isMultiple(of: 7) { harness.subtitles.closeFile() }
        }
        #expect(try eventually { try ProcessStatus.threadCount() <= before })
    }

    @Test("Bitmap subtitles that are too large are not decoded, and of several too large together the first are shown")
    func largePictures() throws {
        // The first ones show FFmpeg what kind of file it is.
        let usual = PGS.stream([(0.2, 0.4), (0.5, 0.7)])
        let large = try Clips.file("large.sup", data: usual + PGS.squares(2, side: 5000) + PGS.stream([(3, 4)]))
        let harness = SubtitleHarness()
        let growth = try ProcessStatus.peakGrowth { #expect(harness.open(large) == .ready) }
        #expect(growth < 48 << 20)
        #expect(harness.place(at: 1.5) == nil && harness.place(at: 3.5) != nil)
        let several = try Clips.file("several.sup", data: usual + PGS.squares(2, side: 3600))
        let last = try SubtitleFile.read(several, id: 1).timeline.events.last
        guard case .picture(let picture)? = last?.content else {
            Issue.record("there should be a picture")
            return
        }
        #expect(picture.parts.map(\.size) == [PixelSize(width: 3600, height: 3600)])
    }

    @Test("A file with video is not a subtitle file, whatever its name", arguments: ["mp4", "ts", "avi"])
    func film(kind: String) throws {
        let path = try Clips.file("film-\(kind).srt", data: Clips.bytes(Clips.film(kind)))
        #expect(failure(path)?.description == "not subtitles, or damaged")
    }

    @Test("Invalid display sizes show nothing")
    func sizes() throws {
        let harness = SubtitleHarness()
        harness.open(try Script.file("sizes.srt", Script.srt([(1, 2, "Size")])))
        #expect(harness.place(at: 1.5) != nil)
        for size in [(0, 0), (-1, 5), (.max, 5), (20_000, 20_000)] as [(Int, Int)] {
            harness.subtitles.prepare(size: PixelSize(width: size.0, height: size.1), bottomMargin: -5, frameRate: .nan)
            harness.frame(1_500_000_000)
        }
        harness.subtitles.prepare(size: PixelSize(width: 1, height: 1), videoSize: PixelSize(width: -1, height: 0))
        #expect(harness.settle(1_500_000_000))
        harness.subtitles.prepare(size: PixelSize(width: 16384, height: 16))
        #expect(harness.settle(1_500_000_000))
    }
}
