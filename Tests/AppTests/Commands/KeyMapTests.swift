import GlissadeControls
import GlissadeInput
import GlissadeSettings
import Testing
import GlissadeTime

@testable import GlissadeApp

/// Keys and what they do: mpv's, those that go back, and what the settings say otherwise.
@Suite("Key map")
struct KeyMapTests {
    private static func event(_ key: Key, _ modifiers: Modifiers = [], isRepeat: Bool = false) -> KeyEvent {
        KeyEvent(key: key, modifiers: modifiers, isRepeat: isRepeat, time: HostTime(nanoseconds: 0))
    }

    static let table: [(Key, Modifiers, Command)] = [
        (.space, [], .togglePause), (.character("p"), [], .togglePause),
        (.left, [], .seek(by: -5, isExact: false)), (.right, [], .seek(by: 5, isExact: false)),
        (.left, .shift, .seek(by: -1, isExact: true)), (.right, .shift, .seek(by: 1, isExact: true)),
        (.up, [], .seek(by: 60, isExact: false)), (.down, [], .seek(by: -60, isExact: false)),
        (.up, .shift, .seek(by: 5, isExact: true)), (.down, .shift, .seek(by: -5, isExact: true)),
        (.home, [], .goToStart), (.end, [], .goToEnd),
        (.pageUp, [], .chapter(by: 1)), (.pageDown, [], .chapter(by: -1)),
        (.character(","), [], .stepFrame(forward: false)), (.character("."), [], .stepFrame(forward: true)),
        (.character("<"), [], .previous), (.character(">"), [], .next),
        (.character("["), [], .multiplySpeed(by: 1 / 1.1)), (.character("]"), [], .multiplySpeed(by: 1.1)),
        (.character("{"), [], .multiplySpeed(by: 0.5)), (.character("}"), [], .multiplySpeed(by: 2)),
        (.backspace, [], .setSpeed(1)), (.character("l"), [], .markLoop), (.character("L"), [], .toggleFileLoop),
        (.character("f"), [], .toggleFullscreen), (.character("T"), [], .toggleOnTop), (.escape, [], .leave),
        (.character("m"), [], .toggleMute), (.character("s"), [], .screenshot),
        (.character("i"), [], .toggleStatistics),
        (.character("?"), [], .showKeys), (.character("#"), [], .cycleAudioTrack),
        (.character("j"), [], .cycleSubtitleTrack(forward: true)),
        (.character("J"), [], .cycleSubtitleTrack(forward: false)),
        (.character("9"), [], .changeVolume(by: -2)), (.character("0"), [], .changeVolume(by: 2)),
        (.character("/"), [], .changeVolume(by: -2)), (.character("*"), [], .changeVolume(by: 2)),
        (.media(.playPause), [], .togglePause), (.media(.next), [], .next), (.media(.previous), [], .previous),
        (.media(.stop), [], .stop), (.media(.mute), [], .toggleMute),
        (.character("q"), [], .quit), (.character("q"), .control, .quit), (.character("w"), .control, .quit),
        (.function(11), [], .toggleFullscreen), (.enter, .alt, .toggleFullscreen),
    ]

    @Test("Each key does what it does in mpv, and media keys do what they are labelled with", arguments: table)
    func key(key: Key, modifiers: Modifiers, command: Command) {
        #expect(KeyMap().command(for: Self.event(key, modifiers)) == command)
    }

    @Test(
        "Keys with Control, Alt or the command key are left to the desktop",
        arguments: [Modifiers.control, .alt, .command])
    func foreign(modifier: Modifiers) {
        let bound = Set(KeyMap.defaults.map(\.chord))
        for (key, modifiers, _) in Self.table {
            let chord = KeyChord(key: key, modifiers: modifiers.union(modifier))
            if bound.contains(chord) { continue }
            #expect(KeyMap().command(for: Self.event(key, modifiers.union(modifier))) == nil)
        }
        // With Alt: back, forward, the library, and fullscreen.
        #expect(bound.filter { $0.modifiers.contains(modifier) }.count <= (modifier == .alt ? 4 : 3))
    }

