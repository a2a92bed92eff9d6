import Geometry
import Layers
import Testing
import Time

@testable import App

@Suite("Player page with audio only") @MainActor struct AudioPageTests {
    @Test("Audio without a cover shows an icon, its title and its length")
    func sign() throws {
        let scene = try Scene()
        let program = try SteppedProgram(playing: try scene.addAudio("song.wav", seconds: 61))
        try program.run("the title") { $0.texts.contains("song.wav") }
        #expect(program.icons.contains(.music))
        #expect(program.texts.contains("1:01"))
    }

    @Test("A video shows neither the audio icon nor a title")
    func film() throws {
        let program = try SteppedProgram(playing: SteppedProgram.sample)
        try program.run("a picture") { program in
            program.list.items.contains { if case .surface = $0 { true } else { false } }
        }
        #expect(program.texts.isEmpty)
        #expect(program.icons.isEmpty)
    }

    @Test("Media that cannot be played are named along with the reason")
    func failure() throws {
        let scene = try Scene()
        let path = try scene.addNoise("broken.mkv")
        let program = try SteppedProgram(folder: scene.path)
        try program.run("the row") { $0.texts.contains("broken.mkv") }
        try program.click("broken.mkv")
        try program.run("the reason") { $0.texts.contains { $0.hasPrefix("Cannot play this file: ") } }
        try program.settle()
        program.draw()
        #expect(program.icons.contains(.broken))
        #expect(!program.application.isFinished)
        #expect(program.application.playing?.location == path)
    }

    @Test(
        "The audio placeholder stays within its page, however small the page is",
        arguments: [(640, 480), (320, 240), (160, 90), (1, 1)])
    func small(width: Int, height: Int) throws {
        let scene = try Scene()
        let program = try SteppedProgram(
            size: PixelSize(width: width, height: height), playing: try scene.addAudio("song.wav"))
        try program.run("that it is open") { $0.application.playing?.player.info != nil }
        program.draw()
        for case .image(let placement) in program.list.items {
            #expect(placement.destination.width >= 0 && placement.destination.height >= 0)
        }
    }
}
