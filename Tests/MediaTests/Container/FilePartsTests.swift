import Foundation
import GlissadeTestSupport
import Testing

@testable import GlissadeMedia

@Suite("Parts of joined files") struct FilePartsTests {
    private func extent(_ bytes: [UInt8]) -> FileExtent {
        FileExtent(size: Int64(bytes.count)) { place, count in
            place < bytes.count ? Array(bytes[max(0, Int(place))...].prefix(max(0, count))) : []
        }
    }

    private func parts(_ bytes: [UInt8], _ format: String) -> [FilePart] {
        FileParts.find(in: extent(bytes), format: format)
    }

    /// The begins of the parts in bytes, and their lengths in milliseconds.
    private func found(_ bytes: [UInt8], _ format: String) -> [[Int]] {
        parts(bytes, format).map { [Int($0.bytes.lowerBound), Int($0.length / 1_000_000)] }
    }

    // MARK: - FLAC

    /// A file of `seconds` of noise, which takes about 1.4 bytes a sample.
    private func flac(_ seconds: Double, rate: Int = 44_100, _ more: [String] = []) throws -> [UInt8] {
        try FFmpeg.bytes(
            ["-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=\(seconds):a=0.3:s=1", "-c:a", "flac"] + more, ending: "flac")
    }

    @Test("Joined FLAC files are found wherever they begin, each with its length, at any rates")
    func flacs() throws {
        let (short, long) = (try flac(0.5, rate: 8000), try flac(20))
        #expect(long.count > 1 << 20)
        #expect(parts(short, "flac").isEmpty && parts(long, "flac").isEmpty)
        for files in [[short, short], [short, long], [long, short], [long, long], [long, long, short, long]] {
            let begins = files.indices.map { files[..<$0].reduce(0) { $0 + $1.count } }
            let wanted = zip(begins, files).map { [$0, $1.count == short.count ? 500 : 20_000] }
            #expect(found(files.reduce([], +), "flac") == wanted)
        }
        #expect(parts(short + short, "flac").map(\.bytes.upperBound) == [Int64(short.count), Int64(2 * short.count)])
    }

    @Test("Joined FLAC files are found if they have other bit rates, are many, or are cut")
    func oddFLACs() throws {
        // Few bytes a frame after many: the numbers never fall.
        let large = try FFmpeg.bytes(
            ["-f", "lavfi", "-i", "anoisesrc=r=96000:d=6:a=0.5:s=1", "-sample_fmt", "s32", "-ac", "2", "-c:a", "flac"],
            ending: "flac")
        let small = try flac(60, rate: 8000)
        #expect(small.count < large.count && small.count > 1 << 18)
        #expect(found(large + small, "flac") == [[0, 6000], [large.count, 60_000]])
        #expect(found(small + large, "flac") == [[0, 60_000], [small.count, 6000]])
        let one = try flac(3)
        #expect(one.count > 1 << 18)
        for count in [2, 7] {
            let many = found([[UInt8]](repeating: one, count: count).reduce([], +), "flac")
            #expect(many == (0..<count).map { [$0 * one.count, 3000] })
        }
        // What is left of a third file is no part of its own.
        let cut = parts(one + one + one.prefix(20), "flac")
        #expect(cut.map(\.bytes.upperBound) == [Int64(one.count), Int64(2 * one.count + 20)])
        #expect(cut.map(\.isLast) == [false, true])
    }

    @Test("Files of sizes that nobody has are not searched, and take no time")
    func hugeSizes() throws {
        let file = try flac(0.5, rate: 8000)
        for size in [-1, 0, 1 << 40, Int64.max] as [Int64] {
            let extent = FileExtent(size: size) { place, count in
                place < file.count ? Array(file[Int(place)...].prefix(count)) : [UInt8](repeating: 0, count: count)
            }
            #expect(FileParts.find(in: extent, format: "flac").isEmpty)
            #expect(FileParts.find(in: extent, format: "ogg").isEmpty)
        }
    }

