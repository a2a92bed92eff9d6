import Testing

@testable import GlissadeMutators

@Suite("Parsing and writing structured files") struct StructuredFileTests {
    /// Containers, with the options that make them differ in their structure.
    static let kinds: [(ending: String, options: [String])] = [
        ("mkv", []), ("mkv", ["-write_crc32", "0"]), ("mkv", ["-live", "1"]),
        ("webm", ["-c:v", "libvpx", "-c:a", "libopus"]),
        ("mp4", []), ("mp4", ["-movflags", "+faststart"]), ("mp4", ["-movflags", "frag_keyframe+empty_moov"]),
        ("mov", []),
        ("ts", []), ("ogg", []),
    ]

    @Test("An unchanged file is written as it was", arguments: kinds)
    func roundTrip(ending: String, options: [String]) throws {
        let bytes = try Samples.media(ending, options)
        let file = try #require(StructuredFiles.open(bytes))
        #expect(file.bytes == bytes)
    }

    @Test("Bytes after the last element are kept", arguments: kinds)
    func rest(ending: String, options: [String]) throws {
        let bytes = try Samples.media(ending, options) + [0, 0, 0]
        let file = try #require(StructuredFiles.open(bytes))
        #expect(file.bytes == bytes)
    }

    @Test("A mutated file can be parsed again and written as it is", arguments: kinds)
    func changed(ending: String, options: [String]) throws {
        let bytes = try Samples.media(ending, options)
        var random = SeededRandom(seed: 7)
        var different = 0
        for _ in 0..<80 {
            var file = try #require(StructuredFiles.open(bytes))
            file.change(using: &random)
            let changed = file.bytes
            if changed != bytes { different += 1 }
            // A change may take away what a file is known by, and all there is.
            guard let again = StructuredFiles.open(changed) else { continue }
            #expect(again.bytes == changed)
        }
        #expect(different > 50)
    }

    @Test("The same seed gives the same mutations, and another seed others")
    func seeds() throws {
        let bytes = try Samples.media("mkv")
        func made(_ seed: UInt64) -> [[UInt8]?] {
            var random = SeededRandom(seed: seed)
            return (0..<20).map { _ in StructuredFiles.changed(bytes, limit: 1 << 20, using: &random) }
        }
        #expect(made(1) == made(1))
        #expect(made(1) != made(2))
    }

    @Test("No mutation exceeds the size limit", arguments: ["mkv", "mp4", "ts", "ogg"])
    func limit(ending: String) throws {
        let bytes = try Samples.media(ending)
        var random = SeededRandom(seed: 3)
        for _ in 0..<100 {
            guard let changed = StructuredFiles.changed(bytes, limit: bytes.count, using: &random) else { continue }
            #expect(changed.count <= bytes.count)
        }
    }

    @Test("Files of other formats are not recognized")
    func foreign() {
        for bytes: [UInt8] in [
            [], [0x1A], [0x1A, 0x45, 0xDF, 0xA3], Array("RIFF0000WAVE".utf8), Array(repeating: 0x47, count: 200),
        ] {
            #expect(StructuredFiles.open(bytes) == nil)
        }
    }
}
