import GlissadeFilm
import GlissadeGeometry
import GlissadePicture
import Testing

@testable import GlissadeApp

/// The brightness of what plays.
@Suite("Brightness on the player page")
@MainActor struct BrightnessOnPageTests {
    private let middle = Rect(x: 0, y: 0, width: 640, height: 360)

    @Test("A paused frame shows a new brightness with the next draw and is then converted with it")
    func paused() throws {
        let program = try SteppedProgram(
            size: PixelSize(width: 640, height: 360), playing: SteppedProgram.sample, isPaused: true)
        try program.run("the first frame") { $0.screen?.content != Optional.none && $0.screen?.shownTime != nil }
        let screen = try #require(program.screen)
        screen.adjustments.brightness = Brightness(1)
        // What is drawn is the frame that was there, lifted.
        #expect(abs(screen.texture.brightnessOffset - 0.5) < 1e-9)
        program.draw()
        #expect(try program.brightest(in: middle) >= 127)
        // It is decoded again, with the brightness in it, and copied as before.
        try program.run("the brighter frame") { $0.screen?.texture.brightnessOffset == 0 }
        #expect(try program.brightest(in: middle) >= 127)
        screen.adjustments.brightness = .unchanged
        #expect(abs(screen.texture.brightnessOffset + 0.5) < 1e-9)
        try program.run("the frame as it was") { $0.screen?.texture.brightnessOffset == 0 }
    }

    @Test("A playing video has the new brightness after the few frames that were converted before")
    func playing() throws {
        let program = try SteppedProgram(
            size: PixelSize(width: 640, height: 360), playing: SteppedProgram.sample)
        try program.run("the first frame") { $0.screen?.shownTime != nil }
        let screen = try #require(program.screen)
        screen.adjustments.brightness = Brightness(0.8)
        try program.run("a brighter frame") { $0.screen?.texture.brightnessOffset == 0 }
        #expect(program.application.playing?.player.isPaused == false)
        #expect(try program.brightest(in: middle) >= 102)
    }

    @Test("The next video of a playlist keeps the brightness")
    func handedOn() throws {
        let program = try SteppedProgram(
            size: PixelSize(width: 640, height: 360), playing: SteppedProgram.sample, isPaused: true)
        try program.run("the first frame") { $0.screen?.shownTime != nil }
        let playing = try #require(program.application.playing)
        playing.film.adjustments.brightness = Brightness(-0.5)
        playing.play(Playlist([SteppedProgram.sample]), keepsPicture: true)
        #expect(playing.film.adjustments.brightness == Brightness(-0.5))
    }
}

extension SteppedProgram {
    fileprivate var screen: FilmScreen? { application.playing?.film }
}
