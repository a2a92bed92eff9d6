import TOMLKit

/// A value in the settings file, as far as options take any.
enum SettingsValue {
    case text(String)
    case number(Double)
    case flag(Bool)
    case texts([String])
    /// A table, a date, a list of something else.
    case other(String)

    init(_ value: any TOMLValueConvertible) {
        switch value.type {
        case .string: self = value.string.map { .text($0) } ?? .other("nothing")
        case .int: self = value.int.map { .number(Double($0)) } ?? .other("nothing")
        case .double: self = value.double.map { .number($0) } ?? .other("nothing")
        case .bool: self = value.bool.map { .flag($0) } ?? .other("nothing")
        case .array:
            // A list of anything else is none that an option takes.
            let elements = value.array.map(Array.init) ?? []
            let texts = elements.compactMap { $0.type == .string ? $0.string : nil }
            self = texts.count == elements.count ? .texts(texts) : .other("a list")
        case .table: self = .other("a table")
        case .date, .time, .dateTime: self = .other("a date")
        }
    }

    /// What is there, in words, for the line that says what should be.
    var words: String {
        switch self {
        case .text(let text): "'\(text.count > 40 ? text.prefix(40) + "…" : text[...])'"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
        case .flag(let flag): "\(flag)"
        case .texts: "a list"
        case .other(let kind): kind
        }
    }
}
