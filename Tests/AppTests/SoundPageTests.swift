import Motion
import Stage
import Testing

@testable import App

@Suite("The player's page of a media that is heard") @MainActor struct SoundPageTests {
    @Test("sound without a cover shows a sign, its title and its length")
    func sign() throws {
        let scene = try Scene()
        let program = try SteppedProgram(playing: try scene.addSound("song.wav", seconds: 61))
        try program.run("the title") { $0.texts.contains("song.wav") }
        #expect(program.icons.contains(.music))
        #expect(program.texts.contains("1:01"))
    }

    @Test("a film shows neither")
    func film() throws {
        let program = try SteppedProgram(playing: SteppedProgram.sample)
        try program.run("a picture") { program in
            program.list.items.contains { if case .surface = $0 { true } else { false } }
        }
        #expect(program.texts.isEmpty)
        #expect(program.icons.isEmpty)
    }

    @Test("the card stays within its page, however small", arguments: [(640, 480), (320, 240), (160, 90), (1, 1)])
    func small(width: Int, height: Int) throws {
        let scene = try Scene()
        let program = try SteppedProgram(
            size: PixelSize(width: width, height: height), playing: try scene.addSound("song.wav"))
        try program.run("that it is open") { $0.application.playing?.player.info != nil }
        program.draw()
        for case .image(let placement) in program.list.items {
            #expect(placement.destination.width >= 0 && placement.destination.height >= 0)
        }
    }
}
