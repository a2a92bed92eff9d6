import Foundation
import GlissadeTestSupport
import Testing

@testable import GlissadeMedia

@Suite("FLAC frames") struct FLACFramesTests {
    private func seconds(_ bytes: [UInt8], rate: Int = 44_100) -> Double {
        bytes.withUnsafeBytes { Double(FLACFrames.length(of: $0, rate: rate)) / 1e9 }
    }

    @Test(
        "The frames of a FLAC file add up to its length, whatever its rate is",
        arguments: [8000, 11_000, 11_025, 12_340, 44_100, 96_000])
    func whole(rate: Int) throws {
        let bytes = try FFmpeg.bytes(
            ["-f", "lavfi", "-i", "anoisesrc=r=\(rate):d=1.3:a=0.1:s=1", "-c:a", "flac"], ending: "flac")
        #expect(abs(seconds(bytes) - 1.3) < 0.001)
        #expect(abs(seconds(bytes + [0xFF, 0xF8] + bytes) - 2.6) < 0.001)
        // Without its header, a frame is none.
        #expect(seconds(Array(bytes.suffix(40))) == 0)
    }

    @Test("The frames of a file begin after its tags, and those of the last of joined files after its own")
    func begins() throws {
        let bytes = try FFmpeg.bytes(
            ["-f", "lavfi", "-i", "sine=r=44100:d=0.5", "-metadata", "title=A", "-c:a", "flac"], ending: "flac")
        let head = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xF8]) })
        func read(_ bytes: [UInt8]) -> (Int64, Int) -> [UInt8] {
            { place, count in place < bytes.count ? Array(bytes[Int(place)...].prefix(count)) : [] }
        }
        #expect(FLACFrames.begin(read(bytes)) == Int64(head))
        let tag: [UInt8] = Array("ID3".utf8) + [4, 0, 0, 0, 0, 1, 2] + [UInt8](repeating: 0, count: 130)
        #expect(FLACFrames.begin(read(tag + bytes)) == Int64(tag.count + head))
        let joined = bytes + tag + bytes
        let second = Int64(bytes.count + tag.count + head)
        #expect(FLACFrames.begin(before: second + 5, after: 0, read(joined)) == second)
        #expect(FLACFrames.begin(before: Int64(joined.count), after: Int64(head), read(joined)) == second)
        #expect(FLACFrames.begin(before: Int64(joined.count), after: second, read(joined)) == nil)
        #expect(FLACFrames.begin(before: Int64(bytes.count), after: 0, read(joined)) == Int64(head))
        #expect(
            FLACFrames.begin(
                read([0x49, 0x44, 0x33, 4, 0, 0x10, 0, 0, 0, 0] + [UInt8](repeating: 0, count: 10) + tag + bytes))
                == Int64(20 + tag.count + head))
        for count in 0..<head {
            #expect(FLACFrames.begin(read(Array(bytes.prefix(count)))).map { $0 >= count } != false)
        }
        #expect(FLACFrames.begin(before: 20, after: 0, read([UInt8](repeating: 0x66, count: 20))) == nil)
        #expect(FLACFrames.begin(before: 0, after: 0, read([])) == nil)
    }

    @Test("The parts of joined files have the lengths in their headers, which may be anything")
    func parts() throws {
        func parts(_ bytes: [UInt8]) -> [FLACFrames.Part] {
            FLACFrames.parts(from: 0, to: Int64(bytes.count)) { place, count in
                place < bytes.count ? Array(bytes[Int(place)...].prefix(count)) : []
            }
        }
        let file = try FFmpeg.bytes(
            ["-f", "lavfi", "-i", "sine=r=8000:d=1.5", "-metadata", "title=A", "-c:a", "flac"], ending: "flac")
        let head = try #require(file.indices.first { file[$0...].starts(with: [0xFF, 0xF8]) })
        // More than is read at once lies between them.
        let joined = file + [UInt8](repeating: 0x66, count: 1 << 20) + file + file
        let found = parts(joined)
        #expect(found.map(\.begin) == [0, file.count + (1 << 20), 2 * file.count + (1 << 20)].map { Int64($0 + head) })
        #expect(found.allSatisfy { $0.length == 1_500_000_000 && $0.rate == 8000 })
        // The lowest rate with the most samples, no rate, and a header that ends with the file.
        var wrong = file
        wrong.replaceSubrange(18..<26, with: [0, 0, 0x10, 0x0F, 0xFF, 0xFF, 0xFF, 0xFF])
        #expect(parts(wrong).map(\.length) == [PacketTimeline.farthest] && parts(wrong).map(\.rate) == [1])
        wrong.replaceSubrange(18..<21, with: [0, 0, 0])
        #expect(parts(wrong).map(\.length) == [0])
        for count in 0..<head { #expect(parts(Array(file.prefix(count))).isEmpty) }
    }

    @Test("Bytes that are no frames have no length, and an unknown rate none either")
    func others() {
        #expect(seconds([]) == 0)
        #expect(seconds([0xFF]) == 0)
        #expect(seconds([0xFF, 0xF8]) == 0)
        // 4096 samples at the file's rate, with the right checksum and with another one.
        let frame: [UInt8] = [0xFF, 0xF8, 0xC0, 0x18, 0x00]
        let sums = (0...255).filter { seconds(frame + [UInt8($0), 0]) > 0 }
        #expect(sums.count == 1)
        #expect(sums.first.map { abs(seconds(frame + [UInt8($0)]) - 4096.0 / 44_100) < 1e-6 } == true)
        #expect(sums.first.map { seconds(frame + [UInt8($0)], rate: 0) } == 0)
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            let noise = (0..<64).map { _ in UInt8.random(in: 0xF0...0xFF, using: &generator) }
            #expect(seconds(noise) >= 0)
        }
    }
}
