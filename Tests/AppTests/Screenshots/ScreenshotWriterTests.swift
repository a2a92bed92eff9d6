import Foundation
import GlissadeGeometry
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadePlayback
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeApp

/// Where pictures go, what they are called, and what is in them.
@Suite("Screenshot writer")
@MainActor struct ScreenshotWriterTests {
    // MARK: - The folder

    private func folder(_ text: String, home: String? = "/home/me") -> String? {
        PicturesFolder.folder(in: Array(text.utf8), home: home.map { BytePath($0) })?.displayPath
    }

    @Test("The pictures folder is read from the desktop's file, including shell quotes")
    func desktopFolder() {
        #expect(folder("# a word\nXDG_PICTURES_DIR=\"$HOME/Bilder\"\n") == "/home/me/Bilder")
        #expect(folder("  XDG_PICTURES_DIR=\"/mnt/My \\\"own\\\" $\\\\\"") == "/mnt/My \"own\" $\\")
        #expect(folder("XDG_PICTURES_DIR=\"/a\"\nXDG_PICTURES_DIR=\"/b\"") == "/b")
        #expect(folder("XDG_PICTURES_DIR=\"$HOME/\"") == "/home/me")
        #expect(folder("XDG_PICTURES_DIR=\"$HOME/Bilder\"", home: nil) == nil)
    }

