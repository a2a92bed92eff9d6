import Time

/// How large an index an MP4 or QuickTime file asks for, found out before FFmpeg makes it.
///
/// A table of samples of one size takes 20 bytes in the file, whatever number of samples it claims (ISO/IEC 14496-12, 8.7.3),
/// and FFmpeg makes an entry in memory for each, of every track, when it opens the file. What is looked at here are the boxes
/// that say how many: no samples and no tables, but for those of uncompressed sound.
struct MP4Tables {
    /// Entries that FFmpeg makes on opening.
    private(set) var entries = 0
    /// The same, where every edit of a track's list shows all of its samples.
    private(set) var editedEntries = 0
    /// Whether the boxes of the movie are compressed, as QuickTime did before 2005: nothing tells what is in them.
    private(set) var isCompressed = false

    /// What FFmpeg keeps of a sample: its place, its time and its composition time.
    static let bytesPerEntry = 40

    /// Reads `count` bytes at a place; fewer where there are no more.
    typealias Read = (_ place: Int64, _ count: Int) -> [UInt8]

    /// Of the tracks, which a segment index refers to.
    private var tracks: Set<Int> = []
    /// Whether a segment index tells where each fragment is: FFmpeg reads those as they are played.
    private var isIndexed = false

    /// - Parameters:
    ///   - size: of the file.
    ///   - limit: of entries; what comes after more than that is not looked at.
    ///   - read: reads from it.
    init(size: Int64, limit: Int = .max, read: @escaping Read) {
        var reader = BoxReader(read: read)
        reader.forEach(in: 0..<max(0, size)) { box, reader in
            // There are as many fragments as a film is long, and FFmpeg looks at all of them as well.
            reader.allowMore()
            switch box.kind {
            case "moov": addTracks(in: box.content, &reader, depth: 1)
            case "free", "hoov":
                // A movie under another name.
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

    /// Boxes that FFmpeg looks into, wherever they are.
    fileprivate static let containers: Set<String> = [
        "trak", "mdia", "minf", "stbl", "edts", "dinf", "mvex", "udta", "traf", "wave", "tref", "moov", "moof", "sinf",
        "schi", "iref", "jp2h", "ilst", "gmhd",
    ]
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

    /// Whether a segment index (8.16.3) is of a track that there is, and leads to the end of the file.
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
            // One to another index.
            if reference >= 1 << 31 { return false }
            end = end.addingClamped(Int64(reference))
        }
        return end == size
    }
}

/// What the boxes of a track claim; of boxes that are there more than once, the largest.
private struct Track {
    var number: Int?
    var edits = 0
    private var isAudio = false
    private var isPlain = false
    /// Of the table of sizes.
    private var samples = 0
    private var chunks = 0
    /// Where tables are that say from which chunk on each has how many samples, and how many rows they have: the first
    /// and the last.
    private var runs: [(place: Int64, rows: Int)] = []
    /// The least number of samples that uncompressed sound has in an entry.
    private var samplesAnEntry = mostSamplesAnEntry

    /// FFmpeg puts 1024 samples into an entry, or the multiple of what a format has together that is next to it; or what a
    /// format has together where that is 160 or more.
    private static let (leastTogether, mostSamplesAnEntry) = (160, 882)

    /// FFmpeg's entries: one a sample. Of uncompressed sound, whose samples take one unit of time each, it makes one of some
    /// hundred samples of a chunk.
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
                // The last that says either; QuickTime has others beside.
                let kind = reader.kind(at: start + 8)
                isAudio = kind == "soun" || isAudio && !["vide", "subp", "clcp"].contains(kind)
            case "elst":
                // An edit takes 12 bytes or more.
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
                // With a version, or as QuickTime has it.
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

    /// Formats, and the boxes behind their fixed parts (12.1.3, 12.2.3; QuickTime's sound of versions 1 and 2).
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

/// Goes over boxes without reading what is in them.
private struct BoxReader {
    struct Box {
        var kind: String
        var content: Range<Int64>
    }

    /// So many are looked at in each of those that a file consists of: a film has some hundred.
    private static let mostBoxes = 100_000
    /// Of a table, at a time.
    private static let rowsAtATime = 4096

    private let read: MP4Tables.Read
    private var boxesLeft = mostBoxes
    /// Whether there was more than is looked at.
    private(set) var isBeyondLimits = false

    init(read: @escaping MP4Tables.Read) { self.read = read }

    func bytes(at place: Int64, _ count: Int) -> [UInt8] { read(place, count) }

    mutating func allowMore() { boxesLeft = Self.mostBoxes }

    /// All boxes that begin in a range, until `body` answers that it has seen enough. What is no box ends it.
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

    /// A length of 1 is told by the eight bytes that follow; one of 0 reaches to the end.
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

    /// 32 bits; 0 beyond the end.
    func number(at place: Int64) -> Int {
        let bytes = read(place, 4)
        return bytes.count == 4 ? Self.number(bytes[...]) : 0
    }

    func kind(at place: Int64) -> String { String(decoding: read(place, 4), as: UTF8.self) }

    /// The first two numbers of each row of a table whose rows have three.
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
