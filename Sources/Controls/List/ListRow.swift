public import Geometry
public import Layers

/// A row's view, which the list reuses as rows come into view.
@MainActor open class ListRow {
    /// The row's layer, which the list places and its subclass fills.
    public let layer = Layer()
    /// The index of the row that it shows; nil for none.
    public internal(set) var index: Int?

    public init() {}

    /// Lays out the row in `size` points.
    open func layout(size: Size) {}
    /// Whether the row is hovered, pressed, or selected by keyboard.
    open func setState(_ state: State) {}

    /// How a row is highlighted; a row can be several of these at once.
    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The pointer is over it.
        public static let hovered = State(rawValue: 1)
        /// The pointer is down on it.
        public static let pressed = State(rawValue: 2)
        /// It was chosen by the arrow keys.
        public static let selected = State(rawValue: 4)
    }
}
