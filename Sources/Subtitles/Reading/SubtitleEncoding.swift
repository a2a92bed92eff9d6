/// A character encoding of subtitle text.
///
/// The raw values are the names in settings. Encodings that extend another one stand for both: `windows-1252` for
/// ISO 8859-1, `gb18030` for GBK and GB 2312.
public enum SubtitleEncoding: String, CaseIterable, Hashable, Sendable {
    case utf8 = "utf-8"
    case utf16LittleEndian = "utf-16le"
    case utf16BigEndian = "utf-16be"
    case windows1252 = "windows-1252"
    case iso15 = "iso-8859-15"
    case iso3 = "iso-8859-3"
    case iso10 = "iso-8859-10"
    case windows1250 = "windows-1250"
    case iso2 = "iso-8859-2"
    case iso16 = "iso-8859-16"
    case ibm852
    case windows1251 = "windows-1251"
    case koi8r = "koi8-r"
    case koi8u = "koi8-u"
    case ibm866
    case ibm855
    case iso5 = "iso-8859-5"
    case macCyrillic = "mac-cyrillic"
    case windows1253 = "windows-1253"
    case iso7 = "iso-8859-7"
    case windows1254 = "windows-1254"
    case windows1255 = "windows-1255"
    case windows1256 = "windows-1256"
    case iso6 = "iso-8859-6"
    case windows1257 = "windows-1257"
    case iso4 = "iso-8859-4"
    case windows1258 = "windows-1258"
    case viscii
    case windows874 = "windows-874"
    case gb18030
    case big5
    case shiftJIS = "shift_jis"
    case eucJP = "euc-jp"
    case iso2022JP = "iso-2022-jp"
    case eucKR = "euc-kr"

    /// The name in menus, such as “Cyrillic (Windows-1251)”.
    public var title: String {
        let (script, name) = Self.names[self] ?? ("", rawValue)
        return script.isEmpty ? name : "\(script) (\(name))"
    }

    private static let names: [SubtitleEncoding: (script: String, name: String)] = [
        .utf8: ("Unicode", "UTF-8"), .utf16LittleEndian: ("Unicode", "UTF-16 LE"),
        .utf16BigEndian: ("Unicode", "UTF-16 BE"), .windows1252: ("Western", "Windows-1252"),
        .iso15: ("Western", "ISO 8859-15"), .iso3: ("South European", "ISO 8859-3"), .iso10: ("Nordic", "ISO 8859-10"),
        .windows1250: ("Central European", "Windows-1250"), .iso2: ("Central European", "ISO 8859-2"),
        .iso16: ("Romanian", "ISO 8859-16"), .ibm852: ("Central European", "IBM 852"),
        .windows1251: ("Cyrillic", "Windows-1251"), .koi8r: ("Cyrillic", "KOI8-R"), .koi8u: ("Cyrillic", "KOI8-U"),
        .ibm866: ("Cyrillic", "IBM 866"), .ibm855: ("Cyrillic", "IBM 855"), .iso5: ("Cyrillic", "ISO 8859-5"),
        .macCyrillic: ("Cyrillic", "Mac"), .windows1253: ("Greek", "Windows-1253"), .iso7: ("Greek", "ISO 8859-7"),
        .windows1254: ("Turkish", "Windows-1254"), .windows1255: ("Hebrew", "Windows-1255"),
        .windows1256: ("Arabic", "Windows-1256"), .iso6: ("Arabic", "ISO 8859-6"),
        .windows1257: ("Baltic", "Windows-1257"), .iso4: ("Baltic", "ISO 8859-4"),
        .windows1258: ("Vietnamese", "Windows-1258"), .viscii: ("Vietnamese", "VISCII"),
        .windows874: ("Thai", "Windows-874"),
        .gb18030: ("Simplified Chinese", "GB 18030"), .big5: ("Traditional Chinese", "Big5"),
        .shiftJIS: ("Japanese", "Shift JIS"), .eucJP: ("Japanese", "EUC-JP"), .iso2022JP: ("Japanese", "ISO-2022-JP"),
        .eucKR: ("Korean", "EUC-KR"),
    ]

    /// The name for `iconv_open` of glibc. Of several versions of an encoding, the one of Windows, which has more
    /// characters.
    var iconvName: String {
        switch self {
        case .windows1250, .windows1251, .windows1252, .windows1253, .windows1254, .windows1255, .windows1256,
            .windows1257, .windows1258, .windows874:
            "CP" + rawValue.dropFirst("windows-".count)
        case .big5: "BIG5-HKSCS"
        case .shiftJIS: "CP932"
        case .eucKR: "CP949"
        default: rawValue.uppercased()
        }
    }

    /// Whether most letters are Latin. Detectors cannot tell such encodings apart reliably.
    var isLatin: Bool {
        switch self {
        case .windows1252, .iso15, .iso3, .iso10, .windows1250, .iso2, .iso16, .ibm852, .windows1254, .windows1257,
            .iso4,
            .windows1258, .viscii:
            true
        default: false
        }
    }
}
