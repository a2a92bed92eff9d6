import Gestures
import Motion
import Testing

@testable import App

/// Keys and what they do: mpv's, and those that go back.
struct CommandTests {
    private static func event(_ key: Key, _ modifiers: Modifiers = [], isRepeat: Bool = false) -> KeyEvent {
        KeyEvent(key: key, modifiers: modifiers, isRepeat: isRepeat, time: HostTime(nanoseconds: 0))
    }

    static let table: [(Key, Modifiers, Command)] = [
        (.space, [], .togglePause), (.character("p"), [], .togglePause),
        (.left, [], .seek(by: -5, isExact: false)), (.right, [], .seek(by: 5, isExact: false)),
        (.left, .shift, .seek(by: -1, isExact: true)), (.right, .shift, .seek(by: 1, isExact: true)),
        (.up, [], .seek(by: 60, isExact: false)), (.down, [], .seek(by: -60, isExact: false)),
        (.up, .shift, .seek(by: 5, isExact: true)), (.down, .shift, .seek(by: -5, isExact: true)),
        (.character(","), [], .stepFrame(forward: false)), (.character("."), [], .stepFrame(forward: true)),
        (.character("f"), [], .toggleFullscreen), (.escape, [], .leave), (.backspace, [], .back),
        (.character("m"), [], .toggleMute),
        (.character("9"), [], .changeVolume(by: -2)), (.character("0"), [], .changeVolume(by: 2)),
        (.character("/"), [], .changeVolume(by: -2)), (.character("*"), [], .changeVolume(by: 2)),
        (.character("q"), [], .quit),
    ]

    @Test("each key does what it does in mpv", arguments: table)
    func key(key: Key, modifiers: Modifiers, command: Command) {
        #expect(Command(Self.event(key, modifiers)) == command)
    }

    @Test(
        "with Control, Alt or the command key, keys are the desktop's", arguments: [Modifiers.control, .alt, .command])
    func foreign(modifier: Modifiers) {
        for (key, modifiers, _) in Self.table where !(modifier == .alt && key == .left && modifiers.isEmpty) {
            #expect(Command(Self.event(key, modifiers.union(modifier))) == nil)
        }
    }

    @Test("Alt and the left arrow go back, once however long they are held")
    func back() {
        #expect(Command(Self.event(.left, .alt)) == .back)
        #expect(Command(Self.event(.left, .alt, isRepeat: true)) == nil)
    }

    @Test("a key that is held goes on seeking, stepping and changing the volume, and does nothing else again")
    func repeats() {
        for (key, modifiers, command) in Self.table {
            let repeated = Command(Self.event(key, modifiers, isRepeat: true))
            switch command {
            case .seek, .stepFrame, .changeVolume: #expect(repeated == command)
            default: #expect(repeated == nil, "\(command)")
            }
        }
    }

    @Test(
        "other keys do nothing",
        arguments: [Key.character("x"), .character("Q"), .character("F"), .character("é"), .tab, .enter, .function(11)])
    func others(key: Key) {
        #expect(Command(Self.event(key)) == nil)
    }
}
