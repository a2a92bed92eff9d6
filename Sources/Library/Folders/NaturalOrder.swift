/// A sort key for names in natural order: "2" before "10", "b" before "C", "é" with "e".
///
/// Names compare first by content: letters regardless of case and accents, numbers by value, and a dot before any other
/// character (so that "film.mkv" comes before "film 2.mkv"). Names with equal content compare by their bytes.
///
/// The order follows no particular language: "ö" sorts with "o", even in Swedish names. Scripts other than Latin sort
/// in Unicode order, which is roughly alphabetical.
package struct NaturalOrder: Comparable, Sendable {
    private let weights: [UInt32]
    private let name: [UInt8]

    /// Creates the sort key of a name. The name is given as bytes, which need not be valid UTF-8.
    package init(_ name: some Collection<UInt8>) {
        self.name = Array(name)
        weights = Self.weights(self.name)
    }

    package init(_ name: String) { self.init(Array(name.utf8)) }

    package static func < (a: NaturalOrder, b: NaturalOrder) -> Bool {
        a.weights == b.weights
            ? a.name.lexicographicallyPrecedes(b.name) : a.weights.lexicographicallyPrecedes(b.weights)
    }

    /// Returns `elements` sorted by their names in natural order.
    package static func sorted<Element>(
        _ elements: some Sequence<Element>, by name: (Element) -> some Collection<UInt8>
    ) -> [Element] {
        elements.map { (key: NaturalOrder(name($0)), element: $0) }.sorted { $0.key < $1.key }.map(\.element)
    }

    // MARK: - Weights

    /// The first weight of each number, equal to the weight of the character "0". The digit count and the digits
    /// follow, so that numbers compare by value.
    private static let number = UInt32(UInt8(ascii: "0"))

    private static func weights(_ name: [UInt8]) -> [UInt32] {
        var weights: [UInt32] = []
        weights.reserveCapacity(name.count + 4)
        /// The index in `weights` of the current number's digit count; nil outside of numbers.
        var length: Int?
        for scalar in String(decoding: name, as: UTF8.self).unicodeScalars {
            if let digit = digit(scalar) {
                if length == nil {
                    weights += [number, 0]
                    length = weights.count - 1
                }
                // Leading zeros do not count.
                if let length, digit > 0 || weights[length] > 0 {
                    weights[length] += 1
                    weights.append(digit)
                }
            } else {
                length = nil
                append(scalar, to: &weights)
            }
        }
        return weights
    }

    private static func digit(_ scalar: Unicode.Scalar) -> UInt32? {
        if scalar.isASCII { return (0x30...0x39).contains(scalar.value) ? scalar.value - 0x30 : nil }
        guard scalar.properties.numericType == .decimal else { return nil }
        return scalar.properties.numericValue.map { UInt32($0) }
    }

    private static func append(_ scalar: Unicode.Scalar, to weights: inout [UInt32]) {
        switch scalar.value {
        case 0x2E: weights.append(1)
        case 0x41...0x5A: weights.append(scalar.value + 0x20)
        case ..<0x80: weights.append(scalar.value)
        default: for folded in folded(scalar) { weights.append(folded.value) }
        }
    }

    /// Returns a non-ASCII scalar without case, accents and width distinctions. The result may be empty or have several
    /// scalars.
    private static func folded(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
        switch scalar.value {
        // Combining accents, as in names from macOS disks.
        case 0x300...0x36F: return "".unicodeScalars
        case 0xA0, 0x3000: return " ".unicodeScalars
        case 0xDF, 0x1E9E: return "ss".unicodeScalars
        case 0x131: return "i".unicodeScalars
        case 0x401, 0x451: return "\u{435}".unicodeScalars
        // Full-width forms of ASCII.
        case 0xFF01...0xFF5E:
            return String(Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar).lowercased().unicodeScalars
        default: break
        }
        if scalar.properties.isDefaultIgnorableCodePoint { return "".unicodeScalars }
        let lower = scalar.properties.lowercaseMapping.unicodeScalars
        guard let first = lower.first, let base = latinBase(first) else { return lower }
        return base.unicodeScalars
    }

    /// Returns the base letters of a lowercase Latin letter with an accent, or of a ligature; nil for any other scalar.
    /// The letters are taken from the Unicode name: "LATIN SMALL LETTER E WITH ACUTE", "LATIN SMALL LIGATURE OE".
    private static func latinBase(_ scalar: Unicode.Scalar) -> String? {
        guard (0xC0...0x24F).contains(scalar.value) || (0x1E00...0x1EFF).contains(scalar.value),
            let name = scalar.properties.name
        else { return nil }
        let words = name.split(separator: " ")
        guard words.count >= 4, words[0] == "LATIN", words[1] == "SMALL",
            words[2] == "LETTER" || words[2] == "LIGATURE",
            words[3].utf8.count <= 2, words.count == 4 || words[4] == "WITH"
        else { return nil }
        return words[3].lowercased()
    }
}
