/// Converts text of unknown encoding to UTF-8.
///
/// UTF-8 and UTF-16 are recognized by their byte order marks, and UTF-8 also by its multi-byte sequences. All other
/// text is assumed to be Windows-1252.
enum TextEncoding {
    /// Returns `bytes` as UTF-8 without a byte order mark. Invalid sequences of UTF-8 or UTF-16 become U+FFFD.
    static func utf8(_ bytes: [UInt8]) -> [UInt8] {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return repaired(bytes[3...]) }
        if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes[2...], isBigEndian: false) }
        if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes[2...], isBigEndian: true) }
        let count = sequences(bytes)
        if count.invalid == 0 { return bytes }
        // Text that is damaged in places, or ends within a character, still counts as UTF-8.
        return count.valid > count.invalid ? repaired(bytes[...]) : windowsLatin(bytes)
    }

    /// Whether `bytes` look like text: they start with a UTF-16 byte order mark, or have no zero byte in the first 64
    /// KiB.
    static func isText(_ bytes: some Collection<UInt8>) -> Bool {
        bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF]) || !bytes.prefix(1 << 16).contains(0)
    }

    static func isUTF8(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool { sequences(bytes).invalid == 0 }

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
