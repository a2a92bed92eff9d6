/// A value in the settings file. A value type; any thread.
enum SettingsValue {
    case text(String)
    case number(Double)
    case flag(Bool)
    case texts([String])
    case table([SettingsItem])
    /// A date or time, or an array with elements that are not strings. The associated string describes the type, such
    /// as "a date".
    case other(String)

    /// A description of the value for error messages. A string longer than 40 characters is truncated.
    var words: String {
        switch self {
        case .text(let text): "'\(text.count > 40 ? text.prefix(40) + "…" : text[...])'"
        case .number(let number): number == number.rounded() && abs(number) < 1e15 ? "\(Int(number))" : "\(number)"
        case .flag(let flag): "\(flag)"
        case .texts: "a list"
        case .table: "a table"
        case .other(let kind): kind
        }
    }

    /// The value as TOML. Not valid TOML for `table`, for `other`, or for strings that contain quotes, backslashes or
    /// control characters.
    var toml: String {
        switch self {
        case .text(let text): "\"\(text)\""
        case .number(let number): Int(exactly: number).map { String($0) } ?? String(number)
        case .flag(let flag): String(flag)
        case .texts(let texts): "[" + texts.map { "\"\($0)\"" }.joined(separator: ", ") + "]"
        case .table, .other: words
        }
    }
}
