public import GlissadeLayers

extension Menu {
    /// An entry in a menu: a heading, an item or a separator.
    public enum Entry: Hashable, Sendable {
        /// A heading for the items below. It cannot be picked.
        case title(String)
        case item(Item)
        /// A line between the previous entry and the next one.
        case separator
    }

    /// An item of a menu, which the user can pick unless it is disabled.
    public struct Item: Hashable, Sendable {
        /// What picking the item does to the menu.
        public enum Effect: Hashable, Sendable {
            case closes
            /// Keeps the menu open to show a submenu. The item is drawn with a chevron.
            case opensPage
            /// Keeps the menu open to show the previous page. The Left key also picks an item with this effect.
            case goesBack
            /// Keeps the menu open. Use this effect for an item that toggles a setting.
            case stays
        }

        /// Identifies the item, so that `setEntries` can find the selected item among the new entries.
        public var id: String
        /// The label. Only the first `Menu.longestText` characters are shown.
        public var label: String
        /// The text at the right end, such as the current choice or a shortcut; nil for no text.
        public var detail: String?
        /// The icon at the left end. If it is nil, an item with the effect `goesBack` shows the back icon, and any
        /// other item shows none.
        public var icon: Icon?
        /// Whether the item shows a check mark in place of its icon.
        public var isChecked: Bool
        /// Whether the item can be picked. A disabled item is dimmed.
        public var isEnabled: Bool
        /// What picking the item does to the menu.
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

    /// A row of the menu's list: a heading or an item, possibly with a line above it.
    struct Row: Hashable {
        enum Kind: Hashable {
            case title(String)
            case item(Item)
        }

        var kind: Kind
        var hasLineAbove: Bool

        /// The item if it can be picked; nil for headings and disabled items.
        var pickable: Item? {
            if case .item(let item) = kind, item.isEnabled { item } else { nil }
        }

        /// Returns the rows for `entries`. A separator becomes a line above the next row. Leading and trailing
        /// separators are dropped. Consecutive separators count as one.
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
