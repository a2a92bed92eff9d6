import GlissadePlatform
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeDesktop

/// What a desktop can ask for, and what it is told.
@MainActor @Suite("MPRIS commands", .serialized) struct DesktopCommandTests {
    private let scene: DesktopScene
    private let name = DesktopScene.name
    private var client: BusClient { scene.client }

    init() throws {
        scene = try DesktopScene()
        #expect(try scene.start())
    }

    @Test("Each MPRIS method becomes its command, in order")
    func keys() throws {
        for member in ["Play", "Pause", "PlayPause", "Stop", "Next", "Previous", "Raise", "Quit"] {
            try client.call(name, member)
        }
        #expect(scene.commands(8) == [.play, .pause, .playPause, .stop, .next, .previous, .raise, .quit])
    }

    @Test("Commands that are not possible are ignored without an error")
    func nothingOpen() throws {
        scene.state = DesktopState()
        scene.publish()
        for member in ["Play", "Pause", "PlayPause", "Stop", "Next", "Previous"] { try client.call(name, member) }
        try client.call(name, "Seek") { message throws(BusError) in try message.append(Int64(5_000_000)) }
        try client.call(name, "Raise")
        #expect(scene.commands(1) == [.raise])
    }

    @Test("A relative seek stops at the beginning, and beyond the end it goes to the next file")
    func seeking() throws {
        scene.state.status = .paused
        scene.publish()
        for offset in [5_000_000, -5_000_000, -50_000_000, Int64.min, 91_000_000, Int64.max] {
            try client.call(name, "Seek") { message throws(BusError) in try message.append(offset) }
        }
        #expect(
            scene.commands(6) == [
                .seek(by: .seconds(5)), .seek(by: .seconds(-5)), .seek(by: .seconds(-10)), .seek(by: .seconds(-10)),
                .next, .next,
            ])
        scene.state.canGoNext = false
        scene.publish()
        try client.call(name, "Seek") { message throws(BusError) in try message.append(Int64.max) }
        #expect(scene.commands(1) == [.setPosition(.seconds(100))])
        scene.state.canSeek = false
        scene.publish()
        try client.call(name, "Seek") { message throws(BusError) in try message.append(Int64(1)) }
        try client.call(name, "Raise")
        #expect(scene.commands(1) == [.raise])
    }

    @Test("An absolute seek is accepted only within the current track, and only for that track")
    func places() throws {
        func setPosition(_ track: String, _ place: Int64) throws {
            try client.call(name, "SetPosition") { message throws(BusError) in
                try message.append(track, as: "o")
                try message.append(place)
            }
        }
        let track = try #require(try client.metadata(name)["mpris:trackid"])
        try setPosition(track, 42_000_000)
        for place in [-1, 100_000_001, Int64.min, Int64.max] { try setPosition(track, place) }
        try setPosition("/another", 42_000_000)
        scene.state.location = "/films/two.mkv"
        scene.publish()
        try setPosition(track, 43_000_000)
        let second = try #require(try client.metadata(name)["mpris:trackid"])
        #expect(second != track)
        try setPosition(second, 0)
        #expect(scene.commands(2) == [.setPosition(.seconds(42)), .setPosition(.zero)])
    }

    @Test("Volume and speed are clamped to their limits, and non-finite values are refused")
    func numbers() throws {
        for value in [0.5, -3.0, 77.0] { try client.set(name, "Volume", value) }
        for value in [2.0, 0, 1000, -1] { try client.set(name, "Rate", value) }
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(throws: BusClient.Refused.self) { try client.set(name, "Volume", value) }
            #expect(throws: BusClient.Refused.self) { try client.set(name, "Rate", value) }
        }
        #expect(throws: BusClient.Refused.self) { try client.set(name, "Position", 1) }
        #expect(throws: BusClient.Refused.self) { try client.set(name, "Nonsense", 1) }
        let commands = scene.commands(5)
        // Of a slider's values that were not yet taken, the last counts.
        #expect(commands.filter { if case .setVolume = $0 { true } else { false } }.last == .setVolume(1.3))
        #expect(Array(commands.suffix(4)) == [.setRate(2), .pause, .setRate(4), .setRate(0.25)])
    }

    @Test("A URI to open is passed on unchanged, and an invalid or far too long one is refused")
    func addresses() throws {
        func open(_ address: String) throws {
            try client.call(name, "OpenUri") { message throws(BusError) in try message.append(address) }
        }
        try open("file:///films/a%20film.mkv")
        try open("HTTPS://example.org/\u{1F3AC}")
        for bad in [
            "", "/films/one.mkv", "javascript:alert(1)", "rtmpt://example.org/x", "httpsx://example.org", ":", "x",
            "file",
        ] {
            #expect(throws: BusClient.Refused.self) { try open(bad) }
        }
        #expect(throws: BusClient.Refused.self) { try open("file:///" + String(repeating: "x", count: 1 << 20)) }
        #expect(scene.commands(2) == [.open("file:///films/a%20film.mkv"), .open("HTTPS://example.org/\u{1F3AC}")])
    }

    @Test("Malformed calls are refused, and the next call still works")
    func malformed() throws {
        #expect(throws: BusClient.Refused.self) { try client.call(name, "Seek") }
        #expect(throws: BusClient.Refused.self) {
            try client.call(name, "Seek") { message throws(BusError) in try message.append("five") }
        }
        #expect(throws: BusClient.Refused.self) { try client.call(name, "Nonsense") }
        try client.call(name, "Play")
        #expect(scene.commands(1) == [.play])
    }

    @Test("A flood of commands is limited to a bounded number")
    func flood() throws {
        for _ in 0..<500 { try client.call(name, "PlayPause") }
        #expect(scene.session.takeCommands().count == SharedDesktopState.commandLimit)
        try client.call(name, "Play")
        #expect(scene.commands(1) == [.play])
    }

    @Test("The properties are those of the current state")
    func properties() throws {
        scene.state.rate = 1.5
        scene.state.volume = 0.7
        scene.state.canGoPrevious = false
        scene.publish()
        #expect(try client.text(name, "PlaybackStatus") == "Playing")
        #expect(try client.number(name, "Rate") == 1.5)
        #expect(try client.number(name, "Volume") == 0.7)
        #expect(try client.number(name, "MinimumRate") == 0.25)
        #expect(try client.number(name, "MaximumRate") == 4)
        #expect(try client.isSo(name, "CanGoNext"))
        #expect(try !client.isSo(name, "CanGoPrevious"))
        for property in ["CanPlay", "CanPause", "CanSeek", "CanControl"] { #expect(try client.isSo(name, property)) }
        #expect(try client.text(name, "Identity", of: MediaPlayerObject.busName) == "Glissade")
        #expect(try client.text(name, "DesktopEntry", of: MediaPlayerObject.busName) == "glissade")
        var metadata = try client.metadata(name)
        let track = metadata.removeValue(forKey: "mpris:trackid")
        #expect(track?.hasPrefix("/org/glissade/medium/") == true)
        #expect(metadata == ["xesam:title": "One", "mpris:length": "100000000"])
    }

    @Test("The artist, the album and the cover art of a song are published")
    func song() throws {
        scene.state.artist = "Somebody"
        scene.state.album = "Collected\u{7} songs"
        scene.state.art = "file:///music/cover.jpg"
        scene.publish()
        let metadata = try client.metadata(name)
        #expect(metadata["xesam:artist"] == "[Somebody]")
        #expect(metadata["xesam:album"] == "Collected songs")
        #expect(metadata["mpris:artUrl"] == "file:///music/cover.jpg")
        // The cover is found later than the rest.
        try client.listen()
        scene.state.art = "file:///music/folder.jpg"
        scene.publish()
        #expect(try client.wait { client.changed.contains("Metadata") })
    }

    @Test("The URL is published, but not one that is too long or not ASCII")
    func url() throws {
        for (url, isPublished) in [
            ("file:///films/a%20film.mkv", true), ("https://example.org/\u{1F3AC}", false), ("file:///a b", false),
            ("file:///" + String(repeating: "x", count: 1 << 14), false),
        ] {
            scene.state.url = url
            scene.publish()
            #expect(try client.metadata(name)["xesam:url"] == (isPublished ? url : nil))
        }
        try client.listen()
        scene.state.url = "file:///films/b.mkv"
        scene.publish()
        #expect(try client.wait { client.changed.contains("Metadata") })
    }

    @Test("The capabilities are introspected as MPRIS defines them")
    func introspection() throws {
        let text = try client.call(name, "org.freedesktop.DBus.Introspectable", "Introspect") {
            message throws(BusError) in try message.readText()
        }
        for part in [
            "<interface name=\"org.mpris.MediaPlayer2\">", "<interface name=\"org.mpris.MediaPlayer2.Player\">",
            "<method name=\"SetPosition\">", "<arg type=\"x\" name=\"Offset\" direction=\"in\"/>",
            "<signal name=\"Seeked\">", "<property name=\"Metadata\" type=\"a{sv}\" access=\"read\">",
            "<property name=\"Volume\" type=\"d\" access=\"readwrite\">",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("Invalid UTF-8 and non-finite numbers are replaced before they reach the bus")
    func hostileState() throws {
        scene.state.title = "a\u{0}b" + String(repeating: "\u{1F3AC}", count: 100_000)
        scene.state.rate = .nan
        scene.state.volume = .infinity
        scene.state.length = .seconds(Int64.max)
        scene.state.position = .seconds(-Int64.max)
        scene.publish()
        #expect(try client.metadata(name)["xesam:title"] == "ab" + String(repeating: "\u{1F3AC}", count: 1022))
        #expect(try client.number(name, "Rate") == 0)
        #expect(try client.number(name, "Volume") == 0)
        #expect(try client.microseconds(name, "Position") == 0)
        scene.state = DesktopState()
        scene.publish()
        #expect(try client.text(name, "PlaybackStatus") == "Stopped")
        #expect(
            try client.metadata(name) == ["mpris:trackid": "/org/mpris/MediaPlayer2/TrackList/NoTrack"])
    }

    @Test("The position advances by itself while playing and stands still while paused")
    func position() throws {
        let told = HostTime.now() - .seconds(20)
        scene.session.publish(scene.state, now: told)
        let position = try client.microseconds(name, "Position")
        #expect((30_000_000...100_000_000).contains(position))
        scene.state.rate = 2
        scene.session.publish(scene.state, now: told)
        #expect(try client.microseconds(name, "Position") >= 50_000_000)
        scene.state.status = .paused
        scene.session.publish(scene.state, now: told)
        #expect(try client.microseconds(name, "Position") == 10_000_000)
        scene.state.status = .playing
        scene.session.publish(scene.state, now: told - .seconds(1000))
        #expect(try client.microseconds(name, "Position") == 100_000_000, "no further than the end")
    }
}
