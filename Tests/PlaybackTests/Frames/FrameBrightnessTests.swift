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
    @Test("A new brightness applies from the next decoded frame on, and a paused frame is refreshed with it")
    func request() throws {
        let small = PixelSize(width: 40, height: 22)
        var options = PlayerOptions.paused
        options.pictures = FrameFormat(convertedSize: small)
        let harness = PlaybackHarness(try Clips.film(), options: options)
        harness.open()
        harness.pauseAtStart()
        harness.player.setPictureRequest(FrameFormat(convertedSize: small, brightnessOffset: -0.25))
        #expect(harness.run { harness.player.refresh(now: harness.now) })
        #expect(harness.wait { $0.pipeline.frames.head().first != nil })
        guard let frame = harness.player.takeFrame(visibleAt: harness.now) else {
            Issue.record("no frame came")
            return
        }
        #expect(frame.brightnessOffset == -0.25)
        // The first frame is black throughout, and a quarter below it still is.
        #expect(frame.presentationTime == .zero)
        let unresolved = try self.frame(FrameFormat(brightnessOffset: -0.25))
        #expect(unresolved == 0, "planes are as they are")
    }

    @Test("A frame that kept its source planes is converted again for another brightness without loss")
    func again() throws {
        let size = PixelSize(width: 160, height: 90)
        func bytes(_ picture: PixelView) -> [UInt8] {
            [UInt8](UnsafeRawBufferPointer(start: picture[plane: 0].base, count: size.width * size.height * 4))
        }
        var results: [[UInt8]] = []
        for brightnessOffset in [0.5, -0.2] {
            var options = PlayerOptions.paused
            options.pictures = FrameFormat(convertedSize: size, retainsSource: true, brightnessOffset: brightnessOffset)
            let harness = PlaybackHarness(try Clips.film(), options: options)
            harness.open()
            #expect(harness.wait { $0.pipeline.frames.head().first != nil })
            guard let frame = harness.player.takeFrame(visibleAt: harness.now) else {
                Issue.record("no frame came")
                return
            }
            var resolver = FrameRescaler()
            results.append(resolver.withPicture(of: frame, size: size, brightnessOffset: 0.1) { bytes($0) } ?? [])
        }
        #expect(!results[0].isEmpty && results[0] == results[1])
    }

    private func frame(_ request: FrameFormat) throws -> Double? {
        var options = PlayerOptions.paused
        options.pictures = request
        let harness = PlaybackHarness(try Clips.film(), options: options)
        harness.open()
        #expect(harness.wait { $0.pipeline.frames.head().first != nil })
        return harness.player.takeFrame(visibleAt: harness.now)?.brightnessOffset
    }
}
