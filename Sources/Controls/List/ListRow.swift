public import GlissadeGeometry
public import GlissadeLayers

/// A view that shows a row of a list. The list reuses the view for other rows as they come into view.
@MainActor open class ListRow {
    /// The row's layer. The list places it, and a subclass of `ListRow` fills it.
    public let layer = Layer()
    /// The index of the row that this view shows; nil while it is unused.
    public internal(set) var index: Int?

    public init() {}

    /// Lays out the content for the row's size, in points. Called when the row's size changes. Does nothing by default.
    open func layout(size: Size) {}
    /// Shows whether the row is hovered, pressed or selected. Does nothing by default.
    open func setState(_ state: State) {}

    /// How a row is highlighted. Several states can apply at once.
    public struct State: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// The pointer is over the row.
        public static let hovered = State(rawValue: 1)
        /// The pointer is down on the row.
        public static let pressed = State(rawValue: 2)
        /// The row is selected, usually by keyboard.
        public static let selected = State(rawValue: 4)
    }
}
