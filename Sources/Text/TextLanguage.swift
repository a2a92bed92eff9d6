import GlissadeCPango

/// The default language of text, taken from the locale.
package enum TextLanguage {
    /// The language tag of the locale. The first nonempty variable of `LC_ALL`, `LC_CTYPE` and `LANG` determines the
    /// locale (POSIX, 8.2). If all are empty, the tag is `en`.
    package static var ofTheEnvironment: String {
        for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
            guard let value = g_getenv(name), value.pointee != 0 else { continue }
            return tag(ofLocale: String(cString: value))
        }
        return fallback
    }

    /// Returns the language tag for a locale name, for example `zh-tw` for `zh_TW.UTF-8`. Returns `en` for a name
    /// without a language, such as `C`.
    static func tag(ofLocale locale: String) -> String {
        let name = locale.prefix { $0 != "." && $0 != "@" }
        guard !name.isEmpty, name != "C", name != "POSIX", name.allSatisfy({ $0.isASCII && ($0.isLetter || $0 == "_") })
        else { return fallback }
        return name.lowercased().split(separator: "_").joined(separator: "-")
    }

    private static let fallback = "en"
}
