/// The pages of an Ogg file (RFC 3533, 6). Files that are joined make a chain (RFC 3533, 4).
enum OggPages: JoinableFormat {
    /// The size of a page's head without its table, and the most bytes that a page has.
    private static let (head, longest) = (27, 65_307)
    /// The most pages before the first one with sound: there may be pictures among the tags.
    private static let mostHeaders = 1024
    /// How far into a recording it may begin at the latest if it begins at its start, in seconds.
    private static let latestStart: Int64 = 10

    private struct Page {
        let place: Int64
        /// Whether the page begins a stream.
        let begins: Bool
        /// The number of the stream, and that of the page in it.
        let (serial, number): (UInt32, UInt32)
        /// The number of the last sample that ends in the page; negative if none does.
        let granule: Int64
        /// The size in bytes: of all, and of the head with its table.
        let (size, body): (Int, Int)

        /// Reads the head that `bytes` begin with, which are at `place`; nil if it is none.
        init?(_ bytes: ArraySlice<UInt8>, at place: Int64) {
            let start = bytes.startIndex
            guard bytes.count >= head, OggPages.isHead(bytes) else { return nil }
            body = head + Int(bytes[start + 26])
            guard bytes.count >= body else { return nil }
            size = bytes[(start + head)..<(start + body)].reduce(body) { $0 + Int($1) }
            self.place = place
            begins = bytes[start + 5] & 2 != 0
            serial = little(bytes, 14, 4)
            number = little(bytes, 18, 4)
            granule = Int64(bitPattern: little(bytes, 6, 8))
        }

        var end: Int64 { place + Int64(size) }
    }

    /// Whether `bytes` begin as a page does.
    private static func isHead(_ bytes: ArraySlice<UInt8>) -> Bool {
        let start = bytes.startIndex
        return bytes.count >= head && bytes.starts(with: "OggS".utf8) && bytes[start + 4] == 0 && bytes[start + 5] <= 7
    }

    /// The number at `offset` of `bytes`, which is of `count` bytes, the lowest first; 0 if it is cut.
    private static func little<T: FixedWidthInteger>(_ bytes: ArraySlice<UInt8>, _ offset: Int, _ count: Int) -> T {
        let start = bytes.startIndex + offset
        guard start + count <= bytes.endIndex else { return 0 }
        return bytes[start..<(start + count)].reversed().reduce(0) { $0 << 8 | T($1) }
    }

    private static func page(_ file: FileExtent, at place: Int64) -> Page? {
        Page(file.read(place, head + 255)[...], at: place)
    }

    /// The first page that begins in `range`, within the length of two pages.
    private static func page(_ file: FileExtent, in range: Range<Int64>) -> Page? {
        guard !range.isEmpty else { return nil }
        if let page = page(file, at: range.lowerBound) { return page }
        let bytes = file.read(range.lowerBound, 2 * longest)
        for index in bytes.indices where bytes[index] == UInt8(ascii: "O") && isHead(bytes[index...]) {
            let place = range.lowerBound + Int64(index)
            if place >= range.upperBound { return nil }
            if let page = page(file, at: place) { return page }
        }
        return nil
    }

    static func sample(_ file: FileExtent, in range: Range<Int64>) -> FileParts.Sample? {
        page(file, in: range).map { FileParts.Sample(place: $0.place, serial: $0.serial, number: Int64($0.number)) }
    }

    static func begins(_ file: FileExtent, in range: Range<Int64>) -> [Int64] {
        var begins: [Int64] = []
        var place = range.lowerBound
        while place < range.upperBound, begins.count <= FileParts.limit {
            guard let page = page(file, in: place..<range.upperBound) else {
                if file.read(place, 1).isEmpty { break }
                place += Int64(longest)
                continue
            }
            if page.begins { begins.append(page.place) }
            place = page.end
        }
        return begins
    }

    static func endsOtherwise(_ file: FileExtent) -> Bool {
        guard let first = page(file, at: 0) else { return false }
        let start = max(0, file.size - Int64(longest))
        let bytes = file.read(start, longest)
        let last = bytes.indices.reversed().first { bytes[$0] == UInt8(ascii: "O") && isHead(bytes[$0...]) }
        return last.flatMap { Page(bytes[$0...], at: start + Int64($0)) }.map { $0.serial != first.serial } ?? false
    }

    /// Whether a file begins with one stream, and that is of sound.
    static func isSound(_ file: FileExtent) -> Bool {
        guard let first = page(file, at: 0), first.begins, Header(file, first) != nil else { return false }
        return page(file, at: first.end)?.begins == false
    }

    static func length(_ file: FileExtent, of range: Range<Int64>) -> Int64? {
        guard let begin = page(file, at: range.lowerBound), begin.begins, let header = Header(file, begin),
            begin.end < range.upperBound
        else { return nil }
        var first: Int64 = 0
        var page = begin
        for _ in 0..<mostHeaders where first <= 0 && page.end < range.upperBound {
            guard let next = self.page(file, in: page.end..<range.upperBound) else { break }
            // Several streams side by side.
            if next.begins || next.serial != begin.serial { return nil }
            page = next
            first = next.granule
        }
        guard let last = lastGranule(file, of: range, begin.serial) else { return 0 }
        // A recording of a broadcast begins anywhere.
        let start = first / latestStart > header.rate ? first : 0
        return FilePart.length(
            samples: last.subtractingClamped(start).subtractingClamped(header.skipped), rate: header.rate)
    }

    private static func lastGranule(_ file: FileExtent, of range: Range<Int64>, _ serial: UInt32) -> Int64? {
        for distance in [Int64(longest), 16 * Int64(longest)] {
            let start = max(range.lowerBound, range.upperBound - distance)
            let bytes = file.read(start, Int(range.upperBound - start))
            for index in bytes.indices.reversed() where bytes[index] == UInt8(ascii: "O") {
                guard let page = Page(bytes[index...], at: start + Int64(index)), page.serial == serial,
                    page.granule >= 0
                else { continue }
                return page.granule
            }
        }
        return nil
    }

    /// The first packet of a stream of sound.
    private struct Header {
        /// The number of samples in a second.
        let rate: Int64
        /// The number of samples at the start that are not heard.
        var skipped: Int64 = 0

        /// Reads the packet that the page `page` holds; nil if it is none of sound.
        init?(_ file: FileExtent, _ page: Page) {
            let bytes = file.read(page.place + Int64(page.body), min(page.size - page.body, 80))[...]
            switch bytes {
            // Vorbis I, 4.2.2.
            case let bytes where bytes.starts(with: "\u{1}vorbis".utf8): rate = little(bytes, 12, 4)
            // RFC 7845, 5.1: whatever the rate of the source, times count 48,000 a second.
            case let bytes where bytes.starts(with: "OpusHead".utf8):
                rate = 48_000
                skipped = little(bytes, 10, 2)
            case let bytes where bytes.starts(with: "Speex   ".utf8): rate = little(bytes, 36, 4)
            // The mapping of FLAC into Ogg 1.0: the description of the stream begins with its 18th byte.
            case let bytes where bytes.starts(with: "\u{7F}FLAC".utf8) && bytes.count >= 30:
                rate = bytes[27...29].reduce(0) { $0 << 8 | Int64($1) } >> 4
            default: return nil
            }
            guard rate > 0 else { return nil }
        }
    }
}
