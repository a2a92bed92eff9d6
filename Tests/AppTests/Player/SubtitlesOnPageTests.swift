import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeLayers
import GlissadeLibrary
import GlissadePlatform
import Foundation
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeApp

extension SteppedProgram {
    /// Where a line of subtitles is on the screen; nil where none is.
    var subtitleLine: Rect? {
        guard let subtitles = application.playerPage?.subtitles.layer, let line = subtitles.sublayers.first,
            !line.isHidden
        else { return nil }
        for case .image(let placement) in list.items {
            guard case .image(let id) = placement.source, line.content == .image(id) else { continue }
            let frame = placement.destination
            return Rect(
                x: Double(frame.minX), y: Double(frame.minY), width: Double(frame.width), height: Double(frame.height))
        }
        return nil
    }
}

/// Subtitles over the picture: a line from 2 s to 4 s, and one from 50 s to 60 s. The film is 320×240, seen at 640×480.
@Suite("Subtitles on the player page")
@MainActor struct SubtitlesOnPageTests {
    private func film(_ scene: Scene, _ sidecars: [String]) throws -> SteppedProgram {
        let film = try scene.add(Films.plain(), as: "film.mp4")
        for name in sidecars { try scene.write(Films.subtitles, to: name) }
        let program = try SteppedProgram.film(film)
        if !sidecars.isEmpty {
            try program.run("the files") { $0.application.playing?.subtitles.choices.isEmpty == false }
        }
        return program
    }

    private func go(_ program: SteppedProgram, to seconds: Double) throws {
        try program.player.seek(to: .seconds(seconds), now: program.now)
        try program.run("the picture there") { $0.shown.map { abs($0.inSeconds - seconds) < 0.06 } == true }
    }

    @Test("A subtitle is shown in the lower part of the video from its start to its end")
    func line() throws {
        let scene = try Scene()
        let program = try film(scene, ["film.srt"])
        #expect(program.subtitleLine == nil)
        try go(program, to: 3)
        try program.run("the line") { $0.subtitleLine != nil }
        let line = try #require(program.subtitleLine)
        #expect(line.minY > 320 && line.maxY <= 480 && abs(line.minX + line.maxX - 640) < 8)
        #expect(try program.brightest(in: line) > 200)
        try go(program, to: 10)
        try program.run("no line") { $0.subtitleLine == nil }
        try go(program, to: 55)
        try program.run("the other line") { $0.subtitleLine != nil }
        #expect(program.subtitleLine?.size != line.size)
    }

    @Test("The words of a song are shown as they are sung, with a cover and without", arguments: [true, false])
    func lyrics(isCovered: Bool) throws {
        let scene = try Scene()
        let song = try scene.add(
            isCovered ? Films.coveredSong() : Films.song(), as: "song.\(isCovered ? "mp3" : "flac")")
        try scene.write("[00:00.00]First\n[00:01.00]A longer second line\n", to: "song.lrc")
        let program = try SteppedProgram(playing: song)
        try program.run("the first line") { $0.subtitleLine != nil }
        let line = try #require(program.subtitleLine)
        #expect(line.minY > 320 && line.maxY <= 480 && abs(line.minX + line.maxX - 640) < 8)
        program.pass(.seconds(1))
        try program.run("the second line") { $0.subtitleLine.map { $0.size.width > line.size.width } == true }
    }

    @Test("Subtitles move above the controls while these are visible")
    func lifted() throws {
        let scene = try Scene()
        let program = try film(scene, ["film.srt"])
        try go(program, to: 3)
        try program.run("the line") { $0.subtitleLine != nil }
        let line = try #require(program.subtitleLine)
        try program.showControls()
        let bar = try program.controls.progress.layer.frame
        try program.run("the lifted line") { $0.subtitleLine.map { $0.maxY <= bar.minY } == true }
        program.pass(.seconds(5))
        try program.run("the line where it was") { $0.subtitleLine == line }
    }

    @Test("Subtitle files with the video's name are found, and the one without a suffix is selected")
    func sidecars() throws {
        let scene = try Scene()
        let program = try film(scene, ["film.de.srt", "film.srt", "films.srt", "other.srt", "film.txt"])
        let subtitles = try #require(program.application.playing?.subtitles)
        #expect(subtitles.choices.map(\.name) == ["film.srt", "film.de.srt"])
        #expect(subtitles.selected == 0)
    }

