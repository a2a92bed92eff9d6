import GlissadeCTOML

/// A key of the settings file and its value: an option, or a section with its options.
struct SettingsItem {
    var name: String
    /// The line on which the key first appears, starting at 1.
    var line: Int
    var column: Int
    var value: SettingsValue
}

/// An error that toml++ found in a document.
struct TOMLError: Error {
    /// The line, starting at 1; 0 if toml++ does not report it.
    var line: Int
    var message: String
}

/// A wrapper around toml++ for the types that settings use. Any thread; blocks while parsing.
enum TOMLParser {
    /// Returns the top-level keys of a UTF-8 document and their values, in the order of the text.
    static func items(in text: [UInt8]) throws(TOMLError) -> [SettingsItem] {
        var collector = Collector()
        var error = glissade_toml_error()
        let isParsed = text.withUnsafeBytes { bytes in
            withUnsafeMutablePointer(to: &collector) { collector in
                glissade_toml_parse(
                    bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, collector,
                    { context, item in
                        guard let item else { return }
                        context?.assumingMemoryBound(to: Collector.self).pointee.add(item.pointee)
                    }, &error)
            }
        }
        guard isParsed else {
            let message = withUnsafeBytes(of: error.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
            throw TOMLError(line: Int(error.line), message: message)
        }
        return Collector.sorted(collector.items)
    }

    /// Rebuilds the tree of items, which `CTOML` reports one by one, parents before children.
    private struct Collector {
        var items: [SettingsItem] = []

        mutating func add(_ item: glissade_toml_item) {
            let value = SettingsValue(item)
            let new = SettingsItem(
                name: Self.string(item.key, item.key_count), line: Int(item.line), column: Int(item.column),
                value: value)
            guard item.depth > 0, !items.isEmpty else {
                items.append(new)
                return
            }
            items[items.count - 1].value.append(new, depth: Int(item.depth))
        }

        /// Sorts items into the order of the text, because toml++ reports keys in alphabetical order.
        static func sorted(_ items: [SettingsItem]) -> [SettingsItem] {
            items.sorted { ($0.line, $0.column) < ($1.line, $1.column) }.map { item in
                guard case .table(let inner) = item.value else { return item }
                var item = item
                item.value = .table(sorted(inner))
                return item
            }
        }

        static func string(_ bytes: UnsafePointer<CChar>?, _ count: Int) -> String {
            String(decoding: UnsafeRawBufferPointer(start: bytes, count: count), as: UTF8.self)
        }
    }
}

extension SettingsValue {
    fileprivate init(_ item: glissade_toml_item) {
        switch item.kind {
        case GLISSADE_TOML_STRING:
            let bytes = UnsafeRawBufferPointer(start: item.text, count: item.text_count)
            self = .text(String(decoding: bytes, as: UTF8.self))
        case GLISSADE_TOML_NUMBER: self = .number(item.number)
        case GLISSADE_TOML_BOOLEAN: self = .flag(item.boolean)
        case GLISSADE_TOML_ARRAY: self = .texts([])
        case GLISSADE_TOML_TABLE: self = .table([])
        default: self = .other("a date")
        }
    }

    /// Appends an item to this table or array. If `depth` is greater than 1, appends the item to the last value in this
    /// table instead. An array becomes `other` when an item that is not a string is appended.
    fileprivate mutating func append(_ item: SettingsItem, depth: Int) {
        switch self {
        case .table(var items):
            // Release the enum's reference to the array, so that appending does not copy it.
            self = .other("")
            if depth == 1 { items.append(item) } else { items[items.count - 1].value.append(item, depth: depth - 1) }
            self = .table(items)
        case .texts(var texts):
            self = .other("a list")
            guard case .text(let text) = item.value else { return }
            texts.append(text)
            self = .texts(texts)
        default: break
        }
    }
}
