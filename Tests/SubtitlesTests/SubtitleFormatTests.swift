import Foundation
import GlissadePlatform
import Testing
import GlissadeTestSupport

@testable import GlissadeSubtitles

@MainActor @Suite("Formats of subtitle files") struct SubtitleFormatTests {
    private func texts(_ name: String, _ text: String, at times: [Double]) throws -> [String?] {
        let harness = SubtitleHarness()
        #expect(harness.open(try Script.file(name, text)) == .ready)
        return times.map { harness.current($0) }
    }

    @Test(
        "Text formats are told apart by their content, and shown at their times",
        arguments: [
            ("micro.sub", "{1}{1}25\n{0}{50}{y:b}bold|second\n{50}{100}x\n", ["bold\nsecond", "x", nil]),
            (
                "viewer.sub",
                "[INFORMATION]\n[TITLE]a\n[END INFORMATION]\n[SUBTITLE]\n00:00:00.00,00:00:02.00\none[br]two\n\n"
                    + "00:00:02.00,00:00:04.00\nx\n", ["one\ntwo", "x", nil]
            ),
            (
                "sami.smi",
                "<SAMI><HEAD></HEAD><BODY>\n<SYNC Start=0><P Class=KRCC>line<br>two\n<SYNC Start=2000><P Class=KRCC>x\n"
                    + "<SYNC Start=4000><P Class=KRCC>&nbsp;\n</BODY></SAMI>\n", ["line\ntwo", "x", nil]
            ),
            ("song.lrc", "[00:00.00]one\n[00:02.00]two\n[00:04.00]\n", ["one", "two", nil]),
            ("mpl2.mpl", "[0][20]one|two\n[20][40]x\n[50][60]y\n[70][80]z\n", ["one\ntwo", "x", nil]),
        ])
    func text(name: String, content: String, expected: [String?]) throws {
        #expect(try texts(name, content, at: [1, 3, 4.5]) == expected)
    }

    private static let head =
        "<tt xmlns=\"http://www.w3.org/ns/ttml\" xmlns:tts=\"http://www.w3.org/ns/ttml#styling\" "
        + "xmlns:ttp=\"http://www.w3.org/ns/ttml#parameter\" ttp:frameRate=\"25\" ttp:tickRate=\"1000\">"

    @Test(
        "TTML times may be clock times, frames, ticks or lengths, relative to what contains them",
        arguments: [
            ("<p begin=\"1s\" end=\"2s\">", 1.0, 2.0), ("<p begin=\"00:00:01.5\" end=\"00:00:02\">", 1.5, 2.0),
            ("<p begin=\"00:00:01:05\" dur=\"25f\">", 1.2, 2.2), ("<p begin=\"1000t\" end=\"2500t\">", 1.0, 2.5),
            ("<p begin=\"0.05m\" dur=\"500ms\">", 3.0, 3.5),
        ])
    func ttmlTimes(tag: String, start: Double, end: Double) throws {
        for shift in [0.0, 10] {
            let body = "<body><div begin=\"\(shift)s\">\(tag)text</p></div></body></tt>"
            let harness = SubtitleHarness()
            #expect(harness.open(try Script.file("\(UUID().uuidString).ttml", Self.head + body)) == .ready)
            #expect(harness.current(shift + start - 0.01) == nil && harness.current(shift + start + 0.01) == "text")
            #expect(harness.current(shift + end - 0.01) == "text" && harness.current(shift + end + 0.01) == nil)
        }
    }

