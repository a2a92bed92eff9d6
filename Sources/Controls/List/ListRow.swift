public import Geometry
public import Layers

/// A row's view: made once, shown for one row after another as they come into view.
@MainActor open class ListRow {
    public let layer = Layer()
    /// Which row it shows; nil while it shows none.
    public internal(set) var index: Int?

    public init() {}

    /// Lays the row out over `size` points.
    open func layout(size: Size) {}
    /// The pointer is over the row, it is pressed, or the keyboard's selection is on it.
    open func setState(_ state: State) {}

    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        public static let hovered = State(rawValue: 1)
        public static let pressed = State(rawValue: 2)
        public static let selected = State(rawValue: 4)
    }
}
