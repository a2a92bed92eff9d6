public import Geometry
public import Time

/// What a hand does to a window, in the order in which it did it. Positions are window points.
public enum InputEvent: Hashable, Sendable {
    case pointer(PointerEvent)
    case scroll(ScrollEvent)
    case key(KeyEvent)
}

/// A press, move or release of one pointer.
///
/// A mouse is pointer 0; where there are several (the fingers on a touch screen), each has a number of its own while it
/// is down.
public struct PointerEvent: Hashable, Sendable {
    public enum Phase: Hashable, Sendable { case pressed, moved, released, entered, left, cancelled }
    public enum Button: Hashable, Sendable { case primary, secondary, middle, other(Int) }

    public var phase: Phase
    public var position: Point
    /// The button that changed, for a press or release.
    public var button: Button?
    public var modifiers: Modifiers
    public var time: HostTime
    /// Which pointer it was.
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

/// A turn of a wheel or a move of two fingers; `deltaX` and `deltaY` count wheel notches, fractions included.
public struct ScrollEvent: Hashable, Sendable {
    public var deltaX: Double
    public var deltaY: Double
    public var position: Point
    public var modifiers: Modifiers
    public var time: HostTime

    public init(deltaX: Double, deltaY: Double, position: Point, modifiers: Modifiers = [], time: HostTime) {
        self.deltaX = deltaX
        self.deltaY = deltaY
        self.position = position
        self.modifiers = modifiers
        self.time = time
    }
}

/// A key as it goes down or repeats: what it types, or which one it is where it types nothing.
public struct KeyEvent: Hashable, Sendable {
    public var key: Key
    public var modifiers: Modifiers
    public var isRepeat: Bool
    public var time: HostTime

    public init(key: Key, modifiers: Modifiers = [], isRepeat: Bool = false, time: HostTime) {
        self.key = key
        self.modifiers = modifiers
        self.isRepeat = isRepeat
        self.time = time
    }
}

/// The keys that something can be bound to.
public enum Key: Hashable, Sendable {
    /// A key that types a character under the user's layout, Shift already applied: `<` is one, whatever it is on.
    case character(Character)
    case space, escape, enter, backspace, tab, delete, insert
    case left, right, up, down, home, end, pageUp, pageDown
    case function(Int)
    case media(MediaKey)
}

/// Keys held while something else happens. Shift is not reported with a character it has already changed.
public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    public static let shift = Modifiers(rawValue: 1)
    public static let control = Modifiers(rawValue: 2)
    public static let alt = Modifiers(rawValue: 4)
    public static let command = Modifiers(rawValue: 8)
}
