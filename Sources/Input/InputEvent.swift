public import Geometry
public import Time

/// User input to a window, in order. Positions are window points.
public enum InputEvent: Hashable, Sendable {
    case pointer(PointerEvent)
    case scroll(ScrollEvent)
    case key(KeyEvent)
}

/// A press, move or release of a pointer.
///
/// The mouse is pointer 0. Each finger on a touch screen has a different number while it is down.
public struct PointerEvent: Hashable, Sendable {
    /// The action of the pointer.
    public enum Phase: Hashable, Sendable { case pressed, moved, released, entered, left, cancelled }
    /// A button of the mouse; `other` has the window system's number.
    public enum Button: Hashable, Sendable { case primary, secondary, middle, other(Int) }

    /// The action.
    public var phase: Phase
    /// The pointer's position, in window points.
    public var position: Point
    /// The button that was pressed or released.
    public var button: Button?
    /// The modifier keys that were held.
    public var modifiers: Modifiers
    /// When the event happened.
    public var time: HostTime
    /// The pointer's number.
    public var pointer: Int

    public init(
        phase: Phase, position: Point, button: Button? = nil, modifiers: Modifiers = [], time: HostTime,
        pointer: Int = 0
    ) {
        self.phase = phase
        self.position = position
        self.button = button
        self.modifiers = modifiers
        self.time = time
        self.pointer = pointer
    }
}

/// A movement of the wheel or of two fingers; `deltaX` and `deltaY` are in wheel notches, possibly fractional.
public struct ScrollEvent: Hashable, Sendable {
    /// Horizontal notches; positive moves content to the right.
    public var deltaX: Double
    /// Vertical notches; positive moves content down.
    public var deltaY: Double
    /// The pointer's position, in window points.
    public var position: Point
    /// The modifier keys that were held.
    public var modifiers: Modifiers
    /// When the event happened.
    public var time: HostTime

    public init(deltaX: Double, deltaY: Double, position: Point, modifiers: Modifiers = [], time: HostTime) {
        self.deltaX = deltaX
        self.deltaY = deltaY
        self.position = position
        self.modifiers = modifiers
        self.time = time
    }
}

/// A key press or repeat: the typed character, or the key.
public struct KeyEvent: Hashable, Sendable {
    /// The key or character.
    public var key: Key
    /// The modifier keys that were held.
    public var modifiers: Modifiers
    /// Whether the keyboard repeats a key that is held.
    public var isRepeat: Bool
    /// When the event happened.
    public var time: HostTime

    public init(key: Key, modifiers: Modifiers = [], isRepeat: Bool = false, time: HostTime) {
        self.key = key
        self.modifiers = modifiers
        self.isRepeat = isRepeat
        self.time = time
    }
}

/// Keys that can be bound to a command.
public enum Key: Hashable, Sendable {
    /// A key that types a character in the user's keyboard layout, with Shift applied, such as `<`.
    case character(Character)
    case space, escape, enter, backspace, tab, delete, insert
    case left, right, up, down, home, end, pageUp, pageDown
    case function(Int)
    case media(MediaKey)
}

/// Modifier keys held during an event. Shift is not reported with a character that it has already changed.
public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Either Shift key.
    public static let shift = Modifiers(rawValue: 1)
    /// Either Control key.
    public static let control = Modifiers(rawValue: 2)
    /// Either Alt key.
    public static let alt = Modifiers(rawValue: 4)
    /// The Windows, Super or Command key.
    public static let command = Modifiers(rawValue: 8)
}
