/// How much of an XML document libxml2 can parse without taking long.
///
/// libxml2 compares each attribute of a tag with all others of the tag, and adds the default attributes of a document
/// type to each element. Its push parser looks again from the beginning at a tag that is not complete. It keeps the names of
/// all open elements, and so may those who use it.
package enum XMLBounds {
    /// The maximum length of a tag and the text after it, in bytes.
    private static let longestTag = 1 << 16
    /// The maximum sum of the squared numbers of attributes in the tags.
    private static let mostComparisons = 100_000_000
    /// The maximum number of elements inside each other.
    private static let mostDepth = 1024
    /// The encodings in which a markup character is a single byte, and in which that byte has no other meaning.
    private static let encodings = ["utf-8", "utf8", "us-ascii", "ascii", "gbk", "gb2312", "gb18030", "big5"]
    private static let longestDeclaration = 256

    /// Returns the length of the part of `bytes` that can be parsed in bounded time. It ends before a document type, an
    /// overlong tag, a tag after which there are too many attributes, an element inside too many others, and a zero byte,
    /// which is not text. It is 0 if the document declares an encoding in which the markup cannot be recognized.
    ///
    /// Attributes cannot contain a less-than sign, so no tag is longer than what is between two of these signs, or has
    /// more attributes than there are equals signs outside of quotation marks.
    package static func prefix(of bytes: [UInt8]) -> Int {
        guard isEncodingKnown(bytes) else { return 0 }
        var (last, equals, comparisons, depth) = (0, 0, 0, 0)
        /// Whether `byte` is inside a tag, and the quotation mark of the attribute value that it is part of.
        var (isInTag, quote): (Bool, UInt8?) = (false, nil)
        for (place, byte) in bytes.enumerated() {
            switch byte {
            case 0: return last
            case UInt8(ascii: "="): if isInTag, quote == nil { equals += 1 }
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                if quote == byte { quote = nil } else if isInTag, quote == nil { quote = byte }
            case UInt8(ascii: ">"):
                if quote == nil, isInTag, bytes[max(0, place - 1)] == UInt8(ascii: "/") { depth = max(0, depth - 1) }
                if quote == nil { isInTag = false }
            default: break
            }
            guard byte == UInt8(ascii: "<") || place == bytes.count - 1 else { continue }
            comparisons += equals * equals
            if place - last > longestTag || comparisons > mostComparisons { return last }
            if bytes[place...].starts(with: "<!DOCTYPE".utf8) { return place }
            switch bytes[place...].dropFirst().first {
            case UInt8(ascii: "/"): depth = max(0, depth - 1)
            case UInt8(ascii: "!"), UInt8(ascii: "?"), nil: break
            default: depth += 1
            }
            if depth > mostDepth { return place }
            (last, equals, isInTag, quote) = (place, 0, true, nil)
        }
        return bytes.count
    }

    /// Whether the XML declaration names no encoding, or one of `encodings`.
    private static func isEncodingKnown(_ bytes: [UInt8]) -> Bool {
        let head = bytes.prefix(longestDeclaration)
        guard let end = head.firstIndex(of: UInt8(ascii: ">")) else { return !head.starts(with: "<?xml".utf8) }
        let declaration = String(decoding: head[..<end], as: UTF8.self).lowercased()
        guard declaration.contains("<?xml"), let name = declaration.firstRange(of: "encoding") else { return true }
        let value = declaration[name.upperBound...].drop { " \t\r\n=\"'".contains($0) }
        return encodings.contains(String(value.prefix { !" \t\r\n\"'?".contains($0) }))
            || value.hasPrefix("iso-8859-")
    }
}
