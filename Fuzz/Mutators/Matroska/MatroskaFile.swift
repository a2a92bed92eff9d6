/// A Matroska or WebM file as a tree of elements (EBML, RFC 8794).
///
/// Writing the file recomputes all lengths, and those checksums that were correct in the parsed file.
package struct MatroskaFile: StructuredFile, Hashable {
    struct Header: Hashable, Sendable {
        /// The element ID as stored in the file, including its length marker bits.
        var id: UInt32
        /// The minimum number of bytes in which to write the length.
        var lengthWidth: Int
        /// Whether the length is marked as unknown, as in live streams.
        var isLengthUnknown = false
        /// A wrong length to write; nil for the correct one.
        var claimedLength: UInt64?
        /// Whether the element contains a checksum that was correct in the parsed file.
        var isChecksumRight = false
    }

    var forest: Forest<Header>
    /// Bytes after the last element.
    private var rest: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) else { return nil }
        var reader = EBMLReader(bytes: bytes)
        let roots = reader.elements(in: 0..<bytes.count, parent: nil, depth: 0)
        guard !roots.isEmpty else { return nil }
        forest = Forest(roots: roots)
        rest = Array(bytes[reader.position...])
    }

    package var bytes: [UInt8] { forest.roots.flatMap(Self.bytes) + rest }

    /// Returns an element's content as it is written to the file.
    static func content(of element: Element<Header>) -> [UInt8] {
        switch element.content {
        case .bytes(let bytes): return bytes
        case .elements(_, let children):
            var parts = children.map(bytes)
            if element.header.isChecksumRight,
                let index = children.firstIndex(where: { $0.header.id == MatroskaKind.checksumID })
            {
                let others = parts[..<index] + parts[(index + 1)...]
                var checksum = children[index]
                checksum.content = .bytes(Checksums.crc32(Array(others.joined())))
                parts[index] = bytes(checksum)
            }
            return Array(parts.joined())
        }
    }

    private static func bytes(_ element: Element<Header>) -> [UInt8] {
        let content = content(of: element)
        let header = element.header
        var written = idBytes(header.id)
        if header.isLengthUnknown, header.claimedLength == nil {
            written += lengthBytes(.max, width: header.lengthWidth)
        } else {
            written += lengthBytes(header.claimedLength ?? UInt64(content.count), width: header.lengthWidth)
        }
        return written + content
    }

    private static func idBytes(_ id: UInt32) -> [UInt8] {
        let width = id > 0xFF_FFFF ? 4 : id > 0xFFFF ? 3 : id > 0xFF ? 2 : 1
        return ExtremeNumbers.bigEndian(UInt64(id), count: width)
    }

    /// Encodes a length in at least `width` bytes. `UInt64.max` means an unknown length, with all bits set.
    private static func lengthBytes(_ length: UInt64, width: Int) -> [UInt8] {
        var width = min(max(1, width), 8)
        // A known length must not have all bits set, since that would mean "unknown".
        while length != .max, width < 8, length >= (UInt64(1) << UInt64(7 * width)) - 1 { width += 1 }
        let mask = (UInt64(1) << UInt64(7 * width)) - 1
        return ExtremeNumbers.bigEndian(length & mask | (mask + 1), count: width)
    }
}

/// Parses EBML elements. Rejects an element that extends beyond its parent.
private struct EBMLReader {
    let bytes: [UInt8]
    /// The position after the last element parsed.
    var position = 0

    mutating func elements(in range: Range<Int>, parent: UInt32?, depth: Int) -> [Element<MatroskaFile.Header>] {
        var elements: [Element<MatroskaFile.Header>] = []
        position = range.lowerBound
        while position < range.upperBound {
            let start = position
            guard let element = element(upTo: range.upperBound, parent: parent, depth: depth) else {
                position = start
                break
            }
            elements.append(element)
        }
        return elements
    }

    /// Parses the element at `position`. Nil if there is no valid element.
    private mutating func element(
        upTo end: Int, parent: UInt32?, depth: Int
    ) -> Element<MatroskaFile.Header>? {
        guard let id = number(upTo: end, keepingMarker: true, mostBytes: 4),
            let length = number(upTo: end, keepingMarker: false, mostBytes: 8)
        else { return nil }
        let kind = UInt32(truncatingIfNeeded: id.value)
        // If all bits are set, the length is unknown. The number of bytes matters, because a length may take more
        // than it needs.
        let isUnknown = length.value == (UInt64(1) << UInt64(7 * length.width)) - 1
        if isUnknown, kind != MatroskaKind.segment, kind != MatroskaKind.cluster { return nil }
        // The segment's next top-level element ends a cluster of unknown length.
        if parent == MatroskaKind.cluster, MatroskaKind.topLevel.contains(kind) { return nil }
        guard isUnknown || length.value <= UInt64(end - position) else { return nil }
        var header = MatroskaFile.Header(id: kind, lengthWidth: length.width, isLengthUnknown: isUnknown)
        let content = position..<(isUnknown ? end : position + Int(length.value))
        if MatroskaKind.of(kind) == .master, depth < Forest<MatroskaFile.Header>.deepest {
            let children = elements(in: content, parent: kind, depth: depth + 1)
            if isUnknown || position == content.upperBound {
                header.isChecksumRight = isChecksumRight(children, in: content.lowerBound..<position)
                return Element(header: header, content: .elements(prefix: [], children))
            }
            position = content.upperBound
        } else if isUnknown {
            return nil
        }
        position = content.upperBound
        return Element(header: header, content: .bytes(Array(bytes[content])))
    }

    private mutating func number(
        upTo end: Int, keepingMarker: Bool, mostBytes: Int
    ) -> (value: UInt64, width: Int)? {
        guard position < end, bytes[position] != 0 else { return nil }
        let width = bytes[position].leadingZeroBitCount + 1
        guard width <= mostBytes, position + width <= end else { return nil }
        var value = UInt64(bytes[position])
        if !keepingMarker { value &= (1 << UInt64(8 - width)) - 1 }
        for index in 1..<width { value = value << 8 | UInt64(bytes[position + index]) }
        position += width
        return (value, width)
    }

    /// Whether the first child, where a checksum must be, is a checksum that matches the other children.
    private func isChecksumRight(_ children: [Element<MatroskaFile.Header>], in range: Range<Int>) -> Bool {
        guard let first = children.first, first.header.id == MatroskaKind.checksumID, first.header.lengthWidth == 1,
            case .bytes(let checksum) = first.content, checksum.count == 4, range.count >= 6
        else { return false }
        return checksum == Checksums.crc32(Array(bytes[(range.lowerBound + 6)..<range.upperBound]))
    }
}
