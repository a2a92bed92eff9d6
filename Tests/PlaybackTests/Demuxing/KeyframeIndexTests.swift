import GlissadeCFFmpeg
import Foundation
import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

@MainActor @Suite("Keyframe index", .serialized) struct KeyframeIndexTests {
    /// A stream of a container that is being made, with an index of these times.
    private func withStream(
        _ times: [Int64], start: Int64 = 0, base: AVRational = AVRational(num: 1, den: 1000),
        _ body: (UnsafeMutablePointer<AVStream>) -> Void
    ) throws {
        let context = try #require(avformat_alloc_context())
        defer { avformat_free_context(context) }
        let stream = try #require(avformat_new_stream(context, nil))
        stream.pointee.time_base = base
        stream.pointee.start_time = start
        for time in times { av_add_index_entry(stream, 0, time, 0, 0, AVINDEX_KEYFRAME) }
        body(stream)
    }

    @Test("The keyframes before and after a position are found by presentation time")
    func entries() throws {
        try withStream([-80, 1920, 3920]) { stream in
            let index = KeyframeIndex(stream)
            #expect(index.delay == 80)
            #expect(index.entries(around: 2500).map(\.timestamp) == [2000, 4000])
            #expect(index.entry(before: 2500)?.indexed == 1920)
            #expect(index.entries(around: 5000).map(\.timestamp) == [4000])
        }
        try withStream([]) { #expect(KeyframeIndex($0).entries(around: 0).isEmpty) }
    }

    @Test(
        "A nonsensical index finds nothing and does not trap",
        arguments: [Int64.min + 1, Int64.min + 81, -1 << 62, 1 << 62] as [Int64])
    func nonsense(time: Int64) throws {
        for start in [Int64.min, .min + 1, 0, .max] {
            for base in [AVRational(num: 1, den: 1000), AVRational(num: 1, den: .max), AVRational(num: .max, den: 1)] {
                try withStream([time], start: start, base: base) { stream in
                    let index = KeyframeIndex(stream)
                    for place in [MediaTime.zero, .init(nanoseconds: .min), .init(nanoseconds: .max)] {
                        let target = KeyframeIndex.timestamp(place, base)
                        for entry in index.entries(around: target) {
                            #expect(KeyframeIndex.isSane(entry.timestamp, base))
                        }
                    }
                    #expect(index.entries(around: 1000).isEmpty)
                }
            }
        }
    }

    /// A Matroska film that begins at half a second, whose cues are of these times.
    private func film(_ name: String, cues times: [UInt64]) throws -> String {
        let path = try Clips.file(
            "many-keys.mkv",
            ffmpeg: NumberedFrames.source(seconds: 4) + NumberedFrames.h264 + [
                "-g", "5", "-keyint_min", "5", "-output_ts_offset", "0.5",
            ])
        var data = try Clips.bytes(path)
        let mark = Data([0x1C, 0x53, 0xBB, 0x6B])
        // The first is where the seek head names it.
        let cues = try #require(data.range(of: mark, options: .backwards)).lowerBound
        let room = data.count - cues
        func element(_ id: [UInt8], _ payload: [UInt8]) -> [UInt8] {
            id + [0x40 | UInt8(payload.count >> 8), UInt8(payload.count & 0xFF)] + payload
        }
        let points = times.flatMap { time in
            let bytes = withUnsafeBytes(of: time.bigEndian) { Array($0) }
            return element([0xBB], element([0xB3], bytes) + element([0xB7], [0xF7, 0x81, 1, 0xF1, 0x81, 0]))
        }
        let made = element([0x1C, 0x53, 0xBB, 0x6B], points)
        let rest = room - made.count - 3
        try #require(rest > 0)
        data.replaceSubrange(cues..., with: made + element([0xEC], Array(repeating: 0, count: rest)))
        return try Clips.file(name, data: data)
    }

    @Test("A video with absurd index times can be sought, scrubbed and previewed")
    func film() throws {
        silenceFFmpeg()
        // FFmpeg drops an index whose second time is absurd.
        let absurd: [[UInt64]] = [
            [0x8000_0000_0000_0001, 600], [0, 0x7FFF_0000_0000_0000], [0, 1000, 0x4000_0000_0000_0000],
            [0x8000_0000_0000_0001, 0, 0x4000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF],
        ]
        for (number, times) in absurd.enumerated() {
            let path = try film("absurd-\(number).mkv", cues: times)
            let harness = PlaybackHarness(path, options: .paused)
            harness.pauseAtStart()
            for mode in [SeekMode.exact, .fast, .step(from: .zero)] {
                #expect(harness.seek(to: .seconds(2), mode: mode) != nil)
            }
            harness.player.beginScrub(now: harness.now)
            harness.player.scrub(to: .seconds(3), now: harness.now)
            harness.run { harness.player.scrub?.since == nil }
            harness.player.endScrub(now: harness.now)
            #expect(harness.run { harness.player.state == .paused })
            var source = try ThumbnailSource(location: path, isInterrupted: { false })
            for place in [Duration.zero, .seconds(2), .seconds(9)] {
                if source.findKeyframe(near: place) != nil {
                    _ = source.foundKeyframePicture(fitting: PixelSize(width: 80, height: 80))
                }
            }
        }
    }
}
