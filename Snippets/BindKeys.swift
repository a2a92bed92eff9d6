//! Binds keys to commands. A key event carries the character that the key types in the user's keyboard layout.

import GlissadeInput
import GlissadeTime

func command(for event: InputEvent) -> String? {
    guard case .key(let press) = event else { return nil }
    return switch (press.key, press.modifiers) {
    case (.space, []), (.media(.playPause), _): "play or pause"
    case (.right, []): "seek 5 s"
    case (.right, .shift): "seek 1 s"
    case (.character("m"), []) where !press.isRepeat: "mute"
    default: nil
    }
}

let now = HostTime(nanoseconds: 0)
for key in [Key.space, .right, .character("m"), .escape] {
    print("\(key): \(command(for: .key(KeyEvent(key: key, time: now))) ?? "nothing")")
}
print("Shift+right: \(command(for: .key(KeyEvent(key: .right, modifiers: .shift, time: now))) ?? "nothing")")
