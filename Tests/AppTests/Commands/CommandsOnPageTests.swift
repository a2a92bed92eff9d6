import GlissadeControls
import Foundation
import GlissadeGestures
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// What keys do to what plays.
@Suite("Commands on the player page")
@MainActor struct CommandsOnPageTests {
    @Test("The ? key lists all keys, including those from the settings, and ? or Escape closes the list")
    func keyList() throws {
        let scene = try Scene()
        let settings = try scene.write("[keys]\n\"F5\" = \"seek 42\"\n\"m\" = \"none\"\n", to: "config.toml")
        let program = try SteppedProgram.film(settings: settings)
        try program.run("the settings") { !$0.application.settings.keys.isEmpty }
        program.type("?")
        try program.settle()
        try program.run("the list") { $0.texts.contains("SPACE, p, PLAYPAUSE") }
        program.press(.end)
        try program.run("the last of it") { $0.texts.contains("F5") && $0.texts.contains("Seek forward 42 s") }
        #expect(program.application.state.settings.keyMap.sections.flatMap(\.lines).contains { $0.label == "MUTE" })
        program.type("?")
        try program.settle()
        #expect(program.application.stack.top === (try program.page))
        program.type("?")
        try program.settle()
        #expect(program.application.stack.pages.count == 3)
        program.press(.escape)
        try program.settle()
        #expect(program.application.stack.top === (try program.page))
    }

    @Test("Alt+Home goes back to the library at once, and the video continues in the mini player")
    func library() throws {
        let program = try SteppedProgram.film(isPaused: false)
        program.press(.right, .alt)
        try program.settle()
        #expect(program.application.stack.pages.count == 3)
        let player = try program.player
        program.press(.home, .alt)
        try program.settle()
        #expect(program.application.stack.pages.count == 1 && program.application.stack.top is LibraryPage)
        #expect(program.application.playing?.player === player && !player.isPaused)
        try program.run("the mini player") { $0.application.miniPlayers.count == 1 }
        #expect(program.application.fullscreen.state == .inline)
        program.type("f")
        try program.run("fullscreen") { $0.application.fullscreen.state == .fullscreen }
        program.press(.home, .alt)
        program.pass(.milliseconds(20))
        #expect(program.application.fullscreen.state == .moving, "the video shrinks")
        try program.run("the mini player again") { $0.application.fullscreen.state == .inline }
        #expect(program.application.stack.pages.count == 1 && program.application.miniPlayers.count == 1)
    }

    @Test("The i key shows and hides the statistics")
    func statistics() throws {
        let program = try SteppedProgram.film()
        program.type("i")
        try program.run("the figures") { $0.texts.contains("app-everything.mkv") && $0.texts.contains("Queues") }
        program.type("i")
        try program.run("no figures") { !$0.texts.contains("Queues") }
    }

    @Test("The s key saves a screenshot in the pictures folder and says where")
    func screenshot() throws {
        let scene = try Scene()
        let before = ["HOME", "XDG_CONFIG_HOME"].map { ($0, ProcessInfo.processInfo.environment[$0]) }
        setenv("HOME", scene.path, 1)
        setenv("XDG_CONFIG_HOME", scene.path, 1)
        defer {
            for (name, value) in before {
                if let value { setenv(name, value, 1) } else { unsetenv(name) }
            }
        }
        let program = try SteppedProgram.film(Films.plain())
        program.type("s")
        try program.expectToast("Saved ")
        let names = try FileManager.default.contentsOfDirectory(atPath: scene.path + "/Pictures")
        #expect(names.count == 1 && names.first?.hasSuffix(".png") == true)
        #expect(program.told == names.first.map { "Saved \($0)" })
    }

    @Test("The s key says so when there is no frame to save")
    func noPicture() throws {
        let scene = try Scene()
        let program = try SteppedProgram(playing: try scene.addAudio("song.wav", seconds: 60), isPaused: true)
        try program.run("it is open") { $0.texts.contains("song.wav") }
        program.type("s")
        #expect(program.told == "No frame to save")
    }

    @Test("The l key sets A, then B, then clears the A–B loop, and a B before A is refused")
    func loopRange() throws {
        let program = try SteppedProgram.film()
        let player = try program.player
        player.seek(to: .seconds(10), now: program.now)
        program.type("l")
        #expect(program.told == "A–B loop: start 0:10")
        #expect(player.loopRange?.start == .seconds(10) && player.loopRange?.end == nil)
        player.seek(to: .seconds(20), now: program.now)
        program.type("l")
        #expect(program.told == "A–B loop: end 0:20")
        #expect(player.loopRange?.end == .seconds(20))
        program.type("l")
        #expect(program.told == "A–B loop: off")
        #expect(player.loopRange == nil)
        program.type("l")
        player.seek(to: .seconds(5), now: program.now)
        program.type("l")
        #expect(player.loopRange == nil && program.told == "A–B loop: off")
    }