    @Test("A VobSub pair beside the video is one choice")
    func pair() throws {
        let scene = try Scene()
        let program = try film(scene, ["film.sub", "film.idx", "film.de.sub", "film.srt"])
        #expect(program.application.playing?.subtitles.choices.map(\.name) == ["film.srt", "film.idx", "film.de.sub"])
    }

    @Test("The v key toggles the subtitles, and j cycles through them and off")
    func keys() throws {
        let scene = try Scene()
        let program = try film(scene, ["film.srt", "film.de.srt"])
        try go(program, to: 3)
        try program.run("the line") { $0.subtitleLine != nil }
        program.type("v")
        #expect(program.told == "Subtitles off")
        try program.run("no line") { $0.subtitleLine == nil }
        program.type("v")
        #expect(program.told == "film.srt")
        try program.run("the line") { $0.subtitleLine != nil }
        program.type("j")
        #expect(program.told == "film.de.srt")
        program.type("j")
        #expect(program.told == "Subtitles off")
        program.type("j")
        #expect(program.told == "film.srt")
        program.type("J")
        #expect(program.told == "Subtitles off")
        program.type("J")
        #expect(program.told == "film.de.srt")
    }

    @Test("A video without subtitles says so")
    func none() throws {
        let scene = try Scene()
        let program = try film(scene, [])
        for key in ["v", "j", "J"] as [Character] {
            program.type(key)
            #expect(program.told == "No subtitles")
        }
    }

    @Test("The z and x keys shift the subtitles earlier and later")
    func delay() throws {
        let scene = try Scene()
        let program = try film(scene, ["film.srt"])
        try go(program, to: 1.8)
        #expect(program.subtitleLine == nil)
        for _ in 1...3 { program.type("z") }
        #expect(program.told == "Subtitle delay: -300 ms")
        try program.run("the line") { $0.subtitleLine != nil }
        for _ in 1...3 { program.type("x") }
        #expect(program.told == "Subtitle delay: 0 ms")
        try program.run("no line") { $0.subtitleLine == nil }
    }

    @Test("Embedded subtitle tracks are shown when chosen, with the name of their language")
    func tracks() throws {
        let program = try SteppedProgram.film()
        // Between keyframes: what began before the one that a seek leads to is not read.
        try go(program, to: 2.5)
        #expect(program.application.playing?.subtitles.selected == nil, "none of them is the default")
        program.type("j")
        #expect(program.told == "English")
        try program.run("the line") { $0.subtitleLine != nil }
        program.type("j")
        #expect(program.told == "German")
    }

    @Test("The preferred subtitle language is selected by itself, and none if subtitles are turned off")
    func preference() throws {
        let scene = try Scene()
        for (text, name) in [("languages = [\"de\", \"en\"]", "German"), ("visible = false", nil)] {
            let settings = try scene.write("[subtitles]\n\(text)\n", to: "config.toml")
            let program = try SteppedProgram(playing: Films.everything(), isPaused: true, settings: settings)
            try program.run("the choices") { $0.application.playing?.subtitles.choices.count == 2 }
            let subtitles = try #require(program.application.playing?.subtitles)
            #expect(subtitles.selected.map { subtitles.choices[$0].name } == name)
        }
    }

    @Test("Each track of a subtitle file is a choice of its own, and the preferred language is selected")
    func fileTracks() throws {
        let lines = try Clips.file("app-lines.srt", data: Data(Films.subtitles.utf8))
        let languages = ["-metadata:s:s:0", "language=eng", "-metadata:s:s:1", "language=ger"]
        let file = try Clips.file(
            "app-languages.mks",
            ffmpeg: ["-i", lines, "-i", lines, "-map", "0", "-map", "1", "-c:s", "srt"] + languages + [
                "-f", "matroska",
            ])
        for (wanted, first) in [("[]", "English"), ("[\"de\"]", "German")] {
            let scene = try Scene()
            let settings = try scene.write("[subtitles]\nlanguages = \(wanted)\n", to: "config.toml")
            let film = try scene.add(Films.plain(), as: "film.mp4")
            let sidecar = try scene.add(file, as: "film.mks")
            let program = try SteppedProgram(playing: film, isPaused: true, settings: settings)
            try program.run("the tracks") { $0.application.playing?.subtitles.choices.count == 2 }
            let subtitles = try #require(program.application.playing?.subtitles)
            #expect(subtitles.choices.map(\.name) == ["English", "German"])
            #expect(subtitles.choices.allSatisfy { $0.detail == "film.mks" })
            #expect(subtitles.selected.map { subtitles.choices[$0].name } == first)
            try program.run("the file") { _ in subtitles.subtitles.file == .ready }
            subtitles.open(sidecar, of: try program.player, now: program.now)
            #expect(subtitles.choices.count == 2, "it is no new choice")
            // What the history has recorded comes before a language.
            let again = SubtitleChoices(wake: {}, report: { _ in })
            again.restore(.file(sidecar, track: 1), of: try program.player, now: program.now)
            try program.run("the recorded track") { program in
                _ = again.advance(
                    try program.player, preference: SubtitleChoices.Preference(languages: ["en"]), now: program.now)
                return again.choices.count == 2
            }
            #expect(again.selectedSource == .file(sidecar, track: 1))
        }
    }

