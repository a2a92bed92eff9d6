import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

/// Frames that were brought to the size at which they are to be seen, and what becomes of them when that changes.
@MainActor @Suite("Converted frames", .serialized) struct ConvertedFrameTests {
    private static let small = PixelSize(width: 40, height: 22)
    private static let large = PixelSize(width: 160, height: 90)

    /// A film's first frame, as `request` wants it.
    private func frame(_ request: FrameFormat, of path: String? = nil) throws -> VideoFrame? {
        var options = PlayerOptions.paused
        options.pictures = request
        let harness = PlaybackHarness(try path ?? Clips.film(), options: options)
        harness.open()
        #expect(harness.wait { $0.pipeline.frames.head().first != nil })
        return harness.player.takeFrame(visibleAt: harness.now)
    }

    /// All bytes of a BGRA picture.
    private func bytes(_ picture: PixelView) -> [UInt8] {
        let plane = picture[plane: 0]
        return [UInt8](UnsafeRawBufferPointer(start: plane.base, count: plane.stride * picture.format.size.height))
    }

    @Test("A converted frame keeps its source planes, and counts their memory, only if asked to")
    func keptPlanes() throws {
        var facts: [(isConverted: Bool, hasPlanes: Bool, size: PixelSize, planes: PixelSize?, bytes: Int)] = []
        for (size, retainsSource) in [(nil, true), (Self.small, false), (Self.small, true)] {
            let frame = try frame(FrameFormat(convertedSize: size, retainsSource: retainsSource))
            guard let frame else {
                Issue.record("no frame came")
                return
            }
            #expect(frame.codedSize == Self.large)
            let seen = frame.withPicture { $0.format }
            #expect(seen == frame.format)
            facts.append(
                (frame.isConverted, frame.hasPlanes, seen.size, frame.withPlanes { $0.format.size }, frame.byteCount))
        }
        #expect(facts.map(\.isConverted) == [false, true, true])
        #expect(facts.map(\.hasPlanes) == [true, false, true])
        #expect(facts.map(\.size) == [Self.large, Self.small, Self.small])
        #expect(facts.map(\.planes) == [Self.large, nil, Self.large])
        #expect(facts[1].bytes == Self.small.width * Self.small.height * 4)
        #expect(facts[2].bytes == facts[0].bytes + facts[1].bytes)
    }