    @Test(
        "TTML times in a sequence count from the end of what comes before, and parts of a paragraph have times of their own",
        arguments: [
            (
                "<div timeContainer=\"seq\" begin=\"1s\"><p dur=\"1s\">a</p><p begin=\"1s\" dur=\"1s\">b</p>"
                    + "<p end=\"2s\">c</p></div>", "-a-bcc-"
            ),
            (
                "<div timeContainer=\"seq\"><div><p begin=\"1s\" end=\"2s\">a</p><p end=\"1s\">b</p></div>"
                    + "<p dur=\"1s\">c</p></div>",
                "bac----"
            ),
            ("<div timeContainer=\"seq\"><p begin=\"1s\">a</p><p dur=\"2s\">b</p></div>", "-bb----"),
            ("<div end=\"3s\"><p begin=\"1s\">a</p></div>", "-aa----"),
            (
                "<p begin=\"1s\" end=\"5s\"><span begin=\"0s\" end=\"2s\">a</span><span begin=\"3s\">b</span></p>",
                "-aa-b--"
            ),
            ("<p><span begin=\"1s\" end=\"2s\">a</span><span begin=\"3s\" end=\"4s\">b</span></p>", "-a-b---"),
            (
                "<p begin=\"1s\" end=\"6s\" timeContainer=\"seq\"><span dur=\"1s\">a</span><span dur=\"2s\">b</span></p>",
                "-abb---"
            ),
            ("<p begin=\"1s\" end=\"4s\">a<span begin=\"1s\" dur=\"1s\">b</span></p>", "-a+a---"),
        ])
    func ttmlNesting(body: String, shown: String) throws {
        let harness = SubtitleHarness()
        let file = try Script.file("\(UUID().uuidString).ttml", Self.head + "<body>\(body)</body></tt>")
        #expect(harness.open(file) == .ready)
        for (second, wanted) in shown.enumerated() {
            let text = wanted == "-" ? nil : wanted == "+" ? "ab" : String(wanted)
            #expect(harness.current(Double(second) + 0.5) == text, "\(second) s")
        }
    }

    @Test("TTML that never ends, has no frames, or has absurd times is read without harm")
    func ttmlAbsurd() throws {
        for (head, tag) in [
            (
                "ttp:frameRate=\"1\" ttp:frameRateMultiplier=\"1 1000000000000\"",
                "<p begin=\"9999999f\" end=\"99:99:99:9999999\">"
            ),
            ("ttp:frameRate=\"0\" ttp:tickRate=\"0\"", "<p begin=\"1e9h\" end=\"nans\">"),
            ("ttp:tickRate=\"inf\" ttp:cellResolution=\"0 0\"", "<p begin=\"999999999s\" dur=\"999999999s\">"),
            ("tts:extent=\"0px -1px\"", "<div timeContainer=\"seq\"><p>a</p><p begin=\"999999999s\">b</p></div><p>"),
        ] {
            let text =
                "<tt xmlns=\"http://www.w3.org/ns/ttml\" \(head)><body>\(tag)text</p>"
                + "<p begin=\"1s\" end=\"2s\">good</p></body></tt>"
            let harness = SubtitleHarness()
            #expect(harness.open(try Script.file("\(UUID().uuidString).ttml", text)) == .ready)
            #expect(harness.current(1.5)?.contains("good") == true, "\(head) \(tag)")
        }
    }

    @Test("What TTML says about a paragraph, or hides, is not part of its text")
    func ttmlMetadata() throws {
        let body =
            "<body><div><metadata>x</metadata><p begin=\"0s\" end=\"2s\"><metadata><desc>a door</desc></metadata>Text"
            + "<span tts:visibility=\"hidden\">secret</span></p></div></body></tt>"
        #expect(try texts("metadata.ttml", Self.head + body, at: [1]) == ["Text"])
    }

    @Test(
        "A region of TTML may be given in percent, pixels, cells or a style, for a paragraph or a part of it",
        arguments: [
            ("tts:extent=\"1280px 720px\"", "tts:origin=\"128px 72px\" tts:extent=\"1024px 144px\"", "p"),
            ("ttp:cellResolution=\"40 20\"", "tts:origin=\"4c 2c\" tts:extent=\"32c 4c\"", "span"),
            ("", "style=\"place\"", "p"), ("", "tts:origin=\"10% 10%\" tts:extent=\"80% 20%\"", "div"),
        ])
    func ttmlUnits(head: String, region: String, element: String) throws {
        func id(_ name: String) -> String { name == element ? " region=\"top\"" : "" }
        let text =
            "<tt xmlns=\"http://www.w3.org/ns/ttml\" xmlns:tts=\"s\" xmlns:ttp=\"p\" \(head)><head><styling>"
            + "<style xml:id=\"place\" tts:origin=\"10% 10%\" tts:extent=\"80% 20%\"/></styling><layout>"
            + "<region xml:id=\"top\" \(region) tts:displayAlign=\"before\" tts:textAlign=\"left\"/></layout></head><body>"
            + "<div\(id("div"))><p begin=\"0s\" end=\"2s\"\(id("p"))><span\(id("span"))>Text</span></p></div></body></tt>"
        let harness = SubtitleHarness()
        #expect(harness.open(try Script.file("\(UUID().uuidString).ttml", text)) == .ready)
        let place = try #require(harness.place(at: 1))
        #expect(abs(place.minX - 64) < 16 && abs(place.minY - 36) < 16)
    }

