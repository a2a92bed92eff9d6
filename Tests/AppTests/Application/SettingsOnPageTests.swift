import GlissadeControls
import Foundation
import GlissadeGeometry
import GlissadeGestures
import GlissadeSubtitles
import Testing
import GlissadeTime

@testable import GlissadeApp

/// What a person has set, as the running program takes it.
@Suite("Settings on the player page")
@MainActor struct SettingsOnPageTests {
    private let scene: Scene

    init() throws { scene = try Scene() }

    private func settings(_ text: String) throws -> String { try scene.write(text, to: "config.toml") }

    @Test("Key bindings that are changed while the program runs take effect at once and replace the old ones")
    func keys() throws {
        let program = try SteppedProgram.film(settings: settings("[keys]\n\"F5\" = \"seek-exactly 10\"\n"))
        program.press(.function(5))
        #expect(try program.isAt(10))
        _ = try settings("[keys]\n\"F6\" = \"seek-exactly 20\"\n\"m\" = \"none\"\n")
        try program.run("the new keys") { $0.application.settings.keys.count == 2 }
        program.press(.function(5))
        program.type("m")
        #expect(try program.isAt(10) && !program.player.isMuted)
        program.press(.function(6))
        #expect(try program.isAt(30))
        try FileManager.default.removeItem(atPath: scene.path + "/config.toml")
        try program.run("the defaults") { $0.application.settings.keys.isEmpty }
        program.type("m")
        #expect(try program.player.isMuted)
    }

    @Test("A mistake in the settings is reported with its line in the terminal and on screen, and the rest is applied")
    func mistake() throws {
        let program = try SteppedProgram.film(settings: settings(""))
        _ = try settings("[interface]\ncontrols-timeout = 9\ncontrols-timeuot = 8\n[keys]\n\"F5\" = \"sing\"\n")
        try program.run("the new settings") { try $0.page.visibility.timeout == .seconds(9) }
        #expect(program.errors.contains("config.toml:3: ") && program.errors.contains("config.toml:5: "))
        #expect(program.told?.hasPrefix("config.toml:3: ") == true)
    }

    @Test(
        "A settings file that makes no sense changes nothing and is reported",
        arguments: ["\u{0}\u{1}", "[", "[keys]\n= 3\n", String(repeating: "[a]\n", count: 10_000)])
    func nonsense(text: String) throws {
        let program = try SteppedProgram.film(settings: settings(text))
        #expect(!program.errors.isEmpty)
        #expect(try program.page.visibility.timeout == .seconds(3))
        program.type("m")
        #expect(try program.player.isMuted)
    }

    @Test(
        "Text that is not TOML keeps the settings, and the page on top says so",
        arguments: ["library", "player", "keys"])
    func brokenText(top: String) throws {
        let path = try settings("[library]\nview = \"cards\"\n[interface]\ncontrols-timeout = 9\n")
        let program =
            top == "library"
            ? try SteppedProgram(folder: scene.path, settings: path) : try SteppedProgram.film(settings: path)
        if top == "keys" {
            program.type("?")
            try program.settle()
        }
        func isTold() -> Bool { program.texts.contains { $0.hasPrefix("Settings not applied: config.toml:1: ") } }
        _ = try settings("[library\nview = \"list\"\n[interface]\ncontrols-timeout = 8\n")
        try program.run("the message") { _ in isTold() }
        #expect(program.errors.contains("config.toml: not applied, because it is not valid TOML"))
        #expect(program.application.settings.library.view == .cards)
        #expect(program.application.settings.interface.controlsTimeout == .seconds(9))
        program.pass(.seconds(5))
        try program.run("the message is gone") { _ in !isTold() }
        _ = try settings("[library]\nviev = \"list\"\n[interface\n")
        try program.run("the syntax error") {
            $0.texts.contains { $0.hasPrefix("Settings not applied: config.toml:3: ") }
        }
        #expect(program.application.settings.library.view == .cards)
        _ = try settings("[library]\nview = \"list\"\n")
        try program.run("the corrected settings") { $0.application.settings.library.view == .list }
        #expect(program.application.settings.interface.controlsTimeout == .seconds(3))
    }

    @Test("A mistake in the settings is shown in the library too")
    func mistakeInLibrary() throws {
        let program = try SteppedProgram(folder: scene.path, settings: settings(""))
        _ = try settings("[library]\nviev = \"cards\"\n")
        try program.run("the message") { $0.texts.contains { $0.hasPrefix("config.toml:2: library: unknown option") } }
    }

    @Test("A gesture that is turned off while it is active is cancelled")
    func gestures() throws {
        let program = try SteppedProgram.film(settings: settings(""))
        program.drag(from: Point(x: 480, y: 200), to: Point(x: 480, y: 300))
        #expect(try program.player.volume < 1)
        _ = try settings("[gestures]\nvolume-drag = false\n")
        try program.run("the new settings") { try !$0.page.gestures.disabled.isEmpty }
        #expect(try program.player.volume == 1)
    }

    @Test("The preferred audio language is chosen if available, and the user's own choice is kept")
    func audioLanguage() throws {
        for (languages, name) in [("\"ja\", \"fi\"", "fin"), ("\"ja\"", "eng"), ("", "eng")] {
            let program = try SteppedProgram.film(settings: settings("[playback]\naudio-languages = [\(languages)]\n"))
            let player = try program.player
            func language() -> String? {
                player.audioTracks.first { $0.index == player.selectedAudioTrack }?.language
            }
            #expect(language() == name)
            program.type("#")
            program.pass(.seconds(1))
            #expect(language() == (name == "fin" ? "eng" : "fin"))
        }
    }

    @Test("The subtitle size is as set, also for the next video")
    func subtitleScale() throws {
        let program = try SteppedProgram.film(settings: settings("[subtitles]\nscale = 2\n"))
        #expect(program.application.playing?.subtitles.subtitles.scale == 2)
        program.drop([try Films.plain()])
        try program.run("the next") { try $0.application.playing?.location == Films.plain() }
        #expect(program.application.playing?.subtitles.subtitles.scale == 2)
    }
}