    @Test("The encoding of subtitles is chosen in the menu of tracks")
    func encoding() throws {
        let scene = try Scene()
        let program = try film(scene, ["film.srt"])
        let owner = try #require(program.application.playerPage?.owner)
        func items(_ menu: PlayerMenu) -> [Menu.Item] {
            owner.entries(for: menu).compactMap { if case .item(let item) = $0 { item } else { nil } }
        }
        #expect(owner.entries(for: .tracks).dropLast().last == .separator, "the entry is set off from the subtitles")
        let entry = try #require(items(.tracks).last)
        #expect(entry.label == "Encoding" && entry.detail == "Automatic")
        #expect(owner.pick(entry.id, in: .tracks, now: program.now) == .encodings)
        let koi8 = try #require(items(.encodings).first { $0.label == "Cyrillic (KOI8-R)" })
        owner.pick(koi8.id, in: .encodings, now: program.now)
        #expect(items(.tracks).last?.detail == "Cyrillic (KOI8-R)")
        #expect(items(.encodings).filter(\.isChecked).map(\.label) == ["Cyrillic (KOI8-R)"])
        #expect(program.application.playing?.subtitles.encoding == .koi8r)
        let back = try #require(items(.encodings).first)
        #expect(owner.pick(back.id, in: .encodings, now: program.now) == .tracks && back.effect == .goesBack)
        // One in which the file is no subtitles leaves the way back.
        let text = Data(Films.subtitles.utf8) + [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2, 0x0A]
        try text.write(to: URL(fileURLWithPath: scene.path + "/film.srt"))
        owner.pick("utf-16le", in: .encodings, now: program.now)
        #expect(program.application.playing?.subtitles.encoding == .utf16LittleEndian)
        try program.run("the error") { $0.told?.contains("not subtitles") == true }
        #expect(program.application.playing?.subtitles.selected == 0 && items(.tracks).last?.label == "Encoding")
        owner.pick("auto", in: .encodings, now: program.now)
        #expect(program.application.playing?.subtitles.encoding == nil)
        try go(program, to: 55)
        try program.run("the line") { $0.subtitleLine != nil }
    }

    @Test("A subtitle does not remain on screen when the video is changed or restarted")
    func left() throws {
        let scene = try Scene()
        let program = try film(scene, ["film.srt"])
        try go(program, to: 55)
        try program.run("the line") { $0.subtitleLine != nil }
        program.drop([scene.path + "/film.mp4"])
        let player = try program.player
        try program.run("the film opened again") { try $0.player !== player && $0.showsPicture }
        try program.run("its files") { $0.application.playing?.subtitles.selected == 0 }
        #expect(program.subtitleLine == nil)
        #expect(try program.position < .seconds(2))
    }

    @Test(
        "A broken subtitle file is reported, and the video keeps playing",
        arguments: ["", "\u{0}\u{1}\u{2}", "no lines\n"])
    func broken(text: String) throws {
        let scene = try Scene()
        let film = try scene.add(Films.plain(), as: "film.mp4")
        try scene.write(text, to: "film.srt")
        let program = try SteppedProgram.film(film)
        try program.run("the choice") { $0.application.playing?.subtitles.choices.count == 1 }
        try program.run("the error") { $0.errors.contains("film.srt") }
        try go(program, to: 3)
        #expect(program.subtitleLine == nil)
    }
}