    @Test("A track of TTML in MP4 is shown, each document no longer than its packet")
    func ttmlTrack() throws {
        let lines = try Script.file("track-lines.srt", Script.srt([(1, 2, "one"), (3, 4.5, "two")]))
        let path = try Clips.file(
            "ttml.mp4",
            ffmpeg: ["-f", "lavfi", "-i", "color=s=64x64:d=6", "-i", lines]
                + ["-map", "0", "-map", "1", "-c:s", "ttml"])
        let harness = SubtitleHarness()
        let feed = try SubtitleFeed(path, to: harness.subtitles)
        feed.feed(harness.subtitles)
        #expect([0.5, 1.5, 2.5, 3.5, 4.6].map { harness.current($0) } == [nil, "one", nil, "two", nil])
        #expect(harness.problems.isEmpty)
    }

    @Test("TTML has lines, spaces, references and declarations of an encoding")
    func ttmlText() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-16"?>
            \(Self.head)<body><div><p begin="0s" end="2s">
              One &amp; <span tts:fontStyle="italic">two</span><br/>
              {three}
            </p><p begin="3s" end="4s">  </p></div></body></tt>
            """
        #expect(try texts("text.ttml", text, at: [1, 3.5]) == ["One & two\n{three}", nil])
        let bytes: [UInt8] = [0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        let harness = SubtitleHarness()
        #expect(harness.open(try Clips.file("text16.ttml", data: Data(bytes))) == .ready)
        #expect(harness.current(1) == "One & two\n{three}")
    }

    @Test("TTML is shown in its region and colors")
    func ttmlRegion() throws {
        let layout =
            "<head><styling><style xml:id=\"green\" tts:color=\"lime\"/></styling><layout>"
            + "<region xml:id=\"top\" tts:origin=\"10% 10%\" tts:extent=\"80% 20%\" tts:displayAlign=\"before\" "
            + "tts:textAlign=\"left\"/></layout></head>"
        let body =
            "<body><div><p region=\"top\" style=\"green\" begin=\"0s\" end=\"2s\">Text</p>"
            + "<p begin=\"3s\" end=\"4s\">Text</p></div></body></tt>"
        let harness = SubtitleHarness()
        #expect(harness.open(try Script.file("region.ttml", Self.head + layout + body)) == .ready)
        let top = try #require(harness.place(at: 1))
        #expect(abs(top.minX - 64) < 16 && abs(top.minY - 36) < 16)
        let bitmap = try #require(harness.picture?.bitmap)
        #expect(bitmap.peak(1) > 200 && bitmap.peak(2) < 40)
        let bottom = try #require(harness.place(at: 3.5))
        #expect(bottom.minY > 300 && abs(bottom.minX + bottom.maxX - 640) < 16)
    }

    @Test("MicroDVD without a frame rate counts the film's frames")
    func frames() throws {
        let path = try Script.file("frames.sub", "{0}{50}one\n{50}{100}two\n{200}{250}three\n")
        let harness = SubtitleHarness()
        harness.subtitles.frameRate = 50
        #expect(harness.open(path) == .ready)
        #expect(harness.current(0.9) == "one" && harness.current(1.1) == "two" && harness.current(2.1) == nil)
        // A frame rate in the file comes first.
        let own = try Script.file("own-frames.sub", "{1}{1}25\n{0}{50}one\n{50}{100}two\n{200}{250}three\n")
        #expect(harness.open(own) == .ready)
        #expect(harness.current(1.9) == "one" && harness.current(3.9) == "two")
    }

    /// A VobSub pair in a folder of its own: pictures at 1 s and 4 s of 320 × 180. The program stream and its packets are
    /// FFmpeg's; the index is written by hand.
    private func vobSub() throws -> (folder: String, index: String, pictures: String) {
        let sup = try Clips.file("vobsub.sup", data: PGS.stream([(1, 3), (4, 6)]))
        let stream = try Clips.file(
            "vobsub.vob", ffmpeg: ["-fix_sub_duration", "-i", sup, "-c:s", "dvdsub", "-f", "vob"])
        let data = try Data(contentsOf: URL(fileURLWithPath: stream))
        // Packs with subtitles: a pack's head, then a packet of the private stream 1.
        var places: [Int] = []
        var from = data.startIndex
        while let pack = data.range(of: Data([0, 0, 1, 0xBA]), in: from..<data.endIndex)?.lowerBound {
            let next = data.range(of: Data([0, 0, 1, 0xBA]), in: pack + 4..<data.endIndex)?.lowerBound ?? data.endIndex
            if data.range(of: Data([0, 0, 1, 0xBD]), in: pack..<next) != nil { places.append(pack - data.startIndex) }
            from = next
        }
        #expect(places.count >= 2)
        let times = ["00:00:01:000", "00:00:04:000"]
        let index =
            "# VobSub index file, v7 (do not modify this line!)\nsize: 640x360\n"
            + "palette: 000000, ffffff, ffffff, ffffff, ffffff, ffffff, ffffff, ffffff, ffffff, ffffff, ffffff, ffffff, ffffff, "
            + "ffffff, ffffff, ffffff\nlangidx: 0\nid: en, index: 0\n"
            + zip(times, places).map { time, place in
                "timestamp: \(time), filepos: \(String(format: "%09x", place))\n"
            }.joined()
        let folder = Clips.folder.appendingPathComponent("vobsub-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: folder + "/film.sub"))
        try Data(index.utf8).write(to: URL(fileURLWithPath: folder + "/film.idx"))
        return (folder, folder + "/film.idx", folder + "/film.sub")
    }

    @Test("Each language of a VobSub index is a track of its own")
    func vobSubLanguages() throws {
        let files = try vobSub()
        let index = try String(contentsOfFile: files.index, encoding: .utf8)
        let entries = index.components(separatedBy: "\n").filter { $0.hasPrefix("timestamp") }
        // The second language has the second picture alone.
        let two = index.replacing(entries[1] + "\n", with: "") + "id: de, index: 1\n\(entries[1])\n"
        try Data(two.utf8).write(to: URL(fileURLWithPath: files.index))
        // Its packets have a number of their own, which follows the header of each.
        let place = try #require(Int(entries[1].suffix(9), radix: 16))
        var pictures = try Data(contentsOf: URL(fileURLWithPath: files.pictures))
        var from = place
        while let packet = pictures.range(of: Data([0, 0, 1, 0xBD]), in: from..<pictures.endIndex)?.upperBound {
            let number = packet + 5 + Int(pictures[packet + 4])
            #expect(pictures[number] == 0x20)
            pictures[number] = 0x21
            from = packet
        }
        try pictures.write(to: URL(fileURLWithPath: files.pictures))
        let harness = SubtitleHarness()
        #expect(harness.open(files.index) == .ready)
        let (tracks, selected) = harness.subtitles.fileTracks
        #expect(tracks.map(\.language) == ["eng", "ger"] || tracks.map(\.language) == ["en", "de"])
        #expect(tracks.map(\.index) == [0, 1] && selected == 0)
        #expect(harness.place(at: 1.5) != nil)
        #expect(harness.open(files.index, track: 1) == .ready && harness.subtitles.fileTracks.selected == 1)
        #expect(harness.place(at: 1.5) == nil && harness.place(at: 5) != nil)
    }

    @Test("VobSub is opened by its index or by its pictures")
    func vobSubPair() throws {
        let files = try vobSub()
        for file in [files.index, files.pictures] {
            let harness = SubtitleHarness()
            #expect(harness.open(file) == .ready)
            #expect(harness.place(at: 0.5) == nil && harness.place(at: 1.5) != nil)
            #expect(harness.place(at: 5) != nil)
        }
    }

    @Test("Half of a VobSub pair is refused with the name of what is missing")
    func vobSubHalf() throws {
        for (removed, kept, ending) in try [vobSub()].flatMap({ files in
            [(files.index, files.pictures, ".idx"), (files.pictures, files.index, ".sub")]
        }) {
            let moved = removed + ".away"
            try FileManager.default.moveItem(atPath: removed, toPath: moved)
            let state = SubtitleHarness().open(kept)
            try FileManager.default.moveItem(atPath: moved, toPath: removed)
            guard case .failed(let error) = state else {
                Issue.record("\(kept) was opened")
                continue
            }
            #expect("\(error)".contains(ending))
        }
    }
}
