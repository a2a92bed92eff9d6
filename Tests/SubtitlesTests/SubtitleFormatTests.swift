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
