/// How much of an XML document libxml2 can parse without taking long.
///
/// libxml2 compares each attribute of a tag with all others of the tag, and adds the default attributes of a document
/// type to each element. Its push parser looks again from the beginning at a tag that is not complete.
public enum XMLBounds {
    /// The maximum length of a tag and the text after it, in bytes.
    private static let longestTag = 1 << 16
    /// The maximum sum of the squared numbers of attributes in the tags.
    private static let mostComparisons = 100_000_000

    /// Returns the length of the part of `bytes` that can be parsed in bounded time. It ends before a document type, an
    /// overlong tag, a tag after which there are too many attributes, and a zero byte, which no text in UTF-8 contains.
    ///
    /// Attributes cannot contain a less-than sign, so no tag is longer than what is between two of these signs, or has
    /// more attributes than there are equals signs between them.
    public static func prefix(of bytes: [UInt8]) -> Int {
        var (last, equals, comparisons) = (0, 0, 0)
        for (place, byte) in bytes.enumerated() {
            if byte == 0 { return last }
            if byte == UInt8(ascii: "=") { equals += 1 }
            guard byte == UInt8(ascii: "<") || place == bytes.count - 1 else { continue }
            comparisons += equals * equals
            if place - last > longestTag || comparisons > mostComparisons { return last }
            if bytes[place...].starts(with: "<!DOCTYPE".utf8) { return place }
            (last, equals) = (place, 0)
        }
        return bytes.count
    }
}
