import Foundation
import GlissadeGeometry
import GlissadeHistory
import GlissadeLayers
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeApp

/// How a film goes on that was played before, from a real file of what was played.
@Suite("Resuming across runs")
@MainActor struct ResumingTests {
    private let scene: Scene
    private let history: String
    private let film: String

    init() throws {
        scene = try Scene()
        history = scene.path + "/state/history.sqlite"
        film = try scene.add(Films.everything(), as: "film.mkv")
    }

    private func identity(_ path: String) throws -> MediaIdentity {
        try #require(MediaIdentity(file: BytePath(path)))
    }

    /// Has it that films were played, the last one last.
    private func remember(_ entries: [HistoryEntry]) {
        let history = History(path: BytePath(history), report: { Issue.record("\($0)") })
        for (number, entry) in entries.enumerated() {
            var entry = entry
            entry.lastPlayed = CalendarTime(nanoseconds: Int64(number + 1) * 1_000_000_000)
            history.record(entry)
        }
        history.flushAndClose(within: .seconds(20))
    }

    private func entry(_ path: String, at seconds: Int, isFinished: Bool? = nil) throws -> HistoryEntry {
        HistoryEntry(
            media: try identity(path), title: PlaybackSession.name(of: path), position: .zero + .seconds(seconds),
            duration: .seconds(60), isFinished: isFinished)
    }

    private func open(_ path: String? = nil, asked: LaunchOverrides = LaunchOverrides(), settings: String? = nil) throws
        -> SteppedProgram
    {
        try SteppedProgram.film(path ?? film, history: history, settings: settings, asked: asked)
    }

    /// Waits until it is known what was known of the film.
    private func awaitAnswer(_ program: SteppedProgram) throws {
        let location = try #require(program.application.playing?.location)
        try program.run("who it is") { $0.application.history?.isKnown(location) == true }
        program.application.advance(to: program.now)
    }

    @Test("Position, volume, speed and tracks are restored")
    func round() throws {
        var program = try SteppedProgram.film(film, isPaused: false, history: history)
        try awaitAnswer(program)
        program.application.playbackControllers.transport.setSpeed(1.5, now: program.now)
        program.application.playbackControllers.transport.setVolume(0.6, now: program.now)
        program.type("m")
        program.type("#")
        program.type("j")
        program.type("j")
        try program.player.seek(to: .seconds(30), now: program.now)
        try program.run("the film goes on") { try $0.position > .seconds(31.5) }
        program.type("p")
        let (left, audio) = (try program.position, try program.player.selectedAudioTrack)
        let subtitles = program.application.playing?.subtitles.selectedSource
        #expect(subtitles != nil)
        program.application.close()

        program = try open()
        try program.run("where it was left") { try abs(($0.position - left).inSeconds) < 0.1 }
        try program.run("its tracks") { $0.application.playing?.subtitles.selectedSource == subtitles }
        let player = try program.player
        #expect(player.volume == 0.6 && player.isMuted && player.speed == 1.5)
        #expect(player.selectedAudioTrack == audio)
    }

    @Test("Subtitles that were turned off stay off, even if there is a subtitle file beside the video")
    func subtitlesOff() throws {
        try scene.write(Films.subtitles, to: "film.srt")
        var entry = try entry(film, at: 20)
        entry.subtitles = .off
        remember([entry])
        let program = try open()
        try program.run("the choices") { $0.application.playing?.subtitles.choices.count == 3 }
        #expect(program.application.playing?.subtitles.selected == nil)
    }

    @Test("A chosen subtitle track or file is shown again", arguments: [true, false])
    func subtitlesAgain(isTrack: Bool) throws {
        let lines = try scene.write(Films.subtitles, to: "words.srt")
        var entry = try entry(film, at: 52)
        entry.subtitles = isTrack ? .track(4) : .file(BytePath(lines))
        remember([entry])
        let program = try open()
        try program.run("the choice") { $0.application.playing?.subtitles.selected != nil }
        #expect(program.application.playing?.subtitles.selectedSource == (isTrack ? .track(4) : .file(lines)))
        #expect(try program.player.selectedSubtitleTrack == (isTrack ? 4 : nil))
    }

    @Test("Command-line options take precedence, and everything else is restored")
    func asked() throws {
        var entry = try entry(film, at: 30)
        (entry.volume, entry.speed, entry.isMuted) = (40, 2, true)
        remember([entry])
        var program = try open(asked: LaunchOverrides(start: .seconds(10)))
        try program.run("the rest") { try $0.player.speed == 2 }
        #expect(try program.isAt(10) && program.player.volume == 0.4 && program.player.isMuted)
        program = try open(asked: LaunchOverrides(volume: 0.9, isMuted: false, speed: 1))
        try program.run("the position") { try $0.isAt(30) }
        #expect(try program.player.volume == 0.9 && program.player.speed == 1 && !program.player.isMuted)
    }

    @Test("A finished video starts over, and so does one watched only briefly")
    func again() throws {
        var finished = try entry(film, at: 59)
        finished.volume = 50
        let other = try scene.add(Films.plain(), as: "other.mp4")
        remember([finished, try entry(other, at: 4)])
        for path in [film, other] {
            let program = try open(path)
            try awaitAnswer(program)
            #expect(try program.isAt(0))
            #expect(try program.player.volume == (path == film ? 0.5 : 1))
            #expect(program.told == nil)
        }
    }

    @Test("A file that was replaced does not resume")
    func replaced() throws {
        remember([try entry(film, at: 30)])
        try FileManager.default.removeItem(atPath: film)
        try scene.add(Films.plain(), as: "film.mkv")
        let program = try open()
        try awaitAnswer(program)
        #expect(try program.isAt(0))
    }