    @Test(
        "Invalid entries of the desktop's file are ignored",
        arguments: [
            "", "XDG_PICTURES_DIR=", "XDG_PICTURES_DIR=\"/open", "XDG_PICTURES_DIR=\"relative\"",
            "XDG_PICTURES_DIR=\"$HOMELESS/a\"", "#XDG_PICTURES_DIR=\"/a\"", "XDG_MUSIC_DIR=\"/a\"",
            "XDG_PICTURES_DIR=\"/a\0b\"", "\0\u{1}\n\n=\"",
        ])
    func nonsense(text: String) { #expect(folder(text) == nil) }

    @Test("Without the desktop's file the pictures folder is ~/Pictures, and without a home there is none")
    func fallback() throws {
        let scene = try Scene()
        let home = Array(scene.path.utf8)
        #expect(
            PicturesFolder.path(.init(home: home, configHome: nil)) == BytePath(scene.path).appending("Pictures".utf8))
        #expect(PicturesFolder.path(.init(home: nil, configHome: nil)) == nil)
        #expect(PicturesFolder.path(.init(home: [], configHome: [])) == nil)
        #expect(PicturesFolder.path(.init(home: Array("relative".utf8), configHome: nil)) == nil)
        try scene.addFolder(".config")
        try Data("XDG_PICTURES_DIR=\"$HOME/Shots\"\n".utf8).write(
            to: URL(fileURLWithPath: scene.path + "/.config/user-dirs.dirs"))
        let said = BytePath(scene.path).appending("Shots".utf8)
        #expect(PicturesFolder.path(.init(home: home, configHome: nil)) == said)
        #expect(PicturesFolder.path(.init(home: home, configHome: Array((scene.path + "/.config").utf8))) == said)
        // A pipe in its place holds nobody up.
        try scene.addFolder("other")
        #expect(mkfifo(scene.path + "/other/user-dirs.dirs", 0o600) == 0)
        #expect(
            PicturesFolder.path(.init(home: home, configHome: Array((scene.path + "/other").utf8)))
                == BytePath(scene.path).appending("Pictures".utf8))
    }

    // MARK: - The name

    private func name(_ location: String, _ position: Duration = .zero, attempt: Int = 1) -> String {
        String(decoding: ScreenshotName(location: location, position: position).bytes(attempt: attempt), as: UTF8.self)
    }

    @Test("A screenshot is named after its video and position, and a second one of that name is numbered")
    func name() {
        let position = Duration.seconds(3723) + .milliseconds(45)
        #expect(name("/films/A film.mkv", position) == "A film-01.02.03.045.png")
        #expect(name("A film.mkv", position, attempt: 2) == "A film-01.02.03.045-2.png")
        #expect(name("file:///films/A%20film.mkv") == "A film-00.00.00.000.png")
        #expect(name("https://host/films/a.mp4?key=1/2") != "")
        #expect(name("/films/Part 1. The beginning") == "Part 1. The beginning-00.00.00.000.png")
        #expect(name(StandardInput.location) == "standard input-00.00.00.000.png")
        #expect(name("/films/.hidden") == ".hidden-00.00.00.000.png")
        #expect(name("/a.mp4", .seconds(360_000)) == "a-100.00.00.000.png")
        #expect(name("/a.mp4", .seconds(-5)) == "a-00.00.00.000.png")
    }

    @Test("Control characters in names are replaced, and no name exceeds the file system's limit")
    func hostileNames() {
        #expect(name("/films/a\nb\u{1B}[2J.mkv") == "a_b_[2J-00.00.00.000.png")
        for location in [
            "", "/", ".", "..", "//", "https://", String(repeating: "ä", count: 300) + ".mkv",
            String(repeating: "x", count: 100_000), String(repeating: "🎬", count: 90), "https://host/?/",
        ] {
            for attempt in [1, 2, 1000] {
                let bytes = ScreenshotName(location: location, position: .zero).bytes(attempt: attempt)
                #expect(bytes.count <= 255 && bytes.count > 17)
                #expect(!bytes.contains(UInt8(ascii: "/")) && !bytes.contains(0))
                #expect(String(validating: bytes, as: UTF8.self) != nil, "no character is cut")
            }
        }
        let noText = BytePath(bytes: [UInt8(ascii: "/"), 0xFF, 0xFE] + Array(".mp4".utf8)).location
        #expect(ScreenshotName(location: noText, position: .zero).bytes(attempt: 1).starts(with: [0xFF, 0xFE]))
    }

    // MARK: - Writing

    @Test("An existing file is never overwritten: the next free number is used")
    func numbers() throws {
        let scene = try Scene()
        let name = ScreenshotName(location: "/a.mp4", position: .zero)
        let folder = BytePath(scene.path)
        for (count, expected) in ["a-00.00.00.000.png", "a-00.00.00.000-2.png", "a-00.00.00.000-3.png"].enumerated() {
            let outcome = ScreenshotWriter.write([UInt8(count)], as: name, in: folder)
            #expect(outcome == .saved("\(scene.path)/\(expected)"))
            #expect(try Data(contentsOf: URL(fileURLWithPath: "\(scene.path)/\(expected)")) == Data([UInt8(count)]))
        }
    }

    @Test("A dangling link is not followed")
    func link() throws {
        let scene = try Scene()
        #expect(symlink("\(scene.path)/target", "\(scene.path)/a-00.00.00.000.png") == 0)
        let name = ScreenshotName(location: "/a.mp4", position: .zero)
        #expect(
            ScreenshotWriter.write([1], as: name, in: BytePath(scene.path))
                == .saved("\(scene.path)/a-00.00.00.000-2.png"))
        #expect(access("\(scene.path)/target", F_OK) != 0)
    }

    @Test("A full device and a folder that is a file say why, and leave nothing behind")
    func failures() throws {
        let scene = try Scene()
        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        #expect(ScreenshotWriter.write([1, 2, 3], to: full) == String(cString: strerror(ENOSPC)))
        let file = try scene.addNoise("file")
        #expect(ScreenshotWriter.makeFolder(BytePath(file)) != nil)
        #expect(ScreenshotWriter.makeFolder(BytePath(file + "/below/it")) != nil)
        let name = ScreenshotName(location: "/a.mp4", position: .zero)
        guard case .failed(let reason) = ScreenshotWriter.write([1], as: name, in: BytePath(file)) else {
            Issue.record("written into a file")
            return
        }
        #expect(reason.hasPrefix(file))
        #expect(ScreenshotWriter.makeFolder(BytePath(scene.path + "/new/one/")) == nil)
        #expect(ScreenshotWriter.makeFolder(BytePath(scene.path + "/new/one")) == nil)
    }

    // MARK: - The whole way

    private func outcomes(_ count: Int, of orders: [ScreenshotWriter.Order], in folder: BytePath?) -> [ScreenshotWriter
        .Outcome]
    {
        let signal = WakeSignal()
        let saver = ScreenshotWriter(folder: { folder }, wake: { signal.raise() })
        for order in orders { saver.save(order) }
        var outcomes: [ScreenshotWriter.Outcome] = []
        _ = signal.wait(atMost: .seconds(60)) {
            outcomes += saver.take()
            return outcomes.count >= count
        }
        return outcomes
    }

    @Test(
        "The current frame is saved in the video's own size, in a new folder if needed, and the next one as another file"
    )
    func saved() throws {
        let scene = try Scene()
        let folder = BytePath(scene.path + "/Pictures/Films")
        let order = ScreenshotWriter.Order(
            location: SteppedProgram.sample, time: MediaTime(seconds: 1), position: .seconds(1))
        let outcomes = outcomes(2, of: [order, order], in: folder)
        let path = folder.displayPath + "/sample-00.00.01.000"
        #expect(outcomes == [.saved(path + ".png"), .saved(path + "-2.png")])
        let film = try decodePicture(of: SteppedProgram.sample, at: MediaTime(seconds: 1))
        let written = try decodePicture(of: path + ".png", at: .zero)
        #expect(written.size == film.size && written.pixels == film.pixels)
    }

    @Test("The saved frame is the one on screen, not a neighbor, and without a frame nothing is saved")
    func frameOnShow() throws {
        let program = try SteppedProgram(
            size: PixelSize(width: 640, height: 360), playing: SteppedProgram.sample, isPaused: true)
        #expect(program.application.playing?.film.pictureOrder == nil)
        try program.run("the first frame") { $0.application.playing?.film.shownTime != nil }
        let playing = try #require(program.application.playing)
        #expect(playing.film.pictureOrder?.position == .zero)
        playing.player.seek(to: .milliseconds(710), now: .now())
        try program.run("the frame at 0.71 s") { $0.application.playing?.film.pictureOrder?.position != .zero }
        let order = try #require(playing.film.pictureOrder)
        // Thirty frames a second: the 22nd is on show from 0.7 s on.
        #expect(abs(order.position.inSeconds - 0.7) < 0.001)
        #expect(order.location == SteppedProgram.sample)
        playing.play(Playlist([SteppedProgram.sample]), keepsPicture: true)
        #expect(playing.film.pictureOrder == nil, "the next film has not begun, and the last one is over")
    }

    @Test("A missing folder, a missing video and a video without a picture each say why")
    func failed() throws {
        let scene = try Scene()
        let order = ScreenshotWriter.Order(location: SteppedProgram.sample, time: .zero, position: .zero)
        var gone = order
        gone.location = scene.path + "/gone.mp4"
        var audio = order
        audio.location = try scene.addAudio("tone.wav")
        for outcome in outcomes(1, of: [order], in: nil)
            + outcomes(1, of: [order], in: BytePath(try scene.addNoise("file")))
            + outcomes(2, of: [gone, audio], in: BytePath(scene.path))
        {
            guard case .failed(let reason) = outcome else {
                Issue.record("\(outcome)")
                continue
            }
            #expect(!reason.isEmpty)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: scene.path).sorted() == ["file", "tone.wav"])
    }

    @Test("Holding the screenshot key down does not fill memory: excess requests are refused")
    func tooMany() throws {
        let scene = try Scene()
        let folder = BytePath(scene.path + "/nothing")
        let saver = ScreenshotWriter(folder: { folder }, wake: {})
        let order = ScreenshotWriter.Order(location: scene.path + "/gone.mp4", time: .zero, position: .zero)
        var refused = 0
        for _ in 0..<10000 where !saver.save(order) { refused += 1 }
        #expect(refused > 0)
    }
}
