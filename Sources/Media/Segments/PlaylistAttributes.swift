/// Reads the attributes of a tag in an HLS playlist (RFC 8216, 4.2) as FFmpeg reads them: values need no quotation marks,
/// a backslash in quotation marks escapes the next byte, and of several attributes with the same name the last one
/// counts.
enum PlaylistAttributes {
    /// Returns the value of the attribute `name`; nil if there is none.
    ///
    /// - Parameter text: What follows the colon of the tag, up to the end of the line.
    static func value(_ name: StaticString, in text: ArraySlice<UInt8>) -> [UInt8]? {
        var value: [UInt8]?
        var rest = text
        while true {
            rest = rest.drop { $0 == UInt8(ascii: ",") || isSpace($0) }
            guard let mark = rest.firstIndex(of: UInt8(ascii: "=")) else { return value }
            let isWanted = name.withUTF8Buffer { rest[..<mark].elementsEqual($0) }
            let bytes = readValue(&rest, from: rest.index(after: mark))
            if isWanted { value = bytes }
        }
    }

    /// Returns the value that begins at `start`, and makes `rest` what follows it.
    private static func readValue(_ rest: inout ArraySlice<UInt8>, from start: Int) -> [UInt8] {
        rest = rest[start...]
        guard rest.first == UInt8(ascii: "\"") else {
            let value = rest.prefix { $0 != UInt8(ascii: ",") && !isSpace($0) }
            rest = rest[value.endIndex...]
            return Array(value)
        }
        rest = rest.dropFirst()
        var value: [UInt8] = []
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
            guard byte == UInt8(ascii: "\\") else {
                value.append(byte)
                continue
            }
            if let escaped = rest.popFirst() { value.append(escaped) }
        }
        return value
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
