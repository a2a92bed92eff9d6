import GlissadeGeometry
import GlissadeLayers
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeApp

@Suite("Player page with audio only") @MainActor struct AudioPageTests {
    @Test("Audio without a cover shows an icon, its title and its length")
    func sign() throws {
        let scene = try Scene()
        let program = try SteppedProgram(playing: try scene.addAudio("song.wav", seconds: 61))
        try program.run("the title") { $0.texts.contains("song.wav") }
        #expect(program.icons.contains(.music))
        #expect(program.texts.contains("1:01"))
    }

    @Test("A song shows its artist, its album and the cover in its folder")
    func song() throws {
        let scene = try Scene()
        try scene.add(Films.song(), as: "song.flac")
        try scene.add(Films.picture(), as: "Folder.PNG")
        let playing = try SteppedProgram(playing: scene.path + "/song.flac")
        try playing.run("the details") { $0.texts.contains("Somebody – Collected songs · 0:02") }
        try playing.run("the cover") { program in
            program.draw()
            return program.list.items.contains {
                if case .image(let placement) = $0, case .image = placement.source { true } else { false }
            }
        }
        #expect(!playing.icons.contains(.music))
        #expect(playing.texts.contains("One song"))
        #expect(playing.application.playing?.cover.found?.path?.displayName == "Folder.PNG")
    }

    @Test("Images are cover art by their names, the best first")
    func covers() throws {
        let scene = try Scene()
        for name in ["front.jpg", "Cover.PNG", "album.webp", "holiday.jpg", "cover.txt", "folder.jpeg"] {
            try scene.write("", to: name)
        }
        #expect(
            CoverArt.images(in: BytePath(scene.path)).map(\.displayName) == [
                "Cover.PNG", "folder.jpeg", "front.jpg", "album.webp",
            ])
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
