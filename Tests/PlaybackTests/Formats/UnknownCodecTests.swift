import Foundation
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Streams with codecs that FFmpeg does not know.
@MainActor @Suite("Unknown codecs") struct UnknownCodecTests {
    /// A film in which `name` was written in place of another codec's, which is as long.
    private func film(_ ending: String, _ codec: String, _ old: String, _ name: String) throws -> String {
        let path = try Clips.file(
            "known-\(codec).\(ending)",
            ffmpeg: NumberedFrames.source(seconds: 1) + NumberedFrames.tone + NumberedFrames.h264 + [
                "-c:a", codec, "-t", "1",
            ])
        var data = try Clips.bytes(path)
        let place = try #require(data.range(of: Data(old.utf8)))
        data.replaceSubrange(place, with: Data(name.utf8))
        let letters = name.utf8.map { String($0, radix: 16) }.joined()
        return try Clips.file("unknown-\(letters)-\(codec).\(ending)", data: data)
    }

    @Test("A codec that FFmpeg does not know is told by the container's name for it")
    func named() throws {
        for (path, name) in [
            (try film("mkv", "aac", "A_AAC", "A_XYZ"), "A_XYZ"), (try film("mov", "pcm_s16le", "sowt", "xyzq"), "xyzq"),
        ] {
            let info = try MediaInfo(opening: path)
            #expect(info.tracks.map(\.codec) == ["h264", "unknown (\(name))"])
            let harness = PlaybackHarness(path, audio: .silent)
            #expect(harness.runToEnd())
            // A busy machine drops some.
            #expect(harness.numbers.first == 0)
            #expect(harness.problems.map { "\($0)" }.contains { $0.hasSuffix("unknown codec \(name)") })
        }
    }

    @Test("A name of a codec that is no text is not shown")
    func unnamed() throws {
        let path = try film("mkv", "aac", "A_AAC", "A\u{1}\n\u{1B}\u{7F}")
        #expect(try MediaInfo(opening: path).tracks.map(\.codec) == ["h264", "unknown"])
        #expect(CodecName.text(ofTag: 0) == nil)
        #expect(CodecName.text(ofTag: 0x55) == "0x55" && CodecName.text(ofTag: 0x0106) == "0x106")
        #expect(CodecName.text(ofIdentifier: Array(repeating: 0x41, count: 33)) == nil)
    }

    @Test("Hostile Matroska headers have no more codecs than tracks")
    func hostile() {
        let sizes: [[UInt8]] = [[0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFE], [0xFF], [0x80], [0x90]]
        for size in sizes {
            var bytes: [UInt8] = []
            for identifier: [UInt8] in [[0x18, 0x53, 0x80, 0x67], [0x16, 0x54, 0xAE, 0x6B], [0xAE], [0x83], [0x86]] {
                bytes += identifier + size
            }
            let extent = FileExtent(size: .max) { place, count in
                place < bytes.count ? Array(bytes[Int(place)...].prefix(count)) : []
            }
            #expect(extent.matroskaCodecs.count <= 1)
        }
    }

    @Test("A Matroska file of endless empty parts is not read for long")
    func endless() {
        let head: [UInt8] = [0x18, 0x53, 0x80, 0x67, 0xFF]
        var reads = 0
        let extent = FileExtent(size: .max) { place, count in
            reads += 1
            return (place..<place + Int64(count)).map { place in
                // An empty element to skip, again and again.
                place < head.count ? head[Int(place)] : (Int(place) - head.count).isMultiple(of: 2) ? 0xEC : 0x80
            }
        }
        #expect(extent.matroskaCodecs.isEmpty)
        #expect((1000..<10_000).contains(reads))
    }
}