    @Test(
        "A frame converted small is as sharp at another size as one made for it, if it kept its planes")
    func anotherSize() throws {
        let kept = try frame(FrameFormat(convertedSize: Self.small, retainsSource: true))
        let direct = try frame(FrameFormat(convertedSize: Self.large))
        let resolved = try frame(FrameFormat(convertedSize: Self.small))
        let planes = try frame(FrameFormat())
        guard let kept, let direct, let resolved, let planes else {
            Issue.record("no frame came")
            return
        }
        var rescaler = FrameRescaler()
        let size = Self.large
        let again = rescaler.withPicture(of: kept, size: size) { ($0.format, bytes($0)) }
        #expect(again?.0 == direct.format)
        #expect(again?.1 == direct.withPicture { bytes($0) })
        #expect(kept.withPicture { $0.format.size } == Self.small)
        // What let its planes go has nothing to be sharp with.
        #expect(rescaler.withPicture(of: resolved, size: size) { _ in true } == nil)
        #expect(rescaler.withPicture(of: kept, size: PixelSize(width: 0, height: 0)) { _ in true } == nil)
        // But with something to be scaled from; and what was never resolved has not even that.
        let scaled = rescaler.withScaledPicture(of: resolved, size: size) { picture in
            (picture.format, NumberedFrames.number(in: picture))
        }
        #expect(scaled?.0 == direct.format)
        #expect(scaled?.1 == direct.withPicture { NumberedFrames.number(in: $0) })
        #expect(
            rescaler.withScaledPicture(of: resolved, size: Self.small) { bytes($0) }
                == resolved.withPicture { bytes($0) })
        #expect(rescaler.withScaledPicture(of: planes, size: size) { _ in true } == nil)
        #expect(rescaler.withScaledPicture(of: resolved, size: PixelSize(width: -1, height: 3)) { _ in true } == nil)
    }

    @Test("Buffers of former sizes are kept as long as they may be needed again soon")
    func memory() throws {
        guard let frame = try frame(FrameFormat(convertedSize: Self.small, retainsSource: true)) else {
            Issue.record("no frame came")
            return
        }
        var rescaler = FrameRescaler()
        var places: Set<UnsafeRawPointer> = []
        for size in [Self.small, Self.large, Self.small] {
            let place = rescaler.withPicture(of: frame, size: size, capacity: Self.large) { $0[plane: 0].base }
            if let place { places.insert(place) }
        }
        #expect(places.count == 1)
        for _ in 0..<2 {
            for _ in 0..<299 { rescaler.wasNotNeeded() }
            let isKept = rescaler.keepsMemory
            #expect(isKept)
            // Now it is needed.
            let isMade = rescaler.withScaledPicture(of: frame, size: Self.large) { _ in true }
            #expect(isMade == true)
        }
        for _ in 0..<300 { rescaler.wasNotNeeded() }
        let isKept = rescaler.keepsMemory
        #expect(!isKept)
        let again = rescaler.withPicture(of: frame, size: Self.small) { bytes($0) }
        #expect(again == frame.withPicture { bytes($0) })
    }

    /// One block of memory, handed out as often as it is asked for.
    private final class Block: FrameAllocator, @unchecked Sendable {
        // @unchecked: used on one thread.
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 160 * 90 * 4, alignment: 64)
        private(set) var returned = 0
        deinit { memory.deallocate() }
        func take(_ size: PixelSize) -> UnsafeMutableRawPointer? { memory }
        func giveBack(_ memory: UnsafeMutableRawPointer) { returned += 1 }
    }

    @Test("A frame is made in memory that is provided for it, which is let go afterwards")
    func provided() throws {
        guard let frame = try frame(FrameFormat(convertedSize: Self.small, retainsSource: true)) else {
            Issue.record("no frame came")
            return
        }
        var rescaler = FrameRescaler()
        weak var last: Block?
        do {
            let block = Block()
            last = block
            for _ in 0..<3 {
                let place = rescaler.withPicture(of: frame, size: Self.large, memory: block) { $0[plane: 0].base }
                #expect(place == UnsafeRawPointer(block.memory))
                let scaled = rescaler.withScaledPicture(of: frame, size: Self.large, memory: block) {
                    $0[plane: 0].base
                }
                #expect(scaled == UnsafeRawPointer(block.memory))
            }
            #expect(block.returned == 6)
        }
        #expect(last == nil)
        let own = rescaler.withPicture(of: frame, size: Self.large) { $0[plane: 0].base }
        #expect(own != nil)
    }

    @Test("Samples of more than 8 bits are converted directly, even if they could not be drawn")
    func deep() throws {
        let path = try Clips.file(
            "deep-resolved.mkv",
            ffmpeg: NumberedFrames.source(seconds: 0.2, first: 9, format: "yuv420p10le") + ["-c:v", "ffv1"])
        for resolvedSize in [nil, Self.small] {
            let request = FrameFormat(acceptsDeepSamples: false, convertedSize: resolvedSize, retainsSource: true)
            guard let frame = try frame(request, of: path) else {
                Issue.record("no frame came")
                return
            }
            #expect(frame.isConverted == (resolvedSize != nil))
            #expect(frame.withPlanes { $0.format.bitDepth } == (resolvedSize == nil ? 8 : 10))
            #expect(frame.withPicture { NumberedFrames.number(in: $0) } == 9)
        }
    }

    @Test("Refreshing tells whether the current frame will be delivered again")
    func refresh() throws {
        let harness = PlaybackHarness(try Clips.film(), options: .paused)
        let player = harness.player
        #expect(!player.refresh(now: harness.now))
        harness.open()
        #expect(!player.refresh(now: harness.now), "no frame is on show yet")
        harness.pauseAtStart()
        harness.seek(to: .milliseconds(1000))
        #expect(harness.run { player.refresh(now: harness.now) })
        #expect(!player.refresh(now: harness.now), "one is under way")
        player.setFrameFormat(FrameFormat(convertedSize: Self.small))
        #expect(harness.nextFrame()?.number == 25)
        #expect(harness.run { player.refresh(now: harness.now) })
        let shown = try #require(harness.nextFrame())
        #expect(shown.number == 25 && shown.format.size == Self.small)
        player.play(now: harness.now)
        harness.run { player.isRunning }
        #expect(!player.refresh(now: harness.now), "frames come by themselves")
        #expect(harness.runToEnd())
        #expect(!player.refresh(now: harness.now), "it has ended")
    }
}
