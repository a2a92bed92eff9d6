import GlissadeTime

/// Estimates the size of an MP4 or QuickTime file's index before FFmpeg builds the index.
///
/// When FFmpeg opens a file, it allocates an index entry for every sample of every track. Even a tiny file can claim
/// any number of samples, since a table of equally sized samples takes only 20 bytes in the file (ISO/IEC 14496-12,
/// 8.7.3).
struct MP4Tables {
    /// The number of index entries that FFmpeg allocates when it opens the file. If this count exceeds the limit, it is
    /// only a lower bound. If the file has too many boxes, it is `Int.max`.
    private(set) var entries = 0
    /// The number of index entries in the worst case: each edit of a track repeats the whole track.
    private(set) var editedEntries = 0
    /// Whether the movie box is compressed, as in some QuickTime files from before 2005. Its contents are not counted.
    private(set) var isCompressed = false

    /// The memory that FFmpeg uses per index entry, in bytes.
    static let bytesPerEntry = 40

    /// A function that reads `count` bytes of the file at the offset `place`, or fewer at the end of the file.
    typealias Read = (_ place: Int64, _ count: Int) -> [UInt8]

    /// The IDs of the tracks found so far. A segment index must refer to one of them.
    private var tracks: Set<Int> = []
    /// Whether a segment index locates all fragments. FFmpeg then reads the fragments only during playback.
    private var isIndexed = false

    /// Counts the index entries of a file.
    ///
    /// - Parameters:
    ///   - size: The file's size in bytes.
    ///   - limit: The number of entries above which no further top-level boxes are read.
    ///   - read: Reads from the file.
    init(size: Int64, limit: Int = .max, read: @escaping Read) {
        var reader = BoxReader(read: read)
        reader.forEach(in: 0..<max(0, size)) { box, reader in
            // The limit on boxes applies to each top-level box: a film may have any number of fragments, and FFmpeg
            // reads all of them.
            reader.allowMore()
            switch box.kind {
            case "moov": addTracks(in: box.content, &reader, depth: 1)
            case "free", "hoov":
                // FFmpeg accepts a movie box under these names too.
                let kind = reader.kind(at: box.content.lowerBound + 4)
                if kind == "mvhd" || kind == "cmov" { addTracks(in: box.content, &reader, depth: 1) }
            case "moof": addFragment(in: box.content, &reader, depth: 1)
            case "sidx": isIndexed = isIndexed || indexes(box.content, size, reader)
            default: break
            }
            return entries <= limit && !isCompressed && !(box.kind == "moof" && isIndexed)
        }
        if reader.isBeyondLimits { (entries, editedEntries) = (.max, .max) }
    }

    /// The kinds of boxes that FFmpeg searches for nested boxes, wherever they occur.
    fileprivate static let containers: Set<String> = [
        "trak", "mdia", "minf", "stbl", "edts", "dinf", "mvex", "udta", "traf", "wave", "tref", "moov", "moof", "sinf",
        "schi", "iref", "jp2h", "ilst", "gmhd",
    ]
    /// The maximum nesting depth of the boxes to read.
    fileprivate static let deepest = 12

    private mutating func addTracks(in range: Range<Int64>, _ reader: inout BoxReader, depth: Int) {
        reader.forEach(in: range) { box, reader in
            if box.kind == "trak" {
                var track = Track()
                track.read(box.content, &reader, depth: depth)
                if let number = track.number { tracks.insert(number) }
                let count = track.entries(reader)
                entries = entries.addingClamped(count)
                editedEntries = editedEntries.addingClamped(count.multipliedClamped(by: max(1, track.edits)))
            } else if box.kind == "cmov" {
                isCompressed = true
            } else if Self.containers.contains(box.kind), depth < Self.deepest {
                addTracks(in: box.content, &reader, depth: depth + 1)
            }
            return true
        }
    }

    private mutating func addFragment(in range: Range<Int64>, _ reader: inout BoxReader, depth: Int) {
        reader.forEach(in: range) { box, reader in
            if box.kind == "trun" {
                let count = reader.number(at: box.content.lowerBound + 4)
                entries = entries.addingClamped(count)
                editedEntries = editedEntries.addingClamped(count)
            } else if Self.containers.contains(box.kind), depth < Self.deepest {
                addFragment(in: box.content, &reader, depth: depth + 1)
            }
            return true
        }
    }

