import GlissadeInput
import GlissadeSettings
import Testing
import GlissadeTime

/// How keys are named, and which names are the same key.
@Suite("Key chords")
struct KeyChordTests {
    @Test(
        "Every named key is parsed and formatted by its name",
        arguments: [
            ("SPACE", Key.space), ("ESC", .escape), ("ENTER", .enter), ("BS", .backspace), ("TAB", .tab),
            ("DEL", .delete), ("INS", .insert), ("LEFT", .left), ("RIGHT", .right), ("UP", .up), ("DOWN", .down),
            ("HOME", .home), ("END", .end), ("PGUP", .pageUp), ("PGDWN", .pageDown), ("F1", .function(1)),
            ("F35", .function(35)), ("PLAYPAUSE", .media(.playPause)), ("PLAY", .media(.play)),
            ("PAUSE", .media(.pause)), ("STOP", .media(.stop)), ("NEXT", .media(.next)), ("PREV", .media(.previous)),
            ("VOLUME_UP", .media(.volumeUp)), ("VOLUME_DOWN", .media(.volumeDown)), ("MUTE", .media(.mute)),
            ("#", .character("#")), ("<", .character("<")), ("+", .character("+")), ("a", .character("a")),
            ("A", .character("A")), ("ж", .character("ж")), ("é", .character("é")), ("\"", .character("\"")),
        ])
    func named(name: String, key: Key) throws {
        let chord = try KeyChord(name: name)
        #expect(chord.key == key)
        #expect(chord.modifiers.isEmpty)
        #expect(chord.description == name)
        let held = try KeyChord(name: "Ctrl+Alt+Meta+\(name == "A" ? "a" : name)")
        #expect(held.modifiers == [.control, .alt, .command])
        #expect(try KeyChord(name: held.description) == held)
    }

    @Test("PLUS and SHARP stand for characters that are hard to write")
    func otherNames() throws {
        #expect(try KeyChord(name: "PLUS") == KeyChord(name: "+"))
        #expect(try KeyChord(name: "Ctrl++") == KeyChord(name: "Ctrl+PLUS"))
        #expect(try KeyChord(name: "SHARP") == KeyChord(name: "#"))
        #expect(try KeyChord(name: " ") == KeyChord(name: "SPACE"))
    }

    @Test("Case matters only for a character, and the order of modifiers does not matter")
    func alike() throws {
        #expect(try KeyChord(name: "ctrl+shift+right") == KeyChord(name: "Shift+CTRL+RIGHT"))
        #expect(try KeyChord(name: "f5") == KeyChord(name: "F5"))
        #expect(try KeyChord(name: "a") != KeyChord(name: "A"))
        #expect(try KeyChord(name: "Shift+Ctrl+F5").description == "Ctrl+Shift+F5")
    }

    @Test("Shift is part of the character it produces, and a modifier together with Ctrl or Alt")
    func shift() throws {
        #expect(try KeyChord(name: "Shift+a") == KeyChord(name: "A"))
        #expect(try KeyChord(name: "Meta+Shift+a") == KeyChord(name: "Meta+A"))
        #expect(try KeyChord(name: "Ctrl+A") == KeyChord(name: "Ctrl+Shift+a"))
        let time = HostTime(nanoseconds: 0)
        let typed = KeyEvent(key: .character("A"), time: time)
        #expect(try KeyChord(typed) == KeyChord(name: "Shift+a"))
        let held = KeyEvent(key: .character("a"), modifiers: [.control, .shift], time: time)
        #expect(try KeyChord(held) == KeyChord(name: "Ctrl+A"))
        let digit = KeyEvent(key: .character("1"), modifiers: [.alt, .shift], time: time)
        #expect(try KeyChord(digit) == KeyChord(name: "Alt+Shift+1"))
        let arrow = KeyEvent(key: .left, modifiers: .shift, time: time)
        #expect(try KeyChord(arrow) == KeyChord(name: "Shift+LEFT"))
    }

    @Test(
        "An invalid key name says why",
        arguments: [
            ("", "the key is missing"), ("Ctrl+", "unknown key 'Ctrl+'"), ("++", "unknown key '++'"),
            ("Ctrk+a", "unknown modifier 'Ctrk'; did you mean 'Ctrl'?"), ("Hyper+a", "unknown modifier 'Hyper'"),
            ("RIHGT", "unknown key 'RIHGT'; did you mean 'RIGHT'?"), ("F0", "unknown key 'F0'"),
            ("F36", "unknown key 'F36'"), ("F+1", "unknown modifier 'F'"), ("xy", "unknown key 'xy'"),
            ("\u{1}", "unknown key '\u{1}'"), ("Shift+1", nil),
        ])
    func wrong(name: String, reason: String?) throws {
        let error = #expect(throws: KeyChord.NameError.self) { _ = try KeyChord(name: name) }
        if let reason { #expect(error?.reason == reason) }
    }
}