    @Test("A FLAC file's tags and pictures are no parts, and those before a file do not hide it")
    func tagged() throws {
        let file = try flac(0.5, rate: 8000, ["-metadata", "title=fLaC"])
        let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 0, count: 130)
        #expect(parts(tag + file, "flac").isEmpty)
        #expect(found(tag + file + tag + file, "flac") == [[0, 500], [2 * tag.count + file.count, 500]])
        // A picture that holds a file: behind the description of the stream, 42 bytes, comes a block with it.
        var picture = file
        let size = [16, 8, 0].map { UInt8(file.count >> $0 & 0xFF) }
        picture.insert(contentsOf: [6] + size + file, at: 42)
        #expect(parts(picture, "flac").isEmpty && found(file + picture, "flac").map(\.[0]) == [0, file.count])
    }

    @Test("The length of a FLAC file whose header does not say it is that of its frames, and a hostile one is bounded")
    func unknownLengths() throws {
        let file = try flac(1.5, rate: 8000)
        var untold = file
        untold.replaceSubrange(21..<26, with: [untold[21] & 0xF0, 0, 0, 0, 0])
        #expect(found(file + untold, "flac") == [[0, 1500], [file.count, 1500]])
        // The lowest rate with the most samples, no rate, and a header that ends with the file.
        var wrong = file
        wrong.replaceSubrange(18..<26, with: [0, 0, 0x10, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(parts(file + wrong, "flac").map(\.length) == [1_500_000_000, PacketTimeline.farthest])
        wrong.replaceSubrange(18..<21, with: [0, 0, 0])
        #expect(parts(file + wrong, "flac").map(\.length) == [1_500_000_000, 0])
        for count in 0..<60 {
            let cut = parts(file + file.prefix(count), "flac")
            #expect(cut.isEmpty || cut.count == 2)
        }
    }

    // MARK: - Ogg

    private func ogg(
        _ seconds: Double, rate: Int = 44_100, _ codec: String = "libvorbis", _ more: [String] = []
    ) throws -> [UInt8] {
        try FFmpeg.bytes(
            ["-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=\(seconds):a=0.3:s=1", "-c:a", codec] + more, ending: "ogg")
    }

    @Test("Joined Ogg files are found, each with its length, at any rates and of all codecs")
    func oggs() throws {
        let files = [
            try ogg(0.5), try ogg(1.25, rate: 22_050), try ogg(2, rate: 48_000, "libopus"),
            try ogg(0.75, rate: 48_000, "flac"),
            try ogg(1, rate: 16_000, "libspeex"),
        ]
        #expect(files.allSatisfy { parts($0, "ogg").isEmpty })
        let begins = files.indices.map { files[..<$0].reduce(0) { $0 + $1.count } }
        let wanted = [500, 1250, 2000, 750, 1000]
        let found = found(files.reduce([], +), "ogg")
        #expect(found.map(\.[0]) == begins)
        // Speex has frames of 20 ms.
        for (length, wanted) in zip(found.map(\.[1]), wanted) { #expect(abs(length - wanted) <= 20, "\(wanted)") }
    }

    @Test("Copies of an Ogg file, whose streams have the same number, are found, and long ones too")
    func copies() throws {
        let (short, long) = (try ogg(0.5), try ogg(60, "libvorbis", ["-b:a", "240k"]))
        #expect(long.count > 1 << 20 && parts(long, "ogg").isEmpty)
        for files in [[short, short], [short, short, short], [long, long], [long, short, short, long]] {
            let begins = files.indices.map { files[..<$0].reduce(0) { $0 + $1.count } }
            let wanted = zip(begins, files).map { [$0, $1.count == short.count ? 500 : 60_000] }
            #expect(found(files.reduce([], +), "ogg") == wanted)
        }
    }

    /// A page with a packet of `body`.
    private func page(
        _ serial: UInt8, _ number: UInt8, begins: Bool = false, granule: UInt8 = 0, _ body: [UInt8] = [1, 2, 3]
    ) -> [UInt8] {
        let head: [UInt8] = Array("OggS".utf8) + [0, begins ? 2 : 0, granule] + [UInt8](repeating: 0, count: 7)
        return head + [serial, 0, 0, 0, number, 0, 0, 0, 0, 0, 0, 0, 1, UInt8(body.count)] + body
    }

    private let opus = Array("OpusHead".utf8) + [1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0] as [UInt8]

    @Test("Streams of Ogg side by side, and other than of sound, are no parts")
    func others() {
        let one = page(1, 0, begins: true, opus) + page(1, 1) + page(1, 2, granule: 240)
        let two = page(2, 0, begins: true, opus) + page(2, 1) + page(2, 2, granule: 48)
        #expect(found(one + two, "ogg") == [[0, 5], [one.count, 1]])
        let film = page(3, 0, begins: true, Array("\u{80}theora".utf8)) + page(3, 1, granule: 9)
        let both = page(4, 0, begins: true, opus) + page(5, 0, begins: true, opus) + page(4, 1) + page(5, 1, granule: 9)
        for bytes in [one + film, one + both, film + one, both + one, both, film, one] {
            #expect(parts(bytes, "ogg").isEmpty)
        }
        // Such a one is left to the part before it.
        let ends = [one.count, one.count + two.count + both.count]
        #expect(parts(one + two + both, "ogg").map(\.bytes.upperBound) == ends.map { Int64($0) })
    }

    @Test("Of a recording that begins late, only what was recorded counts")
    func late() {
        let one = page(1, 0, begins: true, opus) + page(1, 1, granule: 240)
        var second = page(2, 0, begins: true, opus) + page(2, 1) + page(2, 2) + page(2, 3)
        let size = page(2, 1).count
        for (index, granule) in [(1, 0), (2, 4_800_000), (3, 4_800_480)] {
            let place = second.count - (4 - index) * size + 6
            second.replaceSubrange(
                place..<(place + 4), with: withUnsafeBytes(of: UInt32(granule).littleEndian) { Array($0) })
        }
        #expect(found(one + second, "ogg").map(\.[1]) == [5, 10])
    }

    @Test("Damaged files have no parts out of them", arguments: ["ogg", "flac"])
    func damaged(format: String) throws {
        let file = format == "ogg" ? try ogg(0.3) : try flac(0.1, rate: 8000)
        let joined = file + file
        #expect(parts([], format).isEmpty && parts(Array("OggSfLaC".utf8), format).isEmpty)
        for count in stride(from: 0, to: joined.count, by: 97) { _ = parts(Array(joined.prefix(count)), format) }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<200 {
            var noise = joined
            for _ in 0..<6 {
                noise[Int.random(in: 0..<noise.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            for part in parts(noise, format) {
                #expect(part.bytes.lowerBound >= 0 && part.bytes.upperBound <= noise.count && part.length >= 0)
            }
        }
    }
}