    @Test("The L key toggles looping the file")
    func fileLoop() throws {
        let program = try SteppedProgram.film()
        program.type("L")
        #expect(try program.player.isLooping && program.told == "Loop file: on")
        program.type("L")
        #expect(try !program.player.isLooping && program.told == "Loop file: off")
    }

    @Test("Speed keys stay within 0.1 and 8, undo each other exactly, and Backspace resets the speed to 1")
    func speed() throws {
        let program = try SteppedProgram.film()
        let player = try program.player
        program.type("]")
        #expect(player.speed == 1.1 && program.told == "1.1×")
        program.type("[")
        #expect(player.speed == 1)
        for _ in 1...30 { program.type("}") }
        #expect(player.speed == 8 && program.told == "8×")
        for _ in 1...30 { program.type("{") }
        #expect(player.speed == 0.1 && program.told == "0.1×")
        program.type("[")
        #expect(player.speed == 0.1)
        program.press(.backspace)
        #expect(player.speed == 1 && program.told == "1×")
    }

    @Test("Home seeks to the beginning, End to the end, and chapter keys show the chapter's name")
    func places() throws {
        let program = try SteppedProgram.film()
        program.press(.pageUp)
        let position = try program.position
        #expect(position == .seconds(40))
        #expect(program.told == "Day")
        program.press(.pageDown)
        try program.expectToast("Night")
        #expect(try program.position < .seconds(40))
        program.press(.right, .shift)
        program.press(.home)
        #expect(try program.isAt(0))
        program.press(.end)
        #expect(try program.position >= .seconds(59))
    }

    @Test("A seek shows the new position unless the progress bar already does")
    func seek() throws {
        let program = try SteppedProgram.film()
        program.press(.right, .shift)
        #expect(program.told == "0:01 / 1:00")
        try program.showControls()
        program.pass(.seconds(2))
        program.press(.right, .shift)
        #expect(program.told != "0:02 / 1:00")
        #expect(try program.isAt(2))
    }

    @Test("Stop ends playback and leaves the player page")
    func stop() throws {
        let program = try SteppedProgram.film()
        try program.showControls()
        program.move(to: try program.place(onBar: 0.5))
        program.press(.media(.stop))
        #expect(program.application.playing == nil && program.application.playerPage == nil)
        program.draw()
        #expect(
            program.application.stack.pages.count == 1 && program.application.playbackControllers.previews.store == nil)
        program.press(.space)
        program.pass(.seconds(1))
        #expect(!program.application.isFinished)
    }

    @Test("A video without chapters says so")
    func noChapters() throws {
        let program = try SteppedProgram.film(Films.plain())
        program.press(.pageUp)
        #expect(program.told == "No chapters")
    }

    @Test("Volume keys stay within 0 and 130 %, and raising the volume unmutes")
    func volume() throws {
        let program = try SteppedProgram.film()
        let player = try program.player
        for _ in 1...40 { program.type("0") }
        #expect(player.volume == 1.3 && program.told == "130 %")
        program.type("m")
        #expect(player.isMuted && program.told == "0 %")
        program.type("9")
        #expect(player.isMuted && player.volume == 1.28)
        program.type("0")
        #expect(!player.isMuted && player.volume == 1.3)
        for _ in 1...90 { program.type("9") }
        #expect(player.volume == 0)
    }

    @Test("The # key cycles through the audio tracks")
    func audioTracks() throws {
        let program = try SteppedProgram.film()
        let first = try program.player.selectedAudioTrack
        program.type("#")
        #expect(program.told == "Finnish")
        program.type("#")
        #expect(program.told == "English")
        #expect(try program.player.selectedAudioTrack == first)
    }

    @Test("No key does harm while a video opens, without one, or after one failed")
    func anywhere() throws {
        let scene = try Scene()
        let programs = [
            try SteppedProgram(playing: Films.plain(), isPaused: true), try SteppedProgram(folder: scene.path),
            try SteppedProgram(folder: scene.path),
        ]
        programs[2].drop([try scene.addNoise("noise.mkv")])
        try programs[2].run("the reason") { $0.texts.contains { $0.hasPrefix("Cannot play this file: ") } }
        for program in programs {
            for binding in KeyMap.defaults where ![.quit, .leave, .back, .screenshot].contains(binding.command) {
                program.press(binding.chord.key, binding.chord.modifiers)
            }
            for _ in 1...3 { program.pass(.milliseconds(100)) }
            #expect(!program.application.isFinished)
        }
    }
}
