public import Input

/// A key and what is held with it, as something can be bound to it: `Ctrl+RIGHT`, `A`, `Shift+F5`. A value; any thread.
///
/// Two chords that a hand presses alike are equal: the Shift that makes a character what it is belongs to the character
/// (`Shift+a` is `A`), as in key events; with Ctrl or Alt, where the event names the plain character, it is the other way
/// round (`Ctrl+A` is `Ctrl+Shift+a`).
public struct KeyChord: Hashable, Sendable {
    public let key: Key
    public let modifiers: Modifiers

    public init(key: Key, modifiers: Modifiers = []) {
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

    /// What was pressed.
    public init(_ event: KeyEvent) { self.init(key: event.key, modifiers: event.modifiers) }

    private static func sole(_ text: String) -> Character? { text.count == 1 ? text.first : nil }
}
