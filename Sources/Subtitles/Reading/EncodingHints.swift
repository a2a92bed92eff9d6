import Glibc

/// What is known about the language of a text apart from the text itself.
struct EncodingHints: Hashable, Sendable {
    /// The encodings in use for the language in the file's name, or of the track, most common first; empty if that
    /// language is unknown.
    var ofName: [SubtitleEncoding] = []
    /// The encodings in use for the user's language, most common first.
    var ofLocale: [SubtitleEncoding] = []

    static let none = EncodingHints()

    private init() {}

    /// - Parameters:
    ///   - name: The name of a subtitle file, such as `film.ru.srt`; nil for a track.
    ///   - language: The language of a track, as a code or an English name.
    ///   - locale: The user's locale, such as `cs_CZ.UTF-8`.
    init(name: String? = nil, language: String? = nil, locale: String? = EncodingHints.userLocale) {
        ofName = language.flatMap { Self.encodings(of: $0) } ?? name.flatMap { Self.encodings(ofFile: $0) } ?? []
        ofLocale =
            locale.flatMap { Self.encodings(of: String($0.prefix { $0 != "." && $0 != "@" })) } ?? []
    }

    /// The user's locale for text, by the environment variables in the order in which `setlocale` reads them.
    static var userLocale: String? {
        let names = ["LC_ALL", "LC_CTYPE", "LANG"]
        return names.lazy.compactMap { name in getenv(name).map { String(cString: $0) } }.first { !$0.isEmpty }
    }

    /// Words that follow the language in a file's name.
    private static let remarks: Set<Substring> = ["forced", "sdh", "cc", "hi", "full", "default", "foreign", "signs"]

    private static func encodings(ofFile name: String) -> [SubtitleEncoding]? {
        let stem = name.lastIndex(of: ".").map { name[..<$0] } ?? name[...]
        // A tag such as pt-BR or zh_TW is one word.
        let words = stem.lowercased().split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "_" }
        // Only the last word: titles are full of words that look like codes.
        guard let last = words.last(where: { !remarks.contains($0) }) else { return nil }
        let parts = last.split { $0 == "-" || $0 == "_" }
        return encodings(of: String(last)) ?? parts.last.flatMap { encodings(of: String($0)) }
    }

    /// Returns the encodings for a language, most common first; nil if the language is unknown.
    ///
    /// - Parameter language: A code of ISO 639 with an optional region or script, or an English name.
    static func encodings(of language: String) -> [SubtitleEncoding]? {
        let tag = language.lowercased()
        let parts = tag.split { $0 == "-" || $0 == "_" }
        guard let code = parts.first else { return nil }
        let isTraditional =
            ["cht", "tc", "big5"].contains(code)
            || ["zh", "zho", "chi"].contains(code)
                && parts.dropFirst().contains { ["tw", "hk", "mo", "hant"].contains($0) }
        if isTraditional { return [.big5, .gb18030] }
        return byLanguage[code]
    }

    private static let byLanguage: [Substring: [SubtitleEncoding]] = {
        var found: [Substring: [SubtitleEncoding]] = [:]
        for (codes, encodings) in table {
            for code in codes.split(separator: " ") { found[code] = encodings }
        }
        return found
    }()

    /// Codes of ISO 639-1 and 639-2, and English names.
    private static let table: [(String, [SubtitleEncoding])] = [
        (
            "ru rus russian be bel belarusian bg bul bulgarian mk mkd mac macedonian",
            [.windows1251, .koi8r, .ibm866, .iso5, .macCyrillic, .ibm855]
        ),
        ("uk ukr ukrainian", [.windows1251, .koi8u, .ibm866, .iso5, .macCyrillic]),
        ("sr srp scc serbian bs bos bosnian", [.windows1250, .windows1251, .iso2, .iso5]),
        (
            "cs ces cze czech sk slk slo slovak pl pol polish hu hun hungarian sl slv slovenian hr hrv scr croatian sq sqi alb "
                + "albanian ro ron rum romanian",
            [.windows1250, .iso2, .iso16, .ibm852]
        ),
        ("el ell gre greek", [.windows1253, .iso7]),
        ("tr tur turkish az aze azerbaijani", [.windows1254]),
        ("he heb iw hebrew", [.windows1255]),
        ("ar ara arabic fa fas per persian farsi ur urd urdu", [.windows1256, .iso6]),
        ("et est estonian lv lav latvian lt lit lithuanian", [.windows1257, .iso4]),
        ("vi vie vietnamese", [.windows1258, .viscii]),
        ("th tha thai", [.windows874]),
        ("zh zho chi chinese chs sc gb cn", [.gb18030, .big5]),
        ("ja jpn jp japanese", [.shiftJIS, .eucJP, .iso2022JP]),
        ("ko kor kr korean", [.eucKR]),
        (
            "en eng english de deu ger german fr fra fre french es spa spanish it ita italian pt por portuguese pb pob nl nld dut "
                + "dutch sv swe swedish da dan danish no nor nb nob nn nno norwegian fi fin finnish is isl ice icelandic ca cat "
                + "catalan",
            [.windows1252, .iso15]
        ),
    ]
}
