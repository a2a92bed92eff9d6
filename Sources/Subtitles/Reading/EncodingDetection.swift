import GlissadeCUchardet

/// Finds out the encoding of text that is neither Unicode nor ASCII.
///
/// uchardet judges by the frequencies of letters. The language of the file's name or track decides where uchardet is
/// known to be unreliable: for short text, and among encodings of Latin letters. The user's locale decides where it
/// finds nothing.
enum EncodingDetection {
    /// The number of bytes above 0x7F from which uchardet's answer outweighs a language.
    private static let plenty = 64
    /// The number of bytes above 0x7F below which an answer of Windows-1252 says nothing.
    private static let few = 8
    /// The maximum number of bytes to examine. More do not change the answer.
    private static let sampleLimit = 1 << 18

    /// Returns the most likely encoding of `bytes`.
    static func encoding(of bytes: [UInt8], _ hints: EncodingHints = .none) -> SubtitleEncoding {
        let sample = sample(of: bytes)
        let highCount = sample.reduce(0) { $0 + ($1 > 0x7F ? 1 : 0) }
        let guess = detected(sample, highCount)
        func first(of encodings: [SubtitleEncoding]) -> SubtitleEncoding? {
            encodings.first { TextEncoding.damage(of: sample, as: $0) == 0 }
        }
        if let guess, hints.ofName.contains(guess) { return guess }
        if !hints.ofName.isEmpty, guess == nil || guess?.isLatin == true || highCount < plenty,
            let named = first(of: hints.ofName)
        {
            return named
        }
        // For a few bytes, uchardet answers Windows-1252 when it has found nothing.
        if guess == nil || guess == .windows1252 && highCount < few, let local = first(of: hints.ofLocale) {
            return local
        }
        return guess ?? .windows1252
    }

    /// Returns the encoding that the declaration of an XML document names; nil if there is none, or if it is Unicode, which
    /// needs none.
    static func declared(in bytes: [UInt8]) -> SubtitleEncoding? {
        let head = bytes.prefix(256)
        let declaration = String(decoding: head.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self).lowercased()
        guard declaration.hasPrefix("<?xml"), let name = declaration.firstRange(of: "encoding") else { return nil }
        let value = declaration[name.upperBound...].drop { " \t\r\n=\"'".contains($0) }.prefix {
            !" \t\r\n\"'?".contains($0)
        }
        let encoding = encoding(named: String(value), Array(head))
        return [.utf8, .utf16LittleEndian, .utf16BigEndian].contains(encoding) ? nil : encoding
    }

    /// The lines of `bytes` that are not ASCII, up to `sampleLimit` bytes. They matter alone, and may come late in a
    /// file.
    private static func sample(of bytes: [UInt8]) -> [UInt8] {
        // Escape sequences of ISO-2022 are ASCII.
        guard !bytes.contains(0x1B) else { return Array(bytes.prefix(sampleLimit)) }
        var sample: [UInt8] = []
        for line in bytes.split(separator: 10) where line.contains(where: { $0 > 0x7F }) {
            sample += line.prefix(sampleLimit - sample.count)
            if sample.count >= sampleLimit { break }
            sample.append(10)
        }
        return sample
    }

    private static let functions: GlissadeUchardet? = {
        var functions = GlissadeUchardet()
        return glissade_load_uchardet(&functions) != 0 ? functions : nil
    }()

    /// Returns uchardet's answer; nil if there is none, if the text is not valid in that encoding, or if uchardet is
    /// not installed.
    private static func detected(_ sample: [UInt8], _ highCount: Int) -> SubtitleEncoding? {
        guard let functions, let detector = functions.create() else { return nil }
        defer { functions.release(detector) }
        let code = sample.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: CChar.self) { functions.handle_data(detector, $0.baseAddress, $0.count) }
        }
        guard code == 0 else { return nil }
        functions.data_end(detector)
        guard let name = functions.get_charset(detector),
            let encoding = encoding(named: String(cString: name), sample)
        else { return nil }
        return TextEncoding.damage(of: sample, as: encoding) * 50 <= highCount ? encoding : nil
    }

    /// The letters of KOI8-U that KOI8-R lacks.
    private static let ukrainianLetters: Set<UInt8> = [0xA4, 0xA6, 0xA7, 0xAD, 0xB4, 0xB6, 0xB7, 0xBD]

    /// Returns the encoding that uchardet calls `name`, or the one of Windows that is a superset of it, or that has
    /// letters at 0x80 to 0x9F, where those of ISO have control characters.
    private static func encoding(named name: String, _ sample: [UInt8]) -> SubtitleEncoding? {
        let hasWindowsSigns = sample.contains { (0x80...0x9F).contains($0) }
        switch name.uppercased() {
        case "ISO-8859-1", "WINDOWS-1252": return .windows1252
        case "ISO-8859-2" where hasWindowsSigns: return .windows1250
        case "ISO-8859-7" where hasWindowsSigns: return .windows1253
        case "ISO-8859-15" where hasWindowsSigns: return .windows1252
        case "ISO-8859-8": return .windows1255
        case "ISO-8859-9": return .windows1254
        case "ISO-8859-13": return .windows1257
        case "ISO-8859-11", "TIS-620": return .windows874
        // Where KOI8-U has the letters of Ukrainian, KOI8-R has the lines of boxes, which no subtitles need.
        case "KOI8-R" where sample.contains(where: ukrainianLetters.contains): return .koi8u
        case "GB2312", "GBK", "GB18030": return .gb18030
        case "UHC", "EUC-KR": return .eucKR
        // For few bytes, this is a guess of last resort, and text in this encoding is all but extinct.
        case "MAC-CYRILLIC" where sample.count < plenty: return nil
        case let upper: return SubtitleEncoding(rawValue: upper.lowercased())
        }
    }
}