    @Test("With resume turned off in the settings, a video starts at its beginning")
    func turnedOff() throws {
        remember([try entry(film, at: 30)])
        let settings = try scene.write("[playback]\nresume = false\n", to: "config.toml")
        let program = try open(settings: settings)
        try awaitAnswer(program)
        #expect(try program.isAt(0))
    }

    @Test("The next video of a playlist resumes, too")
    func inList() throws {
        remember([try entry(film, at: 30)])
        let first = try Films.plain()
        let program = try SteppedProgram.film(first, list: [first, film], history: history)
        program.type(">")
        try program.run("where it was left") { try $0.position >= .seconds(30) && $0.showsPicture }
        #expect(program.told == "Resuming from 0:30")
    }

    @Test("With resume turned off, the next video of a playlist starts at its beginning")
    func inListTurnedOff() throws {
        var entry = try entry(film, at: 30)
        entry.speed = 2
        remember([entry])
        let settings = try scene.write("[playback]\nresume = false\n", to: "config.toml")
        let first = try Films.plain()
        let program = try SteppedProgram.film(first, list: [first, film], history: history, settings: settings)
        program.type(">")
        try awaitAnswer(program)
        #expect(try program.position < .seconds(10) && program.player.speed == 1)
    }

    @Test("If the history cannot be kept, a message says so once and nothing else changes")
    func broken() throws {
        try scene.addFolder("state/history.sqlite")
        let program = try open()
        try program.run("the error") { !$0.errors.isEmpty }
        program.type("p")
        try program.run("the film goes on") { try $0.position > .seconds(0.6) }
        #expect(program.errors.split(separator: "\n").count == 1)
    }

    // MARK: - The library

    @Test("Recently played files are listed above the folder, newest first, without finished, missing or playing ones")
    func recent() throws {
        let names = ["a.mp4", "b.mp4", "c.mp4", "d.mp4", "e.mp4", "f.mp4"]
        try scene.addFolder("films")
        for name in names { try scene.add(Films.plain(), as: "films/" + name) }
        let paths = names.map { scene.path + "/films/" + $0 }
        var entries = try paths.map { try entry($0, at: 30) }
        entries[1].isFinished = true
        remember(entries)
        try FileManager.default.removeItem(atPath: paths[4])
        try scene.addFolder("empty")
        let program = try SteppedProgram(
            playing: paths[3], folder: scene.path + "/empty", isPaused: true, history: history)
        program.press(.escape)
        try program.settle()
        try program.run("the last played") { $0.texts.contains("f.mp4") }
        let rows = program.texts.filter { names.contains($0) }
        // The small bar names what plays, below.
        #expect(rows.prefix(3) == ["f.mp4", "c.mp4", "a.mp4"])
        #expect(program.texts.filter { $0.hasPrefix("Recently played  ·  0:30 of 1:00") }.count == 3)
        try program.click("c.mp4")
        try program.settle()
        #expect(program.application.playing?.location == paths[2])
        try program.run("where it was left") { try $0.position >= .seconds(30) }
    }

    @Test("Recently played files have their names in the folder, whatever their titles, and addresses have titles")
    func names() throws {
        try scene.addFolder("films")
        let path = try scene.add(Films.plain(), as: "films/a.mp4")
        var titled = try entry(path, at: 30)
        titled.title = "The Title"
        var address = titled
        address.media = MediaIdentity(address: "https://example.org/b.mp4")
        address.title = "A Stream"
        remember([titled, address])
        let program = try SteppedProgram(folder: scene.path + "/films", history: history)
        try program.run("the rows") { $0.texts.filter { $0 == "a.mp4" }.count == 2 }
        #expect(program.texts.contains("A Stream") && !program.texts.contains("The Title"))
    }

    @Test("Recently played files have their posters at once, whatever folder they are in")
    func posters() throws {
        try scene.addFolder("films")
        // None of these has a poster, and the last one is far below the visible rows.
        for number in 10..<40 { _ = try scene.addNoise("films/\(number).mp4") }
        let here = try scene.add(Films.grays(), as: "films/last.mp4")
        let elsewhere = try scene.add(Films.grays(), as: "elsewhere.mp4")
        remember([try entry(here, at: 15), try entry(elsewhere, at: 15)])
        let program = try SteppedProgram(folder: scene.path + "/films", history: history)
        try program.run("the posters") { program in
            let posters = program.list.items.filter { item in
                if case .image(let placement) = item, case .image = placement.source { true } else { false }
            }
            return posters.count == 2
        }
        #expect(program.texts.contains("elsewhere.mp4") && program.texts.contains("last.mp4"))
        #expect(program.texts.contains("10.mp4") && !program.texts.contains("39.mp4"))
    }

    @Test("Rows show how much of their video was played")
    func progress() throws {
        try scene.addFolder("films")
        let path = try scene.add(Films.plain(), as: "films/a.mp4")
        let other = try scene.add(Films.plain(), as: "films/b.mp4")
        remember([try entry(path, at: 15), try entry(other, at: 60)])
        let program = try SteppedProgram(folder: scene.path + "/films", history: history)
        try program.run("the rows") { $0.texts.filter { $0 == "a.mp4" }.count == 2 && $0.texts.contains("b.mp4") }
        // Along each poster's lower edge: what was played on a track of its whole width.
        func widths(_ color: Color) -> [Int] {
            program.list.items.compactMap { item in
                if case .box(let box) = item, box.gradient.start == color { box.destination.width } else { nil }
            }
        }
        let (tracks, played) = (widths(Theme.playedTrack), widths(Theme.accent))
        #expect(tracks.count == 3 && played == [tracks[0] / 4, tracks[1] / 4, tracks[2]])
    }
}
