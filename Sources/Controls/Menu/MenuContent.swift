public import Layers

extension Menu {
    /// An entry of a menu.
    public enum Entry: Hashable, Sendable {
        /// A heading of the items below; cannot be picked.
        case title(String)
        case item(Item)
        /// A line above the next entry.
        case separator
    }

    /// An item that can be picked.
    public struct Item: Hashable, Sendable {
        /// The effect of picking it on the menu itself.
        public enum Effect: Hashable, Sendable {
            case closes
            /// The menu stays and shows a submenu; a chevron indicates that.
            case opensPage
            /// The same, back to the previous page; the Left key picks it.
            case goesBack
            /// The menu stays open: for switches.
            case stays
        }

        /// Identifies it to its owner and when entries are replaced.
        public var id: String
        /// The label; at most `Menu.longestText` characters are shown.
        public var label: String
        /// At the right end: the current choice, or the shortcut.
        public var detail: String?
        /// At the left end; nil for none.
        public var icon: Icon?
        /// Whether it has a check mark, as the choice in effect.
        public var isChecked: Bool
        /// Whether it can be picked. A disabled item is dimmed.
        public var isEnabled: Bool
        /// What happens to the menu when it is picked.
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

    /// A row of the list: an entry, its height, and whether there is a line above it.
    struct Row: Hashable {
        enum Kind: Hashable {
            case title(String)
            case item(Item)
        }

        var kind: Kind
        var hasLineAbove: Bool

        /// The item that can be picked; nil for titles and disabled items.
        var pickable: Item? {
            if case .item(let item) = kind, item.isEnabled { item } else { nil }
        }

        /// The rows for `entries`. Separators at the ends or in succession are collapsed.
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