    /// Whether the segment index in `range` (ISO/IEC 14496-12, 8.16.3) belongs to a known track and covers everything
    /// up to the end of the file. False if the segment index refers to another index.
    private func indexes(_ range: Range<Int64>, _ size: Int64, _ reader: BoxReader) -> Bool {
        let head = reader.bytes(at: range.lowerBound, 32)
        guard head.count == 32, head[0] <= 1, tracks.contains(BoxReader.number(head[4..<8])),
            BoxReader.number(head[8..<12]) > 0
        else { return false }
        let isWide = head[0] == 1
        let first = BoxReader.number(isWide ? head[24..<28] : head[16..<20])
        let countPlace = isWide ? 30 : 22
        guard !isWide || BoxReader.number(head[20..<24]) == 0 else { return false }
        let count = head[countPlace..<countPlace + 2].reduce(0) { $0 << 8 | Int($1) }
        let table = reader.bytes(at: range.lowerBound + Int64(countPlace) + 2, count * 12)
        guard table.count == count * 12 else { return false }
        var end = range.upperBound.addingClamped(Int64(first))
        for row in stride(from: 0, to: table.count, by: 12) {
            let reference = BoxReader.number(table[row..<row + 4])
            // The high bit means a reference to another index.
            if reference >= 1 << 31 { return false }
            end = end.addingClamped(Int64(reference))
        }
        return end == size
    }
}

/// The counts of one track, as claimed by its boxes. If there are several size or chunk tables, the largest count
/// applies.
private struct Track {
    var number: Int?
    var edits = 0
    private var isAudio = false
    private var isPlain = false
    /// The number of samples in the size table.
    private var samples = 0
    private var chunks = 0
    /// The offsets and row counts of the first and the last sample-to-chunk table.
    private var runs: [(place: Int64, rows: Int)] = []
    /// The minimum number of samples that FFmpeg puts in one index entry. Used only for uncompressed audio.
    private var samplesAnEntry = mostSamplesAnEntry

    /// The limits that determine how FFmpeg combines audio samples into index entries. Each packet of at least
    /// `leastTogether` samples becomes one entry. Shorter packets are combined into entries of 1024 samples, rounded
    /// down to whole packets. The result is at least `mostSamplesAnEntry` samples per entry.
    private static let (leastTogether, mostSamplesAnEntry) = (160, 882)

    /// Returns the number of index entries that FFmpeg makes for this track: usually one per sample. In uncompressed
    /// audio in which each sample lasts one time unit, FFmpeg combines many samples of a chunk into one entry.
    func entries(_ reader: BoxReader) -> Int {
        guard isAudio, isPlain else { return samples }
        return runs.map { entries(of: $0, reader) }.max() ?? chunks
    }

    private func entries(of table: (place: Int64, rows: Int), _ reader: BoxReader) -> Int {
        var entries = chunks
        var last: (first: Int, samples: Int)?
        func add(until next: Int) {
            guard let last else { return }
            let count = max(0, next.subtractingClamped(last.first))
            entries = entries.addingClamped(count.multipliedClamped(by: last.samples / samplesAnEntry))
        }
        reader.forEachRow(at: table.place, count: table.rows) { first, samples in
            add(until: first)
            last = (first, samples)
        }
        add(until: chunks.addingClamped(1))
        return entries
    }

    mutating func read(_ range: Range<Int64>, _ reader: inout BoxReader, depth: Int) {
        reader.forEach(in: range) { box, reader in
            let start = box.content.lowerBound
            switch box.kind {
            case "tkhd": number = reader.number(at: start + (reader.number(at: start) >> 24 == 1 ? 20 : 12))
            case "hdlr":
                // QuickTime tracks have other handlers too. Of those that give the type of media, the last one applies.
                let kind = reader.kind(at: start + 8)
                isAudio = kind == "soun" || isAudio && !["vide", "subp", "clcp"].contains(kind)
            case "elst":
                // An edit takes at least 12 bytes.
                let room = Int(clamping: (box.content.upperBound - start) / 12)
                edits = max(edits, min(room, reader.number(at: start + 4)))
            case "stsz", "stz2": samples = max(samples, reader.number(at: start + 8))
            case "stco", "co64": chunks = max(chunks, reader.number(at: start + 4))
            case "stts": isPlain = reader.number(at: start + 4) == 1 && reader.number(at: start + 12) == 1
            case "stsc":
                let room = Int(clamping: max(0, box.content.upperBound - start - 8) / 12)
                runs = runs.prefix(1) + [(start + 8, min(room, reader.number(at: start + 4)))]
            case "stsd":
                if start + 8 < box.content.upperBound {
                    readFormats(start + 8..<box.content.upperBound, &reader, depth: depth + 1)
                }
            case "meta":
                // The box starts with a version field, except in QuickTime files.
                for place in [start, start + 4] where place < box.content.upperBound && depth < MP4Tables.deepest {
                    read(place..<box.content.upperBound, &reader, depth: depth + 1)
                }
            case let kind where MP4Tables.containers.contains(kind) && depth < MP4Tables.deepest:
                read(box.content, &reader, depth: depth + 1)
            default: break
            }
            return true
        }
    }

