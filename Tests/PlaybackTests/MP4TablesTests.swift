import Foundation
import TestSupport
import Testing

@testable import Playback

/// How large an index a file asks for.
@MainActor @Suite("The tables of an MP4 file", .serialized) struct MP4TablesTests {
    private func tables(_ file: [UInt8]) -> MP4Tables {
        MP4Tables(size: Int64(file.count)) { place, count in
            guard place >= 0, place < file.count else { return [] }
            return Array(file[Int(place)..<min(file.count, Int(place) + count)])
        }
    }

    @Test("Every sample of every track has an entry")
    func samples() {
        #expect(tables(MP4.file(tracks: [MP4.track(samples: 10), MP4.track(samples: 2000)])).entries == 2010)
    }

    @Test("Plain sound has an entry for each chunk, and one for every 160 samples of it")
    func plainSound() {
        let track = MP4.track(samples: 48_000, step: 1, chunks: 10, samplesAChunk: 4800)
        #expect(tables(MP4.file(tracks: [track])).entries == 10 + 10 * 30)
    }

    @Test("A second handler, as QuickTime has one, does not make it anything else")
    func handlers() {
        let other = MP4.box("hdlr", [UInt8](repeating: 0, count: 8) + Array("alis".utf8))
        let track = MP4.track(samples: 48_000, step: 1, samplesAChunk: 1600)
        let both = MP4.boxes("trak", [Array(track.dropFirst(8)), other])
        #expect(tables(MP4.file(tracks: [both])).entries == 11)
    }

    @Test("Each edit may show all of a track again")
    func edits() {
        let found = tables(MP4.file(tracks: [MP4.track(samples: 100, edits: 7), MP4.track(samples: 5)]))
        #expect(found.entries == 105 && found.editedEntries == 705)
    }

    @Test("The first fragment counts, and those that are read later do not")
    func fragments() {
        let file = MP4.file(
            tracks: [MP4.track(samples: 0)], rest: MP4.fragment(samples: 300) + MP4.fragment(samples: 1 << 30))
        #expect(tables(file).entries == 300)
    }

    @Test("A table is found wherever FFmpeg would find it, and a file of a hundred thousand boxes is too much")
    func anywhere() {
        let hidden = MP4.boxes("dinf", [MP4.boxes("udta", [MP4.track(samples: 77)])])
        #expect(tables(MP4.file(tracks: [hidden])).entries == 77)
        let many = MP4.file(tracks: [[UInt8]](repeating: MP4.box("free", []), count: 100_000))
        #expect(tables(many).entries == .max)
    }

    @Test("Whatever lengths and numbers there are, it comes to an end with a number that is not negative")
    func hostile() {
        let file = MP4.file(
            tracks: [MP4.track(samples: 9, step: 1, edits: 3), MP4.track(samples: .max, chunks: 3, edits: 2)],
            rest: MP4.fragment(samples: 5))
        for seed in 0..<20_000 as Range<UInt64> {
            var random = SeededGenerator(seed: seed)
            var changed = file
            for _ in 0..<(1 + seed % 6) {
                let place = Int(random.next() % UInt64(changed.count))
                changed[place] = [0, 1, 0x7F, 0x80, 0xFF, UInt8(truncatingIfNeeded: random.next())][Int(seed % 6)]
            }
            let found = tables(changed)
            if found.entries < 0 || found.editedEntries < 0 {
                Issue.record("seed \(seed) gives \(found)")
                return
            }
        }
    }

    @Test("A file of a few kilobytes whose index would take gigabytes is refused in one line, and takes no memory")
    func bomb() throws {
        let tracks = [[UInt8]](repeating: MP4.track(samples: 12_500_000), count: 10)
        let path = try Clips.file("index-bomb.mp4", data: Data(MP4.file(tracks: tracks)))
        var reason = ""
        let growth = try Memory.peakGrowth {
            do { _ = try MediaInfo(opening: path) } catch let error as PlaybackError { reason = error.description }
        }
        #expect(reason == "it asks for more memory than a film may take")
        #expect(growth < 32 << 20)
    }

    @Test("One whose edits show the same again and again is opened without them")
    func editBomb() throws {
        let tracks = [[UInt8]](repeating: MP4.track(samples: 200_000, edits: 400), count: 4)
        let path = try Clips.file("edit-bomb.mp4", data: Data(MP4.file(tracks: tracks)))
        var count = 0
        let growth = try Memory.peakGrowth { count = try MediaInfo(opening: path).tracks.count }
        #expect(count == 4)
        #expect(growth < 96 << 20)
    }
}
