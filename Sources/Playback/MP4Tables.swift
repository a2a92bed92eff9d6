import Motion

/// How large an index an MP4 or QuickTime file asks for, found out before FFmpeg makes it.
///
/// A table of samples of one size takes 20 bytes in the file, whatever number of samples it claims (ISO/IEC 14496-12, 8.7.3),
/// and FFmpeg makes an entry in memory for each, of every track, when it opens the file. What is looked at here are the boxes
/// that say how many: no samples and no tables.
struct MP4Tables {
    /// Entries that FFmpeg makes on opening.
    private(set) var entries = 0
    /// The same, where every edit of a track's list shows all of its samples.
    private(set) var editedEntries = 0

    /// What FFmpeg keeps of a sample: its place, its time and its composition time.
    static let bytesPerEntry = 40

    /// Reads `count` bytes at a place; fewer where there are no more.
    typealias Read = (_ place: Int64, _ count: Int) -> [UInt8]

    /// - Parameters:
    ///   - size: of the file.
    ///   - read: reads from it.
    init(size: Int64, read: @escaping Read) {
        var reader = BoxReader(read: read)
        // What follows the first fragment is read as it is played.
        reader.forEach(in: 0..<max(0, size)) { box, reader in
            switch box.kind {
            case "moov": addTracks(in: box.content, &reader, depth: 1)
            case "moof": addFragment(in: box.content, &reader, depth: 1)
            default: break
            }
            return box.kind != "moof"
        }
        if reader.isBeyondLimits { (entries, editedEntries) = (.max, .max) }
    }

    /// Boxes that FFmpeg looks into, wherever they are.
    private static let containers: Set<String> = [
        "trak", "mdia", "minf", "stbl", "edts", "dinf", "mvex", "udta", "traf", "wave", "tref", "moov", "moof",
    ]
    private static let deepest = 12

    private mutating func addTracks(in range: Range<Int64>, _ reader: inout BoxReader, depth: Int) {
        reader.forEach(in: range) { box, reader in
            if box.kind == "trak" {
                var track = Track()
                track.read(box.content, &reader, depth: depth)
                entries = entries.addingClamped(track.entries)
                editedEntries = editedEntries.addingClamped(track.entries.multipliedClamped(by: max(1, track.edits)))
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

    /// What the boxes of a track claim; of boxes that are there more than once, the largest.
    private struct Track {
        var edits = 0
        private var isSound = false
        private var isPlain = false
        /// Of the table of sizes.
        private var samples = 0
        private var chunks = 0
        /// From a chunk on, each has so many samples.
        private var runs: [(first: Int, samples: Int)] = []

        /// FFmpeg's entries: one a sample. Of plain sound, whose samples take one unit of time each, it makes one of some
        /// hundred samples of a chunk.
        var entries: Int {
            guard isSound, isPlain else { return samples }
            var entries = chunks
            for (index, run) in runs.enumerated() {
                let next = index + 1 < runs.count ? runs[index + 1].first : chunks.addingClamped(1)
                let count = max(0, next.subtractingClamped(run.first))
                entries = entries.addingClamped(count.multipliedClamped(by: run.samples / MP4Tables.samplesAnEntry))
            }
            return entries
        }

        mutating func read(_ range: Range<Int64>, _ reader: inout BoxReader, depth: Int) {
            reader.forEach(in: range) { box, reader in
                let start = box.content.lowerBound
                switch box.kind {
                case "hdlr":
                    // The last that says either; QuickTime has others beside.
                    let kind = reader.kind(at: start + 8)
                    isSound = kind == "soun" || isSound && !["vide", "subp", "clcp"].contains(kind)
                case "elst":
                    // An edit takes 12 bytes or more.
                    let room = Int(clamping: (box.content.upperBound - start) / 12)
                    edits = max(edits, min(room, reader.number(at: start + 4)))
                case "stsz", "stz2": samples = max(samples, reader.number(at: start + 8))
                case "stco", "co64": chunks = max(chunks, reader.number(at: start + 4))
                case "stts": isPlain = reader.number(at: start + 4) == 1 && reader.number(at: start + 12) == 1
                case "stsc": runs = reader.pairs(at: start + 8, count: reader.number(at: start + 4), stride: 12)
                case let kind where MP4Tables.containers.contains(kind) && depth < MP4Tables.deepest:
                    read(box.content, &reader, depth: depth + 1)
                default: break
                }
                return true
            }
        }
    }

    /// At least, where there are as many.
    private static let samplesAnEntry = 160
}

/// Goes over boxes without reading what is in them.
private struct BoxReader {
    struct Box {
        var kind: String
        var content: Range<Int64>
    }

    /// So many are looked at in all, and so many pairs of a table: a film has some hundred, and some thousand.
    private static let (mostBoxes, mostPairs) = (100_000, 1 << 18)

    private let read: MP4Tables.Read
    private var boxesLeft = mostBoxes
    /// Whether there was more than is looked at.
    private(set) var isBeyondLimits = false

    init(read: @escaping MP4Tables.Read) { self.read = read }

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
        case 8...: return Box(kind: kind, content: place + 8..<min(place + length, range.upperBound))
        default: return nil
        }
    }

    /// 32 bits; 0 beyond the end.
    func number(at place: Int64) -> Int {
        let bytes = read(place, 4)
        return bytes.count == 4 ? Self.number(bytes[...]) : 0
    }

    func kind(at place: Int64) -> String { String(decoding: read(place, 4), as: UTF8.self) }

    /// The first two numbers of each row of a table.
    mutating func pairs(at place: Int64, count: Int, stride: Int) -> [(Int, Int)] {
        if count > Self.mostPairs { isBeyondLimits = true }
        let bytes = read(place, min(count, Self.mostPairs) * stride)
        return Swift.stride(from: 0, through: bytes.count - stride, by: stride).map {
            (Self.number(bytes[$0..<$0 + 4]), Self.number(bytes[$0 + 4..<$0 + 8]))
        }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 << 8 | Int($1) } }
}
