import GlissadeInput
import Testing

@testable import GlissadeWindowing

/// Which of the window system's codes are media keys.
@Suite("Media key codes")
struct MediaKeyTests {
    private static let codes: [(evdev: Int32, key: MediaKey)] = [
        (113, .mute), (114, .volumeDown), (115, .volumeUp), (163, .next), (164, .playPause), (165, .previous),
        (166, .stop), (200, .play), (207, .play), (201, .pause),
    ]

    @Test("Media keys are recognized by evdev codes on Wayland, and by codes 8 higher on X11")
    func known() {
        for (code, key) in Self.codes {
            #expect(NamedKey.mediaKey(scancode: code, escape: 1) == .media(key))
            #expect(NamedKey.mediaKey(scancode: code + 8, escape: 9) == .media(key))
        }
        #expect(NamedKey.mediaKey(scancode: 172, escape: 9) == .media(.playPause))
        #expect(NamedKey.mediaKey(scancode: 121, escape: 9) == .media(.mute))
        #expect(Set(Self.codes.map(\.key)) == Set(MediaKey.allCases))
    }

    @Test("Other key codes, and unknown ones, are no media keys")
    func unknown() {
        for code in [-1, 0, 1, 28, 112, 255, .max, .min] as [Int32] {
            #expect(NamedKey.mediaKey(scancode: code, escape: 1) == nil)
            #expect(NamedKey.mediaKey(scancode: code, escape: -1) == nil)
        }
    }
}
