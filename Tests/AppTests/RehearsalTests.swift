import Motion
import Playback
import Testing

@testable import App
@testable import Rendering

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
