/// An Ogg file as a list of pages (RFC 3533). Writing the file recomputes lengths, and checksums that were correct.
package struct OggFile: StructuredFile, Hashable {
    struct Page: Hashable, Sendable {
        /// The fields between the capture pattern and the checksum: version, flags, granule position, stream and page
        /// number.
        var head: [UInt8]
        /// The segment table. A packet ends at each value below 255.
        var segments: [UInt8]
        var content: [UInt8]
        /// The page's original checksum if it was wrong; nil if it was correct.
        var wrongChecksum: [UInt8]?
    }

    var pages: [Page]
    private var rest: [UInt8]

    private static let capture = Array("OggS".utf8)
    /// The offsets of the checksum and of the segment table in a page.
    private static let (headLength, tableStart) = (22, 27)

    package init?(_ bytes: [UInt8]) {
        pages = []
        var place = 0
        while place + Self.tableStart <= bytes.count, bytes[place...].starts(with: Self.capture) {
            let table = place + Self.tableStart
            guard table + Int(bytes[place + 26]) <= bytes.count else { break }
            let segments = Array(bytes[table..<(table + Int(bytes[place + 26]))])
            let begin = table + segments.count
            let end = begin + segments.reduce(0) { $0 + Int($1) }
            guard end <= bytes.count else { break }
            var page = Page(
                head: Array(bytes[(place + 4)..<(place + Self.headLength)]), segments: segments,
                content: Array(bytes[begin..<end]))
            let checksum = Array(bytes[(place + Self.headLength)..<(place + 26)])
            if checksum != Self.checksum(page) { page.wrongChecksum = checksum }
            pages.append(page)
            place = end
        }
        guard !pages.isEmpty else { return nil }
        rest = Array(bytes[place...])
    }

    package var bytes: [UInt8] {
        pages.flatMap { page in Self.bytes(page, checksum: page.wrongChecksum ?? Self.checksum(page)) } + rest
    }

    private static func bytes(_ page: Page, checksum: [UInt8]) -> [UInt8] {
        capture + page.head + checksum + [UInt8(page.segments.count)] + page.segments + page.content
    }

    /// Computes a page's checksum, lowest byte first. The checksum field itself counts as zeros.
    private static func checksum(_ page: Page) -> [UInt8] {
        let sum = Checksums.mpeg(bytes(page, checksum: [0, 0, 0, 0]), from: 0)
        return ExtremeNumbers.bigEndian(UInt64(sum.byteSwapped), count: 4)
    }

    package mutating func change(using random: inout SeededRandom) {
        guard !pages.isEmpty else { return }
        let place = random.below(pages.count)
        switch random.below(10) {
        case 0: if pages.count > 1 { pages.remove(at: place) }
        case 1: if pages.count < 10_000 { pages.insert(pages[place], at: random.below(pages.count)) }
        case 2: pages.swapAt(place, random.below(pages.count))
        case 3, 4:
            // Changes the granule position, whose unit depends on the codec.
            let position = ExtremeNumbers.bigEndian(ExtremeNumbers.integer(using: &random), count: 8)
            pages[place].head.replaceSubrange(2..<10, with: position.reversed())
        case 5: pages[place].head[1] ^= UInt8(random.pick([1, 2, 4, 7]))
        case 6: pages[place].head[10 + random.below(8)] = random.byte()
        default:
            // Half of the time, changes one of the first pages, which hold the stream headers.
            let page = random.oneIn(2) ? random.below(min(4, pages.count)) : place
            var content = pages[page].content
            ByteChanges.change(&content, using: &random)
            pages[page].setContent(content)
        }
    }
}

extension OggFile.Page {
    /// Replaces the content and updates the segment table. Keeps the segments that still fit, and adds segments for
    /// the rest.
    mutating func setContent(_ bytes: [UInt8]) {
        content = Array(bytes.prefix(255 * 254))
        var (left, kept) = (content.count, [UInt8]())
        for segment in segments where Int(segment) <= left {
            kept.append(segment)
            left -= Int(segment)
        }
        while left > 0, kept.count < 255 {
            kept.append(UInt8(min(255, left)))
            left -= Int(kept.last ?? 0)
        }
        segments = kept
        content.removeLast(left)
    }
}
