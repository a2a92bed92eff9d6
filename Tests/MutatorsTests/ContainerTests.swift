import Testing

@testable import GlissadeMutators

@Suite("Mutating containers") struct ContainerTests {
    private func value(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }

    @Test("A longer title enlarges all enclosing elements, and the file stays readable")
    func matroskaLengths() throws {
        var file = try #require(MatroskaFile(try Samples.media("mkv")))
        let title = try #require(file.forest.paths.first { file.forest[$0].header.id == 0x7BA9 })
        file.forest[title].content = .bytes(Array(repeating: 65, count: 5000))
        let again = try #require(MatroskaFile(file.bytes))
        #expect(again.forest.paths.count == file.forest.paths.count)
        #expect(again.forest[title].content == file.forest[title].content)
    }

    @Test("A valid Matroska checksum is valid after a mutation")
    func matroskaChecksums() throws {
        var file = try #require(MatroskaFile(try Samples.media("mkv")))
        let sealed = file.forest.paths.filter { file.forest[$0].header.isChecksumRight }
        #expect(!sealed.isEmpty)
        let title = try #require(file.forest.paths.first { file.forest[$0].header.id == 0x7BA9 })
        file.forest[title].content = .bytes(Array("Other".utf8))
        let again = try #require(MatroskaFile(file.bytes))
        #expect(sealed.allSatisfy { again.forest[$0].header.isChecksumRight })
    }

    @Test("The chunk offsets of an MP4 file follow the moved chunks")
    func chunkOffsets() throws {
        let bytes = try Samples.media("mp4", ["-movflags", "+faststart"])
        var file = try #require(MP4File(bytes))
        let offsets = try #require(file.forest.paths.first { file.forest[$0].header.type == MP4File.type("stco") })
        guard case .bytes(let old) = file.forest[offsets].content else {
            Issue.record("the chunks' offsets are no bytes")
            return
        }
        let free = try #require(file.forest.paths.first { file.forest[$0].header.type == MP4File.type("free") })
        file.forest[free].content = .bytes(Array(repeating: 0, count: 1000))
        let again = try #require(MP4File(file.bytes))
        guard case .bytes(let new) = again.forest[offsets].content else {
            Issue.record("the chunks' offsets are no bytes")
            return
        }
        let (first, moved) = (value(old[8..<12]), value(new[8..<12]))
        #expect(Array(file.bytes[moved..<(moved + 16)]) == Array(bytes[first..<(first + 16)]))
        #expect(moved > first)
    }

    @Test("A mutated table of a transport stream has a valid checksum")
    func sections() throws {
        let stream = try #require(TransportStream(try Samples.media("ts")))
        let tables = stream.packets.indices.filter { stream.packets[$0].section != nil }
        #expect(!tables.isEmpty && tables.allSatisfy { stream.packets[$0].isSectionWhole })
        var packet = stream.packets[tables[0]]
        let section = try #require(packet.section)
        packet.bytes[section.lowerBound + 5] ^= 0xFF
        #expect(!packet.isSectionWhole)
        packet.sealSection()
        #expect(packet.isSectionWhole)
    }

    @Test("Times in a transport stream are written as they are read", arguments: [0, 1, 90000, (1 << 33) - 1, 1 << 32])
    func times(time: UInt64) throws {
        let stream = try #require(TransportStream(try Samples.media("ts")))
        var packet = try #require(stream.packets.first { !$0.times.isEmpty })
        let place = packet.times[0]
        let before = packet.bytes
        packet.setTime(packet.time(at: place), at: place)
        #expect(packet.bytes == before)
        packet.setTime(time, at: place)
        #expect(packet.time(at: place) == time)
    }

    @Test("A mutated Ogg page has a valid checksum")
    func pages() throws {
        var file = try #require(OggFile(try Samples.media("ogg")))
        #expect(file.pages.allSatisfy { $0.wrongChecksum == nil })
        file.pages[0].setContent(Array(repeating: 1, count: 700))
        let again = try #require(OggFile(file.bytes))
        #expect(again.pages[0].wrongChecksum == nil)
        #expect(again.pages[0].content == file.pages[0].content)
    }

    @Test("Elements are moved, nested and swapped without losing any")
    func rearranging() throws {
        typealias Number = Element<Int>
        func leaf(_ number: Int) -> Number { Number(header: number, content: .bytes([])) }
        let tree = Forest(roots: [
            Number(header: 0, content: .elements(prefix: [], [leaf(1), leaf(2)])),
            Number(header: 3, content: .elements(prefix: [], [leaf(4)])), leaf(5),
        ])
        func headers(_ forest: Forest<Int>) -> Set<Int> { Set(forest.paths.map { forest[$0].header }) }
        var random = SeededRandom(seed: 1)
        for _ in 0..<2000 {
            var changed = tree
            changed.rearrange(using: &random)
            let before = tree.paths.count
            // Only a deletion makes it smaller: by an element and what is in it.
            if changed.paths.count >= before { #expect(headers(changed) == headers(tree)) }
            #expect(before - changed.paths.count <= 3)
        }
    }
}