    @Test("In the library, Backspace goes back and Alt+Right to what plays, and Ctrl+O does nothing")
    func library() {
        let (map, contexts) = (KeyMap(), [KeyContext.library, .list])
        #expect(map.command(for: Self.event(.backspace), in: contexts) == .leaveFolder)
        #expect(map.command(for: Self.event(.backspace)) == .setSpeed(1))
        #expect(map.command(for: Self.event(.right, .alt), in: contexts) == .goToPlayer)
        #expect(map.command(for: Self.event(.right, .alt)) == .showDetails)
        #expect(map.command(for: Self.event(.character("o"), .control), in: contexts) == nil)
        #expect(map.command(for: Self.event(.character("C"))) == .toggleFloatingClock)
    }

    @Test("Alt with the left arrow goes back once, however long it is held")
    func back() {
        #expect(KeyMap().command(for: Self.event(.left, .alt)) == .back)
        #expect(KeyMap().command(for: Self.event(.left, .alt, isRepeat: true)) == nil)
    }

    @Test("A held key repeats only commands for which repeating makes sense")
    func repeats() {
        for (key, modifiers, command) in Self.table {
            let repeated = KeyMap().command(for: Self.event(key, modifiers, isRepeat: true))
            #expect(repeated == (command.repeats ? command : nil), "\(command)")
        }
        #expect(Command.seek(by: 5, isExact: false).repeats)
        #expect(!Command.togglePause.repeats && !Command.screenshot.repeats && !Command.quit.repeats)
    }

    @Test("Unassigned keys do nothing", arguments: [Key.character("F"), .character("é"), .tab, .enter, .function(12)])
    func others(key: Key) {
        #expect(KeyMap().command(for: Self.event(key)) == nil)
    }

    @Test("The settings can give a key another command or none, and leave all others alone")
    func settings() throws {
        let x = try #require(try? KeyChord(name: "x"))
        let space = try #require(try? KeyChord(name: "SPACE"))
        let right = try #require(try? KeyChord(name: "Ctrl+RIGHT"))
        let map = KeyMap(changes: [x: .command("seek-exactly -0.5"), space: .none, right: .command("chapter 1")])
        #expect(map.command(for: Self.event(.character("x"))) == .seek(by: -0.5, isExact: true))
        #expect(map.command(for: Self.event(.space)) == nil)
        #expect(map.command(for: Self.event(.right, .control)) == .chapter(by: 1))
        #expect(map.command(for: Self.event(.right)) == .seek(by: 5, isExact: false))
    }

    @Test("The list of keys has each command once, with all of its keys")
    func list() throws {
        let lines = KeyMap().sections.flatMap(\.lines)
        let pause = try #require(lines.first { $0.value == Command.togglePause.summary })
        #expect(pause.label == "SPACE, p, PLAYPAUSE")
        #expect(Set(lines.map(\.value)).count == lines.count)
        #expect(lines.count == Set(KeyMap.defaults.map(\.command)).count)
    }

    @Test("Every default key has one command in each context")
    func unique() {
        for context in [nil] + KeyContext.allCases.map(Optional.some) {
            let bindings = KeyMap.defaults.filter { $0.command.context == context }
            #expect(Set(bindings.map(\.chord)).count == bindings.count)
        }
    }

    static let listTable: [(Key, Command)] = [
        (.up, .moveInList(.up)), (.down, .moveInList(.down)), (.pageUp, .moveInList(.pageUp)),
        (.pageDown, .moveInList(.pageDown)), (.home, .moveInList(.start)), (.end, .moveInList(.end)),
        (.enter, .openSelection),
    ]

    @Test("In a list, arrow keys and Enter move the selection and open it", arguments: listTable)
    func listKeys(key: Key, command: Command) {
        #expect(KeyMap().command(for: Self.event(key), in: [.list]) == command)
        #expect(KeyMap().command(for: Self.event(key), in: [.library, .list]) == command)
        #expect(KeyMap().command(for: Self.event(key)) != command)
    }