    /// Reads the sample descriptions and their nested boxes, which follow a fixed-length part. The lengths of the fixed
    /// parts are from ISO/IEC 14496-12, 12.1.3 (video) and 12.2.3 (audio), and from QuickTime audio, versions 1 and 2.
    private mutating func readFormats(_ range: Range<Int64>, _ reader: inout BoxReader, depth: Int) {
        reader.forEach(in: range) { box, reader in
            let start = box.content.lowerBound
            for place in [start + 28, start + 60] {
                let together = reader.number(at: place)
                if together >= Self.leastTogether { samplesAnEntry = min(samplesAnEntry, together) }
            }
            for length in [28, 44, 64, 78] as [Int64]
            where depth < MP4Tables.deepest && start + length < box.content.upperBound {
                read(start + length..<box.content.upperBound, &reader, depth: depth + 1)
            }
            return true
        }
    }
}

/// Iterates over the boxes of a file, and reads single fields without loading whole boxes.
private struct BoxReader {
    struct Box {
        var kind: String
        var content: Range<Int64>
    }

    /// The maximum number of boxes to read within each top-level box. A film usually has about a hundred.
    private static let mostBoxes = 100_000
    /// The maximum number of table rows to read at a time.
    private static let rowsAtATime = 4096

    private let read: MP4Tables.Read
    private var boxesLeft = mostBoxes
    /// Whether some top-level box contains more than `mostBoxes` boxes.
    private(set) var isBeyondLimits = false

    init(read: @escaping MP4Tables.Read) { self.read = read }

    func bytes(at place: Int64, _ count: Int) -> [UInt8] { read(place, count) }

    /// Resets the box limit for the next top-level box.
    mutating func allowMore() { boxesLeft = Self.mostBoxes }

    /// Calls `body` for each box that starts in `range`. Stops when `body` returns false, at data that is not a box, or
    /// once `mostBoxes` boxes have been read within the current top-level box.
    mutating func forEach(in range: Range<Int64>, _ body: (Box, inout BoxReader) -> Bool) {
        var place = range.lowerBound
        while range.upperBound - place >= 8, let box = box(at: place, in: range) {
            boxesLeft -= 1
            guard boxesLeft >= 0 else {
                isBeyondLimits = true
                return
            }
            guard body(box, &self), box.content.upperBound > place else { return }
            place = box.content.upperBound
        }
    }

    /// Returns the box at the offset `place`; nil if there is none. If the length field is 1, a 64-bit length follows.
    /// If the length field is 0, the box extends to the end of `range`.
    private func box(at place: Int64, in range: Range<Int64>) -> Box? {
        let head = read(place, 16)
        guard head.count >= 8 else { return nil }
        let length = Int64(Self.number(head[0..<4]))
        let kind = String(decoding: head[4..<8], as: UTF8.self)
        switch length {
        case 0: return Box(kind: kind, content: place + 8..<range.upperBound)
        case 1:
            guard head.count == 16 else { return nil }
            let high = Int64(Self.number(head[8..<12])), low = Int64(Self.number(head[12..<16]))
            let end = place.addingClamped(high << 32 | low)
            guard high < 1 << 31, end >= place + 16, place + 16 <= range.upperBound else { return nil }
            return Box(kind: kind, content: place + 16..<min(end, range.upperBound))
        case 8...: return Box(kind: kind, content: place + 8..<min(place.addingClamped(length), range.upperBound))
        default: return nil
        }
    }

    /// Returns the big-endian 32-bit number at the offset `place`; 0 if fewer than four bytes can be read there.
    func number(at place: Int64) -> Int {
        let bytes = read(place, 4)
        return bytes.count == 4 ? Self.number(bytes[...]) : 0
    }

    /// Returns the four-character code at the offset `place`.
    func kind(at place: Int64) -> String { String(decoding: read(place, 4), as: UTF8.self) }

    /// Calls `body` with the first two 32-bit numbers of each row of a three-column table.
    func forEachRow(at place: Int64, count: Int, _ body: (Int, Int) -> Void) {
        for first in stride(from: 0, to: count, by: Self.rowsAtATime) {
            let rows = read(place + Int64(first) * 12, min(Self.rowsAtATime, count - first) * 12)
            for row in stride(from: 0, through: rows.count - 12, by: 12) {
                body(Self.number(rows[row..<row + 4]), Self.number(rows[row + 4..<row + 8]))
            }
        }
    }

    static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
