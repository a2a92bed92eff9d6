import CPango

/// The language assumed for text whose language is unknown.
public enum TextLanguage {
    /// The locale's language as a tag. The first of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides (POSIX, 8.2).
    public static var ofTheEnvironment: String {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let value = g_getenv(name), value.pointee != 0 else { continue }
            return tag(ofLocale: String(cString: value))
        }
        return fallback
    }

    /// `zh-tw` for `zh_TW.UTF-8`; locales without a language are English.
    static func tag(ofLocale locale: String) -> String {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX", name.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") })
        else { return fallback }
        return name.lowercased().split(separator: "_").joined(separator: "-")
    }

    private static let fallback = "en"
}
