package import GlissadeInput

/// A key with modifiers, to which a command can be bound, such as `Ctrl+RIGHT`, `A` or `Shift+F5`.
///
/// Chords that are pressed in the same way are equal: `Shift+a` equals `A`, and `Ctrl+A` equals `Ctrl+Shift+a`.
package struct KeyChord: Hashable, Sendable {
    /// The key. A letter typed with Shift is a capital letter, unless Ctrl or Alt is also held.
    package let key: Key
    /// The modifiers. They do not include Shift if `key` is a character, unless Ctrl or Alt is also held.
    package let modifiers: Modifiers

    /// Creates the chord of a key and modifiers. Normalizes both, so that chords pressed in the same way are equal.
    package init(key: Key, modifiers: Modifiers = []) {
        guard case .character(let character) = key else {
            self.key = key
            self.modifiers = modifiers
            return
        }
        if modifiers.isDisjoint(with: [.control, .alt]) {
            let upper = modifiers.contains(.shift) ? Self.sole(character.uppercased()) : nil
            self.key = .character(upper ?? character)
            self.modifiers = modifiers.subtracting(.shift)
        } else if character.isUppercase, let lower = Self.sole(character.lowercased()) {
            self.key = .character(lower)
            self.modifiers = modifiers.union(.shift)
        } else {
            self.key = key
            self.modifiers = modifiers
        }
    }

    /// Creates the chord of a key press.
    package init(_ event: KeyEvent) { self.init(key: event.key, modifiers: event.modifiers) }

    private static func sole(_ text: String) -> Character? { text.count == 1 ? text.first : nil }
}
