import Foundation
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeHistory

/// What is remembered, and given back.
@Suite("Playback history")
struct HistoryTests {
    @Test("A recorded entry is returned with everything in it")
    func recording() throws {
        let scene = try Scene()
        let entry = HistoryEntry(
            media: film("a"), title: "A film “☃”", position: .zero + .seconds(61), duration: .seconds(5400),
            volume: 80.5,
            isMuted: true, speed: 1.25, audioTrack: 2, subtitles: .file(BytePath(bytes: [0x2F, 0xFF, 0x61])),
            lastPlayed: CalendarTime(nanoseconds: 123))
        let history = scene.open()
        history.record(entry)
        #expect(history.entry(for: film("a"), within: .seconds(30)) == entry)
        #expect(history.entry(for: film("b"), within: .seconds(30)) == nil)
        #expect(history.flushAndClose(within: .seconds(30)))
        // And by another run.
        #expect(scene.open().entry(for: film("a"), within: .seconds(30)) == entry)
        #expect(scene.troubles.isEmpty)
    }

    @Test(
        "Every choice of tracks is restored",
        arguments: [
            nil, HistoryEntry.SubtitleChoice.off, .track(0), .track(7), .file(BytePath("/a.srt")),
            .file(BytePath("/a.idx"), track: 3),
        ])
    func tracks(subtitles: HistoryEntry.SubtitleChoice?) throws {
        let scene = try Scene()
        var entry = entry("a", 60)
        entry.subtitles = subtitles
        entry.audioTrack = subtitles == nil ? nil : 1
        scene.open().record(entry)
        // Letting go of it closes it.
        #expect(eventually { scene.open().entry(for: film("a"), within: .seconds(30)) == entry })
    }

    @Test("Paths that are not valid text, URLs and paths with any byte are distinguished")
    func locations() throws {
        let scene = try Scene()
        let history = scene.open()
        let media = [
            MediaIdentity(location: [0x2F, 0xFF, 0xFE], byteCount: 1, modified: CalendarTime(nanoseconds: -5)),
            MediaIdentity(address: "https://example.org/film?a=1"),
            MediaIdentity(
                location: [0x2F] + (1...255).map(UInt8.init), byteCount: .max, modified: CalendarTime(nanoseconds: .max)
            ),
            MediaIdentity(location: Array("/a'; DROP TABLE media; --".utf8), byteCount: 0, modified: nil),
        ]
        for (number, media) in media.enumerated() {
            history.record(HistoryEntry(media: media, title: "", position: .zero + .seconds(number)))
        }
        for (number, media) in media.enumerated() {
            #expect(history.entry(for: media, within: .seconds(30))?.position == .zero + .seconds(number))
        }
    }

    @Test("A file with another size or modification time counts as another video")
    func replaced() throws {
        let scene = try Scene()
        let history = scene.open()
        history.record(entry("a", 60))
        var other = MediaIdentity(location: film("a").location, byteCount: 6, modified: film("a").modified)
        #expect(history.entry(for: other, within: .seconds(30)) == nil)
        other = MediaIdentity(location: film("a").location, byteCount: 5, modified: CalendarTime(nanoseconds: 8))
        #expect(history.entry(for: other, within: .seconds(30)) == nil)
        #expect(history.entry(for: film("a"), within: .seconds(30)) != nil)
    }

    @Test("Of several records of a file the newest is kept, and recent files come first")
    func newest() throws {
        let scene = try Scene()
        let history = scene.open()
        for step in 0..<1000 { history.record(entry(["a", "b", "c"][step % 3], step, played: Int64(step))) }
        #expect(history.entry(for: film("b"), within: .seconds(30))?.position == .zero + .seconds(997))
        history.askRecent(limit: 2)
        #expect(scene.recent(history)?.map(\.title) == ["a", "c"])
        #expect(history.takeRecent() == nil)
        history.askRecent(limit: 0)
        #expect(scene.recent(history) == [])
    }

    @Test("Removed entries are gone, and later records are kept")
    func forgetting() throws {
        let scene = try Scene()
        let history = scene.open()
        for name in ["a", "b", "c"] { history.record(entry(name, 60)) }
        history.forget(film("a").location)
        history.record(entry("d", 60))
        history.forget(film("b").location)
        history.record(entry("b", 70))
        #expect(history.entry(for: film("a"), within: .seconds(30)) == nil)
        #expect(history.entry(for: film("b"), within: .seconds(30))?.position == .zero + .seconds(70))
        #expect(history.entry(for: film("d"), within: .seconds(30)) != nil)
        history.forgetAll()
        history.askRecent(limit: 10)
        #expect(scene.recent(history) == [])
        history.record(entry("e", 60))
        history.askRecent(limit: 10)
        #expect(scene.recent(history)?.map(\.title) == ["e"])
    }

