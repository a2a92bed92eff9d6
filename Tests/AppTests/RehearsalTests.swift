import Host
import Motion
import Playback
import Testing

@testable import App
@testable import Rendering
import Windowing

/// What the way to fullscreen takes is there before the way begins, where the CPU draws.
@MainActor struct RehearsalTests {
    private let size = PixelSize(width: 640, height: 360)

    @Test("once rehearsed, the film's texture has room for the screen, and is drawn as it was")
    func room() throws {
        let program = try SteppedProgram(size: size, playing: SteppedProgram.sample)
        try program.run("the first frame") { $0.filmTime != nil }
        let video = try #require(program.application.playing?.video)
        guard program.device.isSoftware, program.device.hasBGRA else { return }
        let own = video.texture.storageSize
        // A screen that is no larger in one way takes nothing.
        for screen in [Size(width: 320, height: 180), Size(width: 640, height: 900), .zero] {
            video.rehearse(for: screen)
            try program.run("the end") { _ in !video.isRehearsing }
            #expect(video.texture.storageSize == own)
        }
        video.rehearse(for: Size(width: 1280, height: 1000))
        video.endRehearsal()
        try goOn(program)
        #expect(video.texture.storageSize == own)
        video.rehearse(for: Size(width: 1280, height: 1000))
        #expect(video.isRehearsing && video.texture.storageSize == own, "with the next pictures")
        try program.run("the room") { _ in video.texture.storageSize != own }
        #expect(video.texture.storageSize == PixelSize(width: 1280, height: 720))
        try program.run("the end") { _ in !video.isRehearsing }
        program.draw()
        let film = program.list.surfacesExtent
        #expect(film == PixelRect(size: size))
        #expect(try program.brightest(in: Rect(x: 0, y: 0, width: 640, height: 360)) > 100)
    }

    @Test("a hand comes in a frame's time in which nothing was made ready, and nothing is once it has waited for long")
    func quietFrame() throws {
        let surface = try OffscreenSurface(size: PixelSize(width: 16, height: 16))
        let compositor = Compositor(device: try GLDevice())
        // A time to come, so that however slow the machine is, it has not passed.
        let began = HostTime.now() + .seconds(1000)
        var preparation = Preparation()
        preparation.handWaits(now: began)
        preparation.warmUp(compositor, nextFrameDue: nil, isHandWaiting: true)
        let late = began + .milliseconds(151)
        #expect(!preparation.admitsHand(hasPage: false, now: late))
        #expect(preparation.admitsHand(hasPage: false, now: began + .milliseconds(301)), "where no frame comes")
        preparation.frameShown()
        #expect(preparation.admitsHand(hasPage: false, now: late))
        var tired = Preparation()
        tired.handWaits(now: HostTime(nanoseconds: 1))
        tired.warmUp(compositor, nextFrameDue: nil, isHandWaiting: true)
        #expect(tired.admitsHand(hasPage: false, now: .now()))
        tired.warmUp(compositor, nextFrameDue: nil, isHandWaiting: false)
        #expect(tired.isWarmingUp)
        withExtendedLifetime(surface) {}
    }

    /// Three more frames.
    private func goOn(_ program: SteppedProgram) throws {
        for _ in 0..<3 {
            let before = program.filmTime
            try program.run("another frame") { $0.filmTime != before }
        }
    }
}

extension SteppedProgram {
    fileprivate var filmTime: MediaTime? { application.playing?.video.shownTime }
}
