import GlissadeGeometry
import GlissadePicture
import GlissadePlayback
import GlissadeRendering
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadeFilm

/// How frames come to the size at which they are seen.
@MainActor @Suite("Frame fitter") struct FrameFitterTests {
    private typealias Source = FrameFitter.Source
    private typealias Way = FrameFitter.Way

    private static let small = PixelSize(width: 40, height: 22)
    private static let large = PixelSize(width: 120, height: 68)
    private static let brighter = PictureAdjustments(brightness: Brightness(0.5))
    private static let goal = FrameFitter.Goal(size: large, adjustments: brighter)

    private func way(
        _ size: PixelSize, isConverted: Bool, hasPlanes: Bool, _ adjustments: PictureAdjustments = .none,
        converts: Bool = true
    ) -> Way {
        FrameFitter.way(
            of: Source(size: size, isConverted: isConverted, hasPlanes: hasPlanes, adjustments: adjustments),
            to: Self.goal, converts: converts)
    }

    @Test("A renderer that draws planes gets every frame as it is")
    func planes() {
        for (isConverted, hasPlanes) in [(false, true), (true, true), (true, false)] {
            for size in [Self.small, Self.large] {
                #expect(way(size, isConverted: isConverted, hasPlanes: hasPlanes, converts: false) == .exact)
            }
        }
    }

    @Test("A frame that was converted for the size and the adjustments is shown as it is, with or without its planes")
    func exact() {
        for hasPlanes in [false, true] {
            #expect(way(Self.large, isConverted: true, hasPlanes: hasPlanes, Self.brighter) == .exact)
        }
    }

    @Test("A frame that has its planes is converted from them for another size or adjustments, and if it never was")
    func convert() {
        #expect(way(Self.small, isConverted: true, hasPlanes: true, Self.brighter) == .convert)
        #expect(way(Self.large, isConverted: true, hasPlanes: true) == .convert)
        #expect(way(Self.small, isConverted: false, hasPlanes: true) == .convert)
        #expect(way(Self.large, isConverted: false, hasPlanes: true) == .convert)
    }

    @Test("A frame without its planes is rescaled for another size, and only brightened when it is drawn for the same")
    func rescale() {
        #expect(way(Self.small, isConverted: true, hasPlanes: false, Self.brighter) == .rescale)
        #expect(way(Self.small, isConverted: true, hasPlanes: false) == .rescale)
        #expect(way(Self.large, isConverted: true, hasPlanes: false) == .exact)
    }

    @Test("Planes that cannot be converted are uploaded as they are")
    func hopeless() {
        #expect(way(Self.large, isConverted: false, hasPlanes: false) == .exact)
    }

    /// What became of the first frame of a film, made as `format` says and fitted to `goal`, and the target it is in.
    private func fit(
        _ format: FrameFormat, to goal: FrameFitter.Goal, converts: Bool = true, times: Int = 1
    ) throws -> (FrameFitter.Fitted, SoftwareSurface)? {
        var options = PlayerOptions()
        options.audio = .none
        options.isPaused = true
        options.pictures = format
        let player = Player(location: try Clips.film(), options: options, wake: {}, report: { _ in })
        defer { player.retire() }
        var frame: VideoFrame?
        let hasCome = eventually {
            player.advance(to: .now())
            frame = player.takeFrame(visibleAt: .now())
            return frame != nil
        }
        #expect(hasCome)
        let target = SoftwareSurface()
        var fitter = FrameFitter(converts: converts)
        guard let frame else { return nil }
        #expect(frame.number == 1)
        return (fitter.fit(frame, for: goal, into: target), target)
    }

    @Test("Each way ends with the frame in the target, at the size that the way leaves it")
    func results() throws {
        let same = try #require(
            try fit(FrameFormat(convertedSize: Self.large, adjustments: Self.brighter), to: Self.goal))
        #expect(same.0.isSharp && same.0.conversion == nil && same.0.convertedSize == Self.large)
        #expect(same.0.adjustments == Self.brighter && same.1.format?.size == Self.large)

        let converted = try #require(
            try fit(FrameFormat(convertedSize: Self.small, retainsSource: true), to: Self.goal))
        #expect(converted.0.isSharp && converted.0.conversion != nil && converted.0.convertedSize == Self.large)
        #expect(converted.0.adjustments == Self.brighter && converted.1.format?.size == Self.large)
        #expect(converted.1.readPixels() == same.1.readPixels())

        // It is to be decoded again: it was made for another size, without the adjustments.
        let rescaled = try #require(try fit(FrameFormat(convertedSize: Self.small), to: Self.goal))
        #expect(!rescaled.0.isSharp && rescaled.0.conversion != nil && rescaled.0.convertedSize == Self.small)
        #expect(rescaled.0.adjustments == PictureAdjustments.none && rescaled.1.format?.size == Self.large)

        let dark = try #require(try fit(FrameFormat(convertedSize: Self.large), to: Self.goal))
        #expect(dark.0.isSharp && dark.0.conversion == nil && dark.0.adjustments == PictureAdjustments.none)
        #expect(dark.0.error == nil && dark.1.format?.size == Self.large)
    }

    @Test("A target that refuses a frame keeps the one before, and the refusal is told")
    func refused() throws {
        // A software surface takes no planes.
        let planes = try #require(try fit(FrameFormat(), to: Self.goal, converts: false))
        #expect(planes.0.error != nil && planes.0.convertedSize == nil && !planes.1.hasPicture)
    }
}
