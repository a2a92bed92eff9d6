import Foundation
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia

/// How large an index a file asks for.
@MainActor @Suite("MP4 index tables", .serialized) struct MP4TablesTests {
    private func tables(_ file: [UInt8]) -> MP4Tables {
        MP4Tables(size: Int64(file.count)) { place, count in
            guard place >= 0, place < file.count else { return [] }
            return Array(file[Int(place)..<min(file.count, Int(place) + count)])
        }
    }

    @Test("Every sample of every track is counted")
    func samples() {
        #expect(tables(MP4.file(tracks: [MP4.track(samples: 10), MP4.track(samples: 2000)])).entries == 2010)
    }

    @Test("Uncompressed audio counts its chunks and one entry for some hundred samples")
    func plainAudio() {
        let track = MP4.track(samples: 48_000, step: 1, chunks: 10, samplesAChunk: 4800)
        #expect(tables(MP4.file(tracks: [track])).entries == 10 + 10 * 5)
    }

    @Test("Two hours of sixteen uncompressed tracks are not too large")
    func manyTracks() {
        let track = MP4.track(samples: 345_600_000, step: 1, chunks: 7200, samplesAChunk: 48_000)
        let found = tables(MP4.file(tracks: [[UInt8]](repeating: track, count: 16)))
        #expect((5_400_000...6_500_000).contains(found.entries))
    }

    @Test("The chunk table of other audio is not read, however long it is")
    func longRuns() {
        let rows: [UInt32] = (UInt32(1)...400_000).flatMap { chunk in [chunk, 1 + chunk % 2, UInt32(1)] }
        let track = MP4.track(samples: 600_000, runs: rows)
        var taken = 0
        let file = MP4.file(tracks: [track])
        let found = MP4Tables(size: Int64(file.count)) { place, count in
            taken += count
            return Array(file[Int(place)..<min(file.count, Int(place) + count)])
        }
        #expect(found.entries == 600_000 && taken < 2000)
        let plain = tables(MP4.file(tracks: [MP4.track(samples: 600_000, step: 1, chunks: 400_000, runs: rows)]))
        #expect(plain.entries == 400_000)
    }

    @Test("A table that claims more rows than its box holds is read no further")
    func shortRuns() {
        let many = (0..<2000).map { _ in MP4.table("stsc", [1 << 31]) }
        let track = MP4.track(samples: 600, step: 1)
        let both = MP4.boxes("trak", [Array(track.dropFirst(8)), MP4.boxes("stbl", many)])
        var taken = 0
        let file = MP4.file(tracks: [both])
        _ = MP4Tables(size: Int64(file.count)) { place, count in
            taken += count
            return Array(file[Int(place)..<min(file.count, Int(place) + count)])
        }
        #expect(taken < 100_000)
    }

    @Test("Compressed boxes are not counted")
    func compressed() throws {
        let file = MP4.box("ftyp", Array("qt  qt  ".utf8)) + MP4.boxes("moov", [MP4.box("cmov", [1, 2, 3])])
        #expect(tables(file).isCompressed)
        let path = try Clips.file("compressed-index.mov", data: Data(file))
        #expect(throws: PlaybackError.cannotOpen(reason: "compressed movie headers are not supported")) {
            try MediaInfo(opening: path)
        }
    }

    @Test("A second handler, as in QuickTime files, does not change the track's type")
    func handlers() {
        let other = MP4.box("hdlr", [UInt8](repeating: 0, count: 8) + Array("alis".utf8))
        let track = MP4.track(samples: 48_000, step: 1, samplesAChunk: 1600)
        let both = MP4.boxes("trak", [Array(track.dropFirst(8)), other])
        #expect(tables(MP4.file(tracks: [both])).entries == 2)
    }

    @Test("Each edit may count all of a track again")
    func edits() {
        let found = tables(MP4.file(tracks: [MP4.track(samples: 100, edits: 7), MP4.track(samples: 5)]))
        #expect(found.entries == 105 && found.editedEntries == 705)
    }

    @Test("All fragments count, unless a segment index covers the file")
    func fragments() {
        let two = MP4.fragment(samples: 300) + MP4.fragment(samples: 1 << 30)
        func entries(_ rest: [UInt8]) -> Int {
            tables(MP4.file(tracks: [MP4.track(samples: 0)], rest: rest)).entries
        }
        #expect(entries(two) == 300 + 1 << 30)
        let sizes = [two.count - MP4.fragment(samples: 300).count, MP4.fragment(samples: 300).count].map(UInt32.init)
        #expect(entries(MP4.segmentIndex(sizes: sizes) + two) == 300)
        // Of a track that there is not, or to somewhere else: nobody follows it.
        #expect(entries(MP4.segmentIndex(track: 2, sizes: sizes) + two) == 300 + 1 << 30)
        #expect(entries(MP4.segmentIndex(sizes: sizes.dropLast()) + two) == 300 + 1 << 30)
    }

    @Test("Nothing beyond the limit is read")
    func limit() {
        let file = MP4.file(
            tracks: [MP4.track(samples: 0)], rest: (0..<100).flatMap { _ in MP4.fragment(samples: 10) })
        let found = MP4Tables(size: Int64(file.count), limit: 50) { place, count in
            Array(file[Int(place)..<min(file.count, Int(place) + count)])
        }
        #expect(found.entries == 60)
    }

    @Test("Tables are found wherever FFmpeg finds them, and a hundred thousand boxes are too many")
    func anywhere() {
        let hidden = MP4.boxes("dinf", [MP4.boxes("udta", [MP4.track(samples: 77)])])
        #expect(tables(MP4.file(tracks: [hidden])).entries == 77)
        for kind in ["sinf", "meta"] {
            let table = MP4.boxes(kind, [MP4.table("stsz", [4, 99])])
            let track = MP4.boxes("trak", [Array(MP4.track(samples: 9).dropFirst(8)), table])
            #expect(tables(MP4.file(tracks: [track])).entries == 99, "\(kind)")
        }
        let film = MP4.file(tracks: [MP4.track(samples: 55)])
        var renamed = film
        let place = film.indices.first { film[$0...].starts(with: "moov".utf8) } ?? 0
        renamed.replaceSubrange(place..<place + 4, with: Array("free".utf8))
        #expect(tables(renamed).entries == 55)
        let many = MP4.file(tracks: [[UInt8]](repeating: MP4.box("free", []), count: 100_000))
        #expect(tables(many).entries == .max)
    }

    @Test("Any lengths and counts give a non-negative number in bounded time")
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

    @Test("A small file whose index would take gigabytes is refused in one line, without allocating memory")
    func bomb() throws {
        let tracks = [[UInt8]](repeating: MP4.track(samples: 12_500_000), count: 10)
        let path = try Clips.file("index-bomb.mp4", data: Data(MP4.file(tracks: tracks)))
        var reason = ""
        let growth = try ProcessStatus.peakGrowth {
            do { _ = try MediaInfo(opening: path) } catch let error as PlaybackError { reason = error.description }
        }
        #expect(reason == "exceeds the memory limit")
        #expect(growth < 32 << 20)
    }

    @Test("A file whose edits repeat one range too often is opened without them")
    func editBomb() throws {
        let tracks = [[UInt8]](repeating: MP4.track(samples: 200_000, edits: 400), count: 4)
        let path = try Clips.file("edit-bomb.mp4", data: Data(MP4.file(tracks: tracks)))
        var count = 0
        let growth = try ProcessStatus.peakGrowth { count = try MediaInfo(opening: path).tracks.count }
        #expect(count == 4)
        #expect(growth < 96 << 20)
    }
}
