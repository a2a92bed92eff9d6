public import Layers

extension Menu {
    /// What a menu shows, from the top.
    public enum Entry: Hashable, Sendable {
        /// Says what the items below are about; it cannot be picked.
        case title(String)
        case item(Item)
        /// A line above the next entry.
        case separator
    }

    /// What can be picked.
    public struct Item: Hashable, Sendable {
        /// What comes of a pick for the menu itself.
        public enum Effect: Hashable, Sendable {
            case closes
            /// The menu stays, and its owner has it show something else: a sign tells so.
            case opensPage
            /// The same, back to where it came from; the Left key picks it.
            case goesBack
            /// The menu stays as it is: for what is turned on and off.
            case stays
        }

        /// By which its owner knows it, and finds it again among other items.
        public var id: String
        /// At most `Menu.longestText` characters of it are seen.
        public var label: String
        /// At the right end: what is chosen, or the key that does the same.
        public var detail: String?
        public var icon: Icon?
        public var isChecked: Bool
        public var isEnabled: Bool
        public var effect: Effect

        public init(
            id: String, label: String, detail: String? = nil, icon: Icon? = nil, isChecked: Bool = false,
            isEnabled: Bool = true, effect: Effect = .closes
        ) {
            self.id = id
            self.label = label
            self.detail = detail
            self.icon = icon
            self.isChecked = isChecked
            self.isEnabled = isEnabled
            self.effect = effect
        }
    }

    /// A row: an entry that has a height, and whether there is a line above it.
    struct Row: Hashable {
        enum Kind: Hashable {
            case title(String)
            case item(Item)
        }

        var kind: Kind
        var hasLineAbove: Bool

        /// What can be picked here; nil for a title, and for what is disabled.
        var pickable: Item? {
            if case .item(let item) = kind, item.isEnabled { item } else { nil }
        }

        /// Separators at the ends, or one after another, are not seen twice, or at all.
        static func rows(of entries: [Entry]) -> [Row] {
            var rows: [Row] = []
            rows.reserveCapacity(entries.count)
            var isSeparated = false
            for entry in entries {
                switch entry {
                case .separator: isSeparated = !rows.isEmpty
                case .title(let title):
                    rows.append(Row(kind: .title(title), hasLineAbove: isSeparated))
                    isSeparated = false
                case .item(let item):
                    rows.append(Row(kind: .item(item), hasLineAbove: isSeparated))
                    isSeparated = false
                }
            }
            return rows
        }
    }
}
