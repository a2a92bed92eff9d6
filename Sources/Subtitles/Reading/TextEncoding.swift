import Glibc

/// Converts text of unknown encoding to UTF-8.
///
/// Unicode is recognized by byte order marks, UTF-8 also by its multi-byte sequences, and UTF-16 by its ASCII
/// characters. `EncodingDetection` finds out the encoding of all other text.
enum TextEncoding {
    /// Returns `bytes` as UTF-8 without a byte order mark. Invalid sequences become U+FFFD.
    ///
    /// - Parameters:
    ///   - encoding: The encoding of text that is not recognized as Unicode; nil to find it out.
    ///   - hints: What helps to find it out.
    static func utf8(
        _ bytes: [UInt8], as encoding: SubtitleEncoding? = nil, _ hints: EncodingHints = .none
    ) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return repaired(bytes[3...]) }
        if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return converted(Array(bytes[4...]), from: "UTF-32LE").text }
        if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return converted(Array(bytes[4...]), from: "UTF-32BE").text }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes[2...], isBigEndian: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes[2...], isBigEndian: true) }
        if let isBigEndian = unmarkedUTF16(bytes) { return utf16(bytes[...], isBigEndian: isBigEndian) }
        if needsNoConversion(bytes) { return bytes }
        if let encoding { return text(bytes, encoding) }
        if isMostlyUTF8(bytes) { return repaired(bytes[...]) }
        return text(bytes, EncodingDetection.encoding(of: bytes, hints))
    }

    /// Whether `bytes` look like text: they start with a byte order mark, are UTF-16, or have no zero byte in the first
    /// 64 KiB.
    static func isText(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(1 << 16))
        return head.starts(with: [0xFF, 0xFE]) || head.starts(with: [0xFE, 0xFF])
            || head.starts(with: [0, 0, 0xFE, 0xFF]) || !head.contains(0) || unmarkedUTF16(head) != nil
    }

    static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { sequences(bytes).invalid == 0 }

    /// Whether `bytes` are valid UTF-8 and not a 7-bit encoding of Japanese, Korean or Chinese.
    static func needsNoConversion(_ bytes: some RandomAccessCollection<UInt8>) -> Bool {
        sequences(bytes).invalid == 0 && !hasEscapeSequence(bytes)
    }

    /// Whether `bytes` are UTF-8, possibly damaged in places, or cut off within a character.
    static func isMostlyUTF8(_ bytes: [UInt8]) -> Bool {
        let count = sequences(bytes)
        return count.invalid == 0 ? !hasEscapeSequence(bytes) : count.valid > count.invalid
    }

    /// Whether `bytes` contain an escape sequence of ISO-2022, which selects a set of characters of two bytes each.
    private static func hasEscapeSequence(_ bytes: some Collection<UInt8>) -> Bool {
        var rest = bytes[...]
        while let escape = rest.firstIndex(of: 0x1B) {
            rest = rest[rest.index(after: escape)...]
            if rest.first == UInt8(ascii: "$") { return true }
        }
        return false
    }

    /// Whether `bytes` are UTF-16 without a byte order mark, and its byte order; nil if they are something else.
    ///
    /// Subtitles in any language have line feeds and digits or spaces, which take one zero byte each, and text has no
    /// characters below U+0009.
    private static func unmarkedUTF16(_ bytes: [UInt8]) -> Bool? {
        guard bytes.count >= 8, bytes.prefix(1 << 16).contains(0) else { return nil }
        return [false, true].first { isBigEndian in
            let (low, high) = isBigEndian ? (1, 0) : (0, 1)
            var (plain, lines) = (0, 0)
            let end = min(bytes.count, 1 << 16) & ~1
            var index = 0
            while index < end {
                if bytes[index + high] == 0 {
                    let unit = bytes[index + low]
                    guard unit >= 9 else { return false }
                    if unit < 0x80 { plain += 1 }
                    if unit == 10 || unit == 13 { lines += 1 }
                }
                index += 2
            }
            return lines > 0 && plain * 8 >= end / 2
        }
    }

    // MARK: - Legacy encodings

    /// Returns text in a given encoding as UTF-8.
    private static func text(_ bytes: [UInt8], _ encoding: SubtitleEncoding) -> [UInt8] {
        switch encoding {
        case .utf8: repaired(bytes[...])
        case .utf16LittleEndian: utf16(bytes[...], isBigEndian: false)
        case .utf16BigEndian: utf16(bytes[...], isBigEndian: true)
        case .windows1252: windowsLatin(bytes)
        default: converted(bytes, from: encoding.iconvName).text
        }
    }

    /// Returns how many times `bytes` are not valid in an encoding.
    static func damage(of bytes: [UInt8], as encoding: SubtitleEncoding) -> Int {
        encoding == .windows1252 ? 0 : converted(bytes, from: encoding.iconvName).damage
    }

    /// Converts `bytes` by iconv. Replaces each invalid byte with U+FFFD, and counts them. If iconv does not know the
    /// encoding, because the system lacks its tables, assumes Windows-1252.
    private static func converted(_ bytes: [UInt8], from name: String) -> (text: [UInt8], damage: Int) {
        let converter = iconv_open("UTF-8", name)
        // The value of a failure, (iconv_t)-1, is a macro's.
        guard converter != UnsafeMutableRawPointer(bitPattern: -1) else { return (windowsLatin(bytes), bytes.count) }
        defer { iconv_close(converter) }
        var input = bytes.map { CChar(bitPattern: $0) }
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 2)
        var damage = 0
        var chunk = [CChar](repeating: 0, count: 1 << 16)
        input.withUnsafeMutableBufferPointer { input in
            var place = input.baseAddress
            var rest = input.count
            while true {
                let isAtEnd = rest == 0
                let (result, count) = chunk.withUnsafeMutableBufferPointer { chunk in
                    var target = chunk.baseAddress
                    var room = chunk.count
                    // At the end, what is held back for a combining character is written.
                    let result =
                        isAtEnd
                        ? iconv(converter, nil, nil, &target, &room) : iconv(converter, &place, &rest, &target, &room)
                    return (result, chunk.count - room)
                }
                let error = errno
                text.append(contentsOf: chunk[..<count].lazy.map { UInt8(bitPattern: $0) })
                if isAtEnd { return }
                guard result == -1, error != E2BIG else { continue }
                // EILSEQ, or EINVAL for a character that is cut off.
                damage += 1
                text.append(contentsOf: [0xEF, 0xBF, 0xBD])
                guard let next = place, rest > 0 else { return }
                place = next + 1
                rest -= 1
            }
        }
        return (text, damage)
    }

    // MARK: - Unicode

    private static func repaired(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        // The decoder replaces invalid UTF-8 with U+FFFD.
        Array(String(decoding: bytes, as: UTF8.self).utf8)
    }

    /// Counts the well-formed and the malformed multi-byte UTF-8 sequences in `bytes` (Unicode 16, table 3-7).
    private static func sequences(_ bytes: some RandomAccessCollection<UInt8>) -> (valid: Int, invalid: Int) {
        bytes.withContiguousStorageIfAvailable { bytes in
            var (valid, invalid, index) = (0, 0, 0)
            while index < bytes.count {
                let lead = bytes[index]
                let length = lead < 0x80 ? 1 : lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
                let isWhole = length > 0 && index + length <= bytes.count
                if length > 1, isWhole, secondBytes(after: lead).contains(bytes[index + 1]),
                    (1..<length).allSatisfy({ bytes[index + $0] & 0xC0 == 0x80 })
                {
                    valid += 1
                } else if length != 1 {
                    // Skip the continuation bytes, so that a truncated character counts once.
                    invalid += 1
                    index += 1
                    while length > 0, index < bytes.count, bytes[index] & 0xC0 == 0x80 { index += 1 }
                    continue
                }
                index += length
            }
            return (valid, invalid)
        } ?? (0, 1)
    }

    /// Returns the second bytes allowed after the first byte `lead` of a UTF-8 sequence. They exclude overlong forms,
    /// surrogates, and anything above U+10FFFF.
    private static func secondBytes(after lead: UInt8) -> ClosedRange<UInt8> {
        switch lead {
        case 0xE0: 0xA0...0xBF
        case 0xED: 0x80...0x9F
        case 0xF0: 0x90...0xBF
        case 0xF4: 0x80...0x8F
        default: 0x80...0xBF
        }
    }

    private static func utf16(_ bytes: ArraySlice<UInt8>, isBigEndian: Bool) -> [UInt8] {
        let units = stride(from: bytes.startIndex, to: bytes.endIndex - 1, by: 2).lazy.map { index in
            let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
            return isBigEndian ? first << 8 | second : second << 8 | first
        }
        return Array(String(decoding: Array(units), as: UTF16.self).utf8)
    }

    static func windowsLatin(_ bytes: some Collection<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count * 9 / 8)
        for byte in bytes {
            if byte < 0x80 {
                text.append(byte)
            } else {
                let code = byte < 0xA0 ? signs[Int(byte) - 0x80] : UInt16(byte)
                // The table contains no surrogates, so each code is a valid Unicode scalar.
                text.append(contentsOf: UTF8.encode(Unicode.Scalar(code)!)!)
            }
        }
        return text
    }

    /// The Unicode characters for the bytes 0x80 to 0x9F
    /// (https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT).
    private static let signs: [UInt16] = [
        0x20AC, 0xFFFD, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0xFFFD,
        0x017D, 0xFFFD, 0xFFFD, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0xFFFD, 0x017E, 0x0178,
    ]
}
