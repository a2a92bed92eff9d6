public import GlissadeGeometry
public import GlissadeTime

/// An input event of a window. Positions are in window points: points from the top-left corner of the window's
/// content.
public enum InputEvent: Hashable, Sendable {
    case pointer(PointerEvent)
    case scroll(ScrollEvent)
    case key(KeyEvent)
}

/// A pointer event: a press, a move, a release, a canceled press, or the pointer entering or leaving the window.
///
/// The mouse is pointer 0. Each finger on a touch screen has a different number while it touches the screen.
public struct PointerEvent: Hashable, Sendable {
    /// The kind of a pointer event. `cancelled` ends a press whose release will not be reported.
    public enum Phase: Hashable, Sendable { case pressed, moved, released, entered, left, cancelled }
    /// A mouse button. `other` holds the windowing library's number for the button.
    public enum Button: Hashable, Sendable { case primary, secondary, middle, other(Int) }

    /// The kind of pointer event.
    public var phase: Phase
    /// The pointer's position, in window points.
    public var position: Point
    /// The button that was pressed, released or canceled; nil for all other events. A press or release without a button
    /// counts as a press or release of the primary button.
    public var button: Button?
    /// The modifier keys that were held down during the event.
    public var modifiers: Modifiers
    /// When the event happened or, if the window system does not report that time, when the event was received.
    public var time: HostTime
    /// The pointer's number; 0 for the mouse.
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

/// A scroll with a mouse wheel or with two fingers. Distances are in wheel notches, and may be fractional.
public struct ScrollEvent: Hashable, Sendable {
    /// The horizontal distance, in wheel notches. A positive distance moves the content to the right.
    public var deltaX: Double
    /// The vertical distance, in wheel notches. A positive distance moves the content down.
    public var deltaY: Double
    /// The pointer's position, in window points.
    public var position: Point
    /// The modifier keys that were held down during the event.
    public var modifiers: Modifiers
    /// When the event happened or, if the window system does not report that time, when the event was received.
    public var time: HostTime
    /// Whether the distances are exact, as those of two fingers on a touchpad. The distances of a wheel are whole
    /// notches.
    public var isPrecise: Bool
    /// Whether the fingers were lifted. The distances are then 0.
    public var isEnd: Bool

    public init(
        deltaX: Double, deltaY: Double, position: Point, modifiers: Modifiers = [], time: HostTime,
        isPrecise: Bool = false, isEnd: Bool = false
    ) {
        self.isPrecise = isPrecise
        self.isEnd = isEnd
        self.deltaX = deltaX
        self.deltaY = deltaY
        self.position = position
        self.modifiers = modifiers
        self.time = time
    }
}

/// A key press, or a repeat while the key is held down. Key releases are not reported.
public struct KeyEvent: Hashable, Sendable {
    /// The key, either as the character that it types or as a named key.
    public var key: Key
    /// The modifier keys that were held down during the event.
    public var modifiers: Modifiers
    /// Whether the event is a repeat, sent because the key is held down.
    public var isRepeat: Bool
    /// When the event was received.
    public var time: HostTime

    public init(key: Key, modifiers: Modifiers = [], isRepeat: Bool = false, time: HostTime) {
        self.key = key
        self.modifiers = modifiers
        self.isRepeat = isRepeat
        self.time = time
    }
}

/// A key that can be bound to a command.
public enum Key: Hashable, Sendable {
    /// A key that types a character, such as `<`. The character depends on the keyboard layout. It also depends on
    /// Shift, unless Control or Alt is held.
    case character(Character)
    case space, escape, enter, backspace, tab, delete, insert
    case left, right, up, down, home, end, pageUp, pageDown
    case function(Int)
    case media(MediaKey)
}

/// The modifier keys that are held during an event. Shift is left out if the key's character already reflects it.
public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Either Shift key.
    public static let shift = Modifiers(rawValue: 1)
    /// Either Control key.
    public static let control = Modifiers(rawValue: 2)
    /// Either Alt key.
    public static let alt = Modifiers(rawValue: 4)
    /// Either Super key, labeled Windows or Command on some keyboards.
    public static let command = Modifiers(rawValue: 8)
}
