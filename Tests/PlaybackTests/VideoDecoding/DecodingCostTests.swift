import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeMedia
@testable import GlissadePlayback

/// What frames tell of their own cost.
@MainActor @Suite("Decoding cost", .serialized) struct DecodingCostTests {
    /// The costs of a film's frames in their order, until `count` have come.
    private func costs(_ request: FrameFormat, of path: String? = nil, count: Int = 10) throws -> [DecodingCost] {
        var options = PlayerOptions()
        options.pictures = request
        options.isUntimed = true
        let harness = PlaybackHarness(try path ?? Clips.film(), options: options)
        harness.open()
        harness.run { harness.shown.count >= count || harness.hasEnded }
        return harness.shown.prefix(count).map(\.cost)
    }

    /// Takes five milliseconds of processor time, as a decoder does.
    nonisolated private static func work() {
        let end = HostTime.now() + .milliseconds(5)
        while HostTime.now() < end {}
    }

    @Test("Every frame reports its decoding time, and the sum is positive")
    func decode() throws {
        let costs = try costs(FrameFormat())
        #expect(costs.count == 10)
        #expect(costs.allSatisfy { $0.decode != nil })
        #expect(costs.reduce(Duration.zero) { $0 + ($1.decode ?? .zero) } > .zero)
        #expect(costs.allSatisfy { ($0.decode ?? .zero) >= .zero })
    }

    @Test("Only frames that were converted report preparation time")
    func prepare() throws {
        #expect(try costs(FrameFormat()).allSatisfy { $0.prepare == nil })
        let resolved = try costs(FrameFormat(convertedSize: PixelSize(width: 320, height: 180)))
        #expect(resolved.count == 10)
        #expect(resolved.allSatisfy { $0.prepare != nil })
        #expect(resolved.reduce(Duration.zero) { $0 + ($1.prepare ?? .zero) } > .zero)
    }

    @Test("A frame with a converted sample format reports preparation time")
    func converted() throws {
        let path = try Clips.file(
            "deep-cost.mkv",
            ffmpeg: NumberedFrames.source(seconds: 0.5, first: 1, format: "yuv420p10le") + ["-c:v", "ffv1"])
        let costs = try costs(FrameFormat(acceptsDeepSamples: false), of: path, count: 5)
        #expect(costs.count == 5)
        #expect(costs.allSatisfy { $0.prepare != nil })
    }

    @Test("A decoder's CPU time is that of the threads created while opening it")
    func threads() throws {
        let (opened, threads) = CodecThreads.noting { () -> NamedThread in
            let isBusy = Monitor(true)
            let thread = try! NamedThread(name: "av:test:df0") {
                Self.work()
                isBusy.update { $0 = false }
                // Alive while it is asked: until the test's own end.
                _ = isBusy.wait(until: .now() + .seconds(1)) { $0 ? () : nil }
            }
            _ = isBusy.wait { $0 ? nil : () }
            return thread
        }
        var noted = try #require(threads)
        #expect(noted.cpuTime() > .zero)
        opened.join()
        #expect(noted.cpuTime() == .zero, "what is gone counts no more")
    }

    @Test("Threads with other names created at the same moment are not counted")
    func otherThreads() throws {
        let isOver = Monitor(false)
        let hasWorked = Monitor(false)
        let (other, threads) = CodecThreads.noting { () -> NamedThread in
            try! NamedThread(name: "llvmpipe-0") {
                Self.work()
                hasWorked.update { $0 = true }
                _ = isOver.wait { $0 ? () : nil }
            }
        }
        _ = hasWorked.wait { $0 ? () : nil }
        var noted = try #require(threads)
        #expect(noted.cpuTime() == .zero)
        isOver.update { $0 = true }
        other.join()
    }
}