    @Test("The v key switches the view in the library, and subtitles elsewhere")
    func libraryView() {
        #expect(KeyMap().command(for: Self.event(.character("v")), in: [.library, .list]) == .toggleLibraryView)
        #expect(KeyMap().command(for: Self.event(.character("v")), in: [.list]) == .toggleSubtitles)
        #expect(KeyMap().command(for: Self.event(.character("v"))) == .toggleSubtitles)
    }

    @Test("With Shift, a key of a list has its usual command")
    func shiftInList() {
        #expect(KeyMap().command(for: Self.event(.up, .shift), in: [.list]) == .seek(by: 5, isExact: true))
        #expect(KeyMap().command(for: Self.event(.home, .shift), in: [.list]) == .goToStart)
    }

    @Test("The settings rebind the keys of lists and of the library, and leave the same keys elsewhere alone")
    func listSettings() throws {
        let key = { try KeyChord(name: $0) }
        let map = KeyMap(changes: [
            try key("c"): .command("library-view"), try key("k"): .command("list-up"),
            try key("DOWN"): .command("volume 2"), try key("v"): .none,
        ])
        #expect(map.command(for: Self.event(.character("c")), in: [.library, .list]) == .toggleLibraryView)
        #expect(map.command(for: Self.event(.character("k")), in: [.list]) == .moveInList(.up))
        #expect(map.command(for: Self.event(.character("k"))) == nil)
        #expect(map.command(for: Self.event(.down), in: [.list]) == .moveInList(.down))
        #expect(map.command(for: Self.event(.down)) == .changeVolume(by: 2))
        #expect(map.command(for: Self.event(.character("v")), in: [.library, .list]) == nil)
        #expect(map.command(for: Self.event(.character("v"))) == nil)
    }

    @Test(
        "Commands are written in the settings as words",
        arguments: [
            ("play-pause", Command.togglePause), ("seek -5", .seek(by: -5, isExact: false)),
            ("seek  0.5", .seek(by: 0.5, isExact: false)), ("speed 1.5", .setSpeed(1.5)),
            ("multiply-speed 0.9", .multiplySpeed(by: 0.9)), ("volume -5", .changeVolume(by: -5)),
            ("subtitle-delay 0.2", .delaySubtitles(by: 2)), ("chapter -1", .chapter(by: -1)),
        ])
    func words(text: String, command: Command) {
        #expect(Command(text: text) == command)
    }

    @Test(
        "A settings file written for version 0.1 keeps its commands",
        arguments: [
            ("frame-on", Command.stepFrame(forward: true)), ("frame-back", .stepFrame(forward: false)),
            ("next-sound", .cycleAudioTrack), ("next-subtitles", .cycleSubtitleTrack(forward: true)),
            ("previous-subtitles", .cycleSubtitleTrack(forward: false)),
            ("speed-times 0.9", .multiplySpeed(by: 0.9)),
        ])
    func formerWords(text: String, command: Command) {
        #expect(Command(text: text) == command)
        let file = Array("[keys]\nx = \"\(text)\"".utf8)
        let (settings, mistakes) = SettingsReader.read(file, file: "", vocabulary: KeyMap.vocabulary)
        #expect(mistakes.isEmpty && settings.keys.count == 1)
    }

    @Test(
        "Unknown command names are rejected",
        arguments: [
            "", " ", "none", "seek", "seek x", "seek 1 2", "seek nan", "seek inf", "seek 1e300", "speed 0", "speed 99",
            "play-pause 3", "multiply-speed -1", "volume 1e99", "PLAY-PAUSE", String(repeating: "a", count: 100_000),
        ])
    func noWords(text: String) {
        #expect(Command(text: text) == nil)
    }

    @Test("Each command name that the settings accept is a command, alone or with a number")
    func names() {
        for name in KeyMap.vocabulary.commands {
            #expect(Command(text: name) != nil || Command(text: name + " 1") != nil, "\(name)")
        }
        #expect(KeyMap.vocabulary.gestures.contains("double-click"))
        #expect(KeyMap.vocabulary.fault("seek") != nil)
        #expect(KeyMap.vocabulary.fault("seek 5") == nil)
    }
}