    @Test("Of more than 10,000 entries the most recently played are kept")
    func bounded() throws {
        let scene = try Scene(hasFolder: true)
        let database = try HistoryDatabase(scene.file)
        try database.write((0..<10_005).map { entry("\($0)", 60, played: Int64($0)) })
        let kept = try database.recent(20_000)
        #expect(kept.count == 10_000)
        #expect(kept.first?.title == "10004")
        #expect(kept.last?.title == "5")
        try database.write([entry("old", 60, played: -1)])
        #expect(try database.entry(at: film("old").location) == nil)
        database.close()
    }

    @Test("After the history is closed nothing is recorded, queries return nothing and nothing blocks")
    func end() throws {
        let scene = try Scene()
        let history = scene.open()
        history.record(entry("a", 60))
        #expect(history.flushAndClose(within: .seconds(30)))
        history.record(entry("b", 60))
        #expect(history.entry(for: film("a"), within: .seconds(30)) == nil)
        history.askRecent(limit: 5)
        #expect(history.takeRecent() == nil)
        #expect(history.flushAndClose(within: .seconds(30)))
        let next = scene.open()
        #expect(next.entry(for: film("a"), within: .seconds(30)) != nil)
        #expect(next.entry(for: film("b"), within: .seconds(30)) == nil)
    }

    @Test("Impossible values do no harm")
    func odd() throws {
        let scene = try Scene()
        let history = scene.open()
        var odd = entry("a", 60)
        odd.volume = .nan
        odd.speed = .infinity
        odd.position = MediaTime(nanoseconds: .min)
        odd.duration = .seconds(Int64.max)
        odd.title = "\u{0}\n\u{202E}" + String(repeating: "x", count: 1 << 20)
        history.record(odd)
        let known = history.entry(for: film("a"), within: .seconds(30))
        #expect(known?.volume == 100)
        #expect(known?.speed == 1)
        #expect(known?.position == odd.position)
        #expect(known?.resumePosition == nil)
        #expect(scene.troubles.isEmpty)
    }

    @Test("The history's file and folder are readable by the user only")
    func privacy() throws {
        let scene = try Scene()
        let history = scene.open()
        history.record(entry("a", 60))
        #expect(history.flushAndClose(within: .seconds(30)))
        let folder = try FileManager.default.attributesOfItem(atPath: scene.file.parent.displayPath)
        #expect((folder[.posixPermissions] as? Int) == 0o700)
    }

    @Test("The history's path follows the XDG base directory specification")
    func standardPath() {
        let names: [String] = ["XDG_STATE_HOME", "HOME"]
        let before = names.map { ($0, getenv($0).map { String(cString: $0) }) }
        defer { for (name, value) in before { if let value { setenv(name, value, 1) } else { unsetenv(name) } } }
        setenv("HOME", "/home/x", 1)
        setenv("XDG_STATE_HOME", "/var/x", 1)
        #expect(History.standardPath == BytePath("/var/x/glissade/history.sqlite"))
        setenv("XDG_STATE_HOME", "relative", 1)
        #expect(History.standardPath == BytePath("/home/x/.local/state/glissade/history.sqlite"))
        unsetenv("XDG_STATE_HOME")
        unsetenv("HOME")
        #expect(History.standardPath == nil)
    }

    @Test("A file is identified by its absolute path, size and modification time, and a missing file has no identity")
    func identity() throws {
        let scene = try Scene()
        try FileManager.default.createDirectory(atPath: scene.path, withIntermediateDirectories: true)
        try Data("film".utf8).write(to: URL(fileURLWithPath: scene.path + "/a.mkv"))
        let media = try #require(MediaIdentity(file: BytePath(scene.path + "/a.mkv")))
        #expect(media.location == Array((scene.path + "/a.mkv").utf8))
        #expect(media.byteCount == 4)
        #expect(media.modified != nil)
        #expect(MediaIdentity(file: BytePath(scene.path + "/b.mkv")) == nil)
        #expect(MediaIdentity(file: BytePath("."))?.location.first == UInt8(ascii: "/"))
    }
}
