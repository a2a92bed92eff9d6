import Foundation
import GlissadeTestSupport
import Testing

@testable import GlissadeMedia

@Suite("Rewriting MP4 segments as MPEG-TS")
struct SegmentRemuxerTests {
    /// The initialization and the segments of a film.
    private func film() throws -> (initialization: [UInt8], segments: [UInt8]) {
        let options = ["-c", "copy", "-movflags", "+frag_keyframe+empty_moov+default_base_moof"]
        let bytes = [UInt8](
            try Clips.bytes(Clips.file("fragments.mp4", ffmpeg: ["-i", Clips.filmWithAudio("mp4")] + options)))
        let name = try #require(Data(bytes).range(of: Data("moof".utf8)))
        return (Array(bytes[..<(name.lowerBound - 4)]), Array(bytes[(name.lowerBound - 4)...]))
    }

    /// All that comes out of a remuxer for `segment`, which is read in pieces of at most `step` bytes.
    private func rewrite(
        _ initialization: [UInt8], _ segment: [UInt8], step: Int = 1 << 16, packetLimit: Int = .max
    ) throws -> [UInt8] {
        var rest = segment[...]
        let remuxer = SegmentRemuxer(
            initialization: initialization, offset: 10_000_000, packetLimit: packetLimit
        ) { target in
            let count = min(target.count, rest.count, step)
            target.copyBytes(from: rest.prefix(count))
            rest = rest.dropFirst(count)
            return count
        }
        var output: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 5000)
        while true {
            let count = try chunk.withUnsafeMutableBytes { try remuxer.read(into: $0) }
            if count == 0 { return output }
            output += chunk[..<count]
        }
    }

    @Test("All packets arrive, with their times ten seconds later")
    func packets() throws {
        let (initialization, segments) = try film()
        let output = try rewrite(initialization, segments, step: 777)
        #expect(output.count % 188 == 0)
        #expect(stride(from: 0, to: output.count, by: 188).allSatisfy { output[$0] == 0x47 })
        let path = try Clips.file("rewritten.ts", data: Data(output))
        let info = try MediaInfo(opening: path)
        #expect(info.tracks.map(\.codec) == ["h264", "aac"])
        #expect(abs(info.startTime.nanoseconds - 10_000_000_000) < 100_000_000)
        #expect(abs((info.duration ?? .zero).inSeconds - 2) < 0.1)
    }

    @Test("A damaged, cut or missing segment ends early, without a crash")
    func damage() throws {
        let (initialization, segments) = try film()
        let whole = try rewrite(initialization, segments).count
        #expect(try rewrite(initialization, []).isEmpty)
        #expect(try rewrite([], []).isEmpty)
        #expect(try rewrite([], Array("#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n".utf8)).isEmpty)
        #expect(try rewrite(initialization, Array(segments.prefix(segments.count / 2))).count < whole)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            var (head, rest) = (initialization, segments)
            for _ in 0..<4 {
                head[Int.random(in: 0..<head.count, using: &generator)] = .random(in: 0...255, using: &generator)
                rest[Int.random(in: 0..<min(2000, rest.count), using: &generator)] = .random(
                    in: 0...255, using: &generator)
            }
            _ = try rewrite(head, rest)
        }
    }

    @Test("A packet that is too large is left out")
    func largePackets() throws {
        let (initialization, segments) = try film()
        let whole = try rewrite(initialization, segments)
        let parts = try rewrite(initialization, segments, packetLimit: 500)
        #expect(parts.count > whole.count / 20 && parts.count < whole.count)
        let path = try Clips.file("small-packets.ts", data: Data(parts))
        #expect(try MediaInfo(opening: path).tracks.map(\.codec).contains("aac"))
        #expect(try rewrite(initialization, segments, packetLimit: 0).count < parts.count)
    }

    @Test("Only streams in codecs that MPEG-TS carries can be rewritten")
    func codecs() throws {
        let (initialization, segments) = try film()
        #expect(SegmentRemuxer.canRewrite(initialization))
        #expect(!SegmentRemuxer.canRewrite([]))
        #expect(!SegmentRemuxer.canRewrite(segments))
        let options = ["-c:v", "copy", "-c:a", "flac", "-strict", "-2", "-movflags", "+frag_keyframe+empty_moov"]
        let other = [UInt8](
            try Clips.bytes(Clips.file("flac-fragments.mp4", ffmpeg: ["-i", Clips.filmWithAudio("mp4")] + options)))
        let mark = try #require(Data(other).range(of: Data("moof".utf8)))
        #expect(!SegmentRemuxer.canRewrite(Array(other[..<(mark.lowerBound - 4)])))
    }

    @Test("A lost connection is reported, and not taken for the end")
    func loss() throws {
        let (initialization, _) = try film()
        let remuxer = SegmentRemuxer(initialization: initialization, offset: 0) { _ throws(ResourceFailure) in
            throw .closed
        }
        var chunk = [UInt8](repeating: 0, count: 5000)
        #expect(throws: ResourceFailure.closed) {
            while try chunk.withUnsafeMutableBytes({ try remuxer.read(into: $0) }) > 0 {}
        }
    }
}
