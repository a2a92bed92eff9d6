import Foundation
import GlissadeGeometry
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadePlayback

/// Pictures that the CPU makes brighter or darker as it resolves them.
@MainActor @Suite("Brightness of converted frames", .serialized) struct FrameBrightnessTests {
    /// A quarter below what the file says.
    private static let darker = PictureAdjustments(brightness: Brightness(-0.5))

    @Test("A new brightness applies from the next decoded frame on, and a paused frame is refreshed with it")
    func request() throws {
        let small = PixelSize(width: 40, height: 22)
        var options = PlayerOptions.paused
        options.pictures = FrameFormat(convertedSize: small)
        let harness = PlaybackHarness(try Clips.film(), options: options)
        harness.open()
        harness.pauseAtStart()
        harness.player.setFrameFormat(FrameFormat(convertedSize: small, adjustments: Self.darker))
        #expect(harness.run { harness.player.refresh(now: harness.now) })
        #expect(harness.wait { $0.pipeline.frames.head().first != nil })
        guard let frame = harness.player.takeFrame(visibleAt: harness.now) else {
            Issue.record("no frame came")
            return
        }
        #expect(frame.adjustments == Self.darker)
        // The first frame is black throughout, and a quarter below it still is.
        #expect(frame.presentationTime == .zero)
        let unconverted = try self.frame(FrameFormat(adjustments: Self.darker))
        #expect(unconverted == PictureAdjustments.none, "planes are as they are")
    }

    @Test("A frame that kept its source planes is converted again for another brightness without loss")
    func again() throws {
        let size = PixelSize(width: 160, height: 90)
        func bytes(_ picture: PixelView) -> [UInt8] {
            [UInt8](UnsafeRawBufferPointer(start: picture[plane: 0].base, count: size.width * size.height * 4))
        }
        var results: [[UInt8]] = []
        for brightness in [1, -0.4] {
            var options = PlayerOptions.paused
            options.pictures = FrameFormat(
                convertedSize: size, retainsSource: true,
                adjustments: PictureAdjustments(brightness: Brightness(brightness)))
            let harness = PlaybackHarness(try Clips.film(), options: options)
            harness.open()
            #expect(harness.wait { $0.pipeline.frames.head().first != nil })
            guard let frame = harness.player.takeFrame(visibleAt: harness.now) else {
                Issue.record("no frame came")
                return
            }
            var rescaler = FrameRescaler()
            let wanted = PictureAdjustments(brightness: Brightness(0.2))
            results.append(rescaler.withPicture(of: frame, size: size, adjustments: wanted) { bytes($0) } ?? [])
        }
        #expect(!results[0].isEmpty && results[0] == results[1])
    }

    private func frame(_ request: FrameFormat) throws -> PictureAdjustments? {
        var options = PlayerOptions.paused
        options.pictures = request
        let harness = PlaybackHarness(try Clips.film(), options: options)
        harness.open()
        #expect(harness.wait { $0.pipeline.frames.head().first != nil })
        return harness.player.takeFrame(visibleAt: harness.now)?.adjustments
    }
}
