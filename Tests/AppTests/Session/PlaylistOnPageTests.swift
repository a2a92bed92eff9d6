import GlissadeDesktop
import Foundation
import GlissadeGestures
import GlissadeLayers
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeApp

/// What is played one after the other, and what is dropped on the window.
@Suite("Playlist on the player page")
@MainActor struct PlaylistOnPageTests {
    private func isPlaying(_ path: String) -> (SteppedProgram) -> Bool {
        { $0.application.playing?.location == path && $0.showsPicture }
    }

    @Test("The > and < keys go forward and back in the playlist and stop at its ends")
    func list() throws {
        let films = [try Films.everything(), try Films.plain()]
        let program = try SteppedProgram.film(films[0], list: films)
        program.type("<")
        #expect(program.told == "Start of playlist")
        #expect(program.application.playing?.location == films[0])
        program.type(">")
        try program.run("the next", until: isPlaying(films[1]))
        program.type(">")
        #expect(program.told == "End of playlist")
        program.type("<")
        try program.run("the one before", until: isPlaying(films[0]))
    }

    @Test("A file opened alone continues with its folder's files, even if the key is pressed at once")
    func folder() throws {
        let scene = try Scene()
        for name in ["a.mp4", "b.mp4", "c.mp4"] { try scene.add(Films.plain(), as: name) }
        let program = try SteppedProgram.film(scene.path + "/b.mp4")
        program.type(">")
        try program.run("the next of the folder", until: isPlaying(scene.path + "/c.mp4"))
        program.type("<")
        try program.run("the one before", until: isPlaying(scene.path + "/b.mp4"))
        program.type("<")
        try program.run("the first", until: isPlaying(scene.path + "/a.mp4"))
        program.type("<")
        #expect(program.told == "Start of playlist")
    }

