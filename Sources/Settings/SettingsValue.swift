/// A value in the settings file, reduced to the types that options take. A value; any thread.
enum SettingsValue {
    case text(String)
    case number(Double)
    case flag(Bool)
    case texts([String])
    case table([SettingsItem])
    /// A date or a mixed list, with a description of it.
    case other(String)

    /// A description for error messages, shortened to 40 characters.
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

    /// The value as TOML, if an option can hold it: texts without quotes and backslashes.
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
