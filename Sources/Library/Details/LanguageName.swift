import GlissadePlatform

/// English names of the most common languages.
package enum LanguageName {
    /// Returns the English name of a language, such as "German", or "Portuguese (BR)" if the code has a region.
    ///
    /// - Parameter code: An ISO 639-1 or 639-2 code, bibliographic or terminological, optionally with a region: `de`,
    ///   `ger`, `deu`, `pt-BR`.
    /// - Returns: The name, or `code` itself if the language is unknown. Nil if `code` is empty or does not stand for a
    ///   single language.
    package static func text(_ code: String) -> String? {
        let parts = code.split(whereSeparator: { $0 == "-" || $0 == "_" })
        guard let language = parts.first?.lowercased(), !["und", "mis", "mul", "zxx"].contains(language) else {
            return nil
        }
        guard let name = names[language] else { return DisplaySafeText.text(code) }
        return parts.count > 1 ? "\(name) (\(DisplaySafeText.text(parts.dropFirst().joined(separator: "-"))))" : name
    }

    private static let names: [String: String] = {
        var names: [String: String] = [:]
        for line in table {
            for code in line.1.split(separator: " ") { names[String(code)] = line.0 }
        }
        return names
    }()

    private static let table = [
        ("Arabic", "ar ara"), ("Bengali", "bn ben"), ("Bulgarian", "bg bul"), ("Catalan", "ca cat"),
        ("Chinese", "zh zho chi"), ("Croatian", "hr hrv"), ("Czech", "cs ces cze"), ("Danish", "da dan"),
        ("Dutch", "nl nld dut"), ("English", "en eng"), ("Estonian", "et est"), ("Finnish", "fi fin"),
        ("French", "fr fra fre"), ("German", "de deu ger"), ("Greek", "el ell gre"), ("Hebrew", "he heb"),
        ("Hindi", "hi hin"), ("Hungarian", "hu hun"), ("Icelandic", "is isl ice"), ("Indonesian", "id ind"),
        ("Italian", "it ita"), ("Japanese", "ja jpn"), ("Korean", "ko kor"), ("Latin", "la lat"),
        ("Latvian", "lv lav"), ("Lithuanian", "lt lit"), ("Malay", "ms msa may"), ("Norwegian", "no nor nb nob nn nno"),
        ("Persian", "fa fas per"), ("Polish", "pl pol"), ("Portuguese", "pt por"), ("Romanian", "ro ron rum"),
        ("Russian", "ru rus"), ("Serbian", "sr srp"), ("Slovak", "sk slk slo"), ("Slovenian", "sl slv"),
        ("Spanish", "es spa"), ("Swedish", "sv swe"), ("Tamil", "ta tam"), ("Telugu", "te tel"), ("Thai", "th tha"),
        ("Turkish", "tr tur"), ("Ukrainian", "uk ukr"), ("Urdu", "ur urd"), ("Vietnamese", "vi vie"),
    ]
}