    @Test("The desktop is told of a next and a previous file where the buttons play one, and of the file's URL")
    func desktop() throws {
        let scene = try Scene()
        for name in ["a.mp4", "b 1.mp4"] { try scene.add(Films.plain(), as: name) }
        let program = try SteppedProgram.film(scene.path + "/a.mp4")
        func expect(_ path: String, next: Bool, previous: Bool) throws {
            let state = DesktopController.state(of: try #require(program.application.playing), now: program.now)
            #expect(state.canGoNext == next && state.canGoPrevious == previous)
            #expect(state.url == FileAddress.address(of: Array(path.utf8)))
            try program.showControls()
            #expect(try program.controls.next.isEnabled == next)
            #expect(try program.controls.previous.isEnabled == previous)
        }
        // The folder of a file that was opened alone is read when the user skips.
        try expect(scene.path + "/a.mp4", next: true, previous: true)
        program.type(">")
        try program.run("the next of the folder", until: isPlaying(scene.path + "/b 1.mp4"))
        try expect(scene.path + "/b 1.mp4", next: false, previous: true)
        program.drop([scene.path + "/a.mp4"])
        try program.run("the dropped one", until: isPlaying(scene.path + "/a.mp4"))
        try expect(scene.path + "/a.mp4", next: true, previous: true)
    }

    @Test(
        "The URL of a stream is published unless it contains credentials",
        arguments: [
            ("https://example.org/a b/\u{1F3AC}.m3u8?x=@", "https://example.org/a%20b/%F0%9F%8E%AC.m3u8?x=@"),
            ("rtsp://[::1]:8554/film", "rtsp://[::1]:8554/film"), ("https://me:secret@example.org/film", nil),
            ("https://me@example.org", nil), ("http:///me:secret@example.org/", nil),
            ("http://a\\me:secret@example.org/", nil), ("file:///films/a.mkv", "file:///films/a.mkv"),
        ])
    func urls(location: String, url: String?) { #expect(DesktopController.publishedURL(of: location) == url) }

    @Test("A file that is alone in its folder says that there is no other")
    func alone() throws {
        let scene = try Scene()
        let program = try SteppedProgram.film(scene.add(Films.plain(), as: "a.mp4"))
        program.type(">")
        try program.expectToast("End of playlist")
        program.type("<")
        try program.expectToast("Start of playlist")
    }

    @Test("At the end of a file the next one plays, and one that fails is skipped with a message")
    func goesOn() throws {
        let scene = try Scene()
        let noise = try scene.addNoise("noise.mkv")
        let last = try Films.plain()
        let program = try SteppedProgram.film(
            Films.short(), isPaused: false, list: [Films.short(), noise, scene.path + "/none.mp4", last])
        try program.expectToast("Could not play noise.mkv")
        try program.run("the last", until: isPlaying(last))
        #expect(program.told == "Could not play none.mp4")
        #expect(program.errors.contains("noise.mkv: "))
        #expect(program.errors.contains("none.mp4: "))
        #expect(try !program.player.isPaused)
        #expect(!program.application.isFinished)
    }

    @Test("The end of the last file stays on screen, and Space plays it again")
    func ended() throws {
        let program = try SteppedProgram.film(Films.short(), isPaused: false)
        try program.run("the end") { try $0.player.state == .ended }
        #expect(!program.application.isFinished && program.application.stack.pages.count == 2)
        program.press(.space)
        try program.run("that it plays") { try $0.player.state == .playing }
    }

    // MARK: - Drops

    @Test("A dropped video plays, and several files or folders replace the playlist")
    func drops() throws {
        let scene = try Scene()
        try scene.addFolder("inner")
        for name in ["inner/2.mp4", "inner/10.mp4"] { try scene.add(Films.plain(), as: name) }
        let other = try scene.add(Films.plain(), as: "other.mp4")
        let program = try SteppedProgram.film()
        program.drop([other])
        try program.run("the film", until: isPlaying(other))
        #expect(program.application.playing?.playlist.locations == [other])
        program.drop([other, scene.path + "/inner"])
        let all = [other, scene.path + "/inner/2.mp4", scene.path + "/inner/10.mp4"]
        try program.run("the list") { $0.application.playing?.playlist.locations == all }
        #expect(program.errors.isEmpty)
    }

    @Test("A video dropped on the library opens the player page")
    func onLibrary() throws {
        let scene = try Scene()
        let program = try SteppedProgram(folder: scene.path)
        program.drop([try Films.plain()])
        try program.run("the page") { $0.application.playerPage != nil }
        try program.settle()
        try program.run("the film", until: isPlaying(try Films.plain()))
    }

    @Test("Dropped subtitles are shown with the playing video and do not interrupt it")
    func subtitles() throws {
        let scene = try Scene()
        let lines = try scene.write(Films.subtitles, to: "words.srt")
        let program = try SteppedProgram.film(Films.plain())
        let player = try program.player
        program.drop([lines])
        try program.expectToast("words.srt")
        #expect(try program.player === player)
        #expect(program.application.playing?.subtitles.selectedSource == .file(lines))
        player.seek(to: .seconds(3), now: program.now)
        try program.run("the line") { $0.subtitleLine != nil }
    }

    @Test("Subtitles dropped while nothing is playing give a one-line error")
    func subtitlesAlone() throws {
        let scene = try Scene()
        let lines = try scene.write(Films.subtitles, to: "words.srt")
        let program = try SteppedProgram(folder: scene.path)
        program.drop([lines])
        try program.run("the error") { !$0.errors.isEmpty }
        #expect(program.errors == "glissade: \(lines): nothing is playing\n")
        #expect(program.application.playing == nil && !program.application.isFinished)
    }

    @Test("Unsupported files in a drop are named, and the others play with their subtitles")
    func mix() throws {
        let scene = try Scene()
        try scene.addFolder("empty")
        let hollow = try scene.write("", to: "hollow.mp4")
        let lines = try scene.write(Films.subtitles, to: "words.srt")
        let program = try SteppedProgram(folder: scene.path)
        program.drop([scene.path + "/none.mp4", scene.path + "/empty", hollow, lines, try Films.plain(), ""])
        try program.run("the film", until: isPlaying(try Films.plain()))
        #expect(program.application.playing?.playlist.locations == [try Films.plain()])
        #expect(program.application.playing?.subtitles.selectedSource == .file(lines))
        for word in ["none.mp4", "empty", "hollow.mp4"] { #expect(program.errors.contains(word)) }
    }

    @Test("An empty drop, or one of unsupported files only, leaves the playing video alone")
    func nothing() throws {
        let program = try SteppedProgram.film()
        let player = try program.player
        program.drop([])
        program.drop(["/none/\u{0}\n\u{1b}[31m.mp4", String(repeating: "x", count: 100_000), "/none.srt"])
        try program.run("the errors") { $0.errors.split(separator: "\n").count == 3 }
        #expect(!program.errors.contains("\u{1b}"))
        #expect(program.told?.contains(": ") == true, "and over the picture")
        #expect(try program.player === player)
    }

    @Test("A drop that never sends its data blocks nothing, and the next video plays")
    func pipe() throws {
        let scene = try Scene()
        #expect(mkfifo(scene.path + "/pipe.mp4", 0o600) == 0)
        let program = try SteppedProgram.film()
        program.drop([scene.path + "/pipe.mp4"])
        try program.run("the drop") { $0.application.playing?.location == scene.path + "/pipe.mp4" }
        for _ in 1...3 { program.pass(.milliseconds(500)) }
        program.type(">")
        program.press(.right)
        program.drop([try Films.plain()])
        try program.run("the next film", until: isPlaying(try Films.plain()))
    }

    @Test("A dropped file that is not media says why it cannot be played")
    func junk() throws {
        let scene = try Scene()
        let noise = try scene.addNoise("noise.mkv")
        let program = try SteppedProgram.film()
        program.drop([noise])
        try program.run("the reason") { $0.texts.contains { $0.hasPrefix("Cannot play this file: ") } }
        program.drop([try Films.plain()])
        try program.run("the next film", until: isPlaying(try Films.plain()))
        try program.run("no reason any more") { !$0.texts.contains { $0.hasPrefix("Cannot play this file: ") } }
    }
}
