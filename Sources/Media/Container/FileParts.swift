/// One of the files that were joined end to end to make a file of sound. Each of them has headers and a clock of its own.
package struct FilePart: Hashable, Sendable {
    /// Its place in the whole file, in bytes.
    package var bytes: Range<Int64>
    /// Its length in nanoseconds; 0 if unknown.
    package var length: Int64
    /// Whether it is the last one, which may grow.
    package var isLast = false

    /// The prefix of the file's URL with which FFmpeg reads this part alone.
    var prefix: String { "subfile,,start,\(bytes.lowerBound),end,\(isLast ? 0 : bytes.upperBound),,:" }

    /// Its length if it holds `samples` at `rate` hertz.
    static func length(samples: Int64, rate: Int64) -> Int64 {
        guard samples > 0, rate > 0 else { return 0 }
        // At low rates, more than any time may be.
        return Int64(min(Double(samples) / Double(rate) * 1e9, Double(PacketTimeline.farthest)).rounded())
    }
}

/// A container that can be joined by writing one file after the other.
protocol JoinableFormat {
    /// The first unit that begins in `range`; nil if there is none, or if it would have to be sought for long.
    static func sample(_ file: FileExtent, in range: Range<Int64>) -> FileParts.Sample?
    /// Where files begin in `range`, in order. Reads all of it.
    static func begins(_ file: FileExtent, in range: Range<Int64>) -> [Int64]
    /// Whether the last unit of a file cannot be that of its first part.
    static func endsOtherwise(_ file: FileExtent) -> Bool
    /// The length of the file that takes up `range`, in nanoseconds; 0 if unknown, nil if it cannot be played by itself.
    static func length(_ file: FileExtent, of range: Range<Int64>) -> Int64?
}

/// Finds the files of which a file of sound was joined.
enum FileParts {
    /// A numbered unit of a file, such as a page or a frame. The numbers rise within one of joined files.
    struct Sample: Hashable {
        /// Where it begins, in bytes.
        var place: Int64
        /// What the units of one file have in common.
        var serial: UInt32
        var number: Int64

        fileprivate func isContinued(by next: Sample) -> Bool {
            next.serial == serial && (next.number > number || next.place == place)
        }
    }

    /// The most parts.
    static let limit = 4096
    /// The size of a file's beginning that is read as a whole, and that of its end.
    private static let (head, tail): (Int64, Int64) = (1 << 18, 1 << 17)
    /// The largest file to search, in bytes. If a few places of it look joined, all of it is read.
    private static let mostBytes: Int64 = 1 << 30

    /// Returns the parts of a file in the container that FFmpeg calls `format`. Empty if nothing was joined.
    static func find(in file: FileExtent, format: String) -> [FilePart] {
        guard (1...mostBytes).contains(file.size) else { return [] }
        return switch format {
        case "ogg": OggPages.isSound(file) ? find(OggPages.self, in: file) : []
        case "flac": find(FLACFrames.self, in: file)
        default: []
        }
    }

    private static func find<F: JoinableFormat>(_ format: F.Type, in file: FileExtent) -> [FilePart] {
        var begins = format.begins(file, in: 0..<min(head, file.size))
        guard !begins.isEmpty else { return [] }
        if file.size > head {
            guard begins.count > 1 || isSuspicious(format, file) else { return [] }
            begins = format.begins(file, in: 0..<file.size)
        }
        guard begins.count > 1 else { return [] }
        begins[0] = 0
        var parts: [FilePart] = []
        for (begin, end) in zip(begins, begins.dropFirst() + [file.size]) where begin < end {
            if parts.count < limit, let length = format.length(file, of: begin..<end) {
                parts.append(FilePart(bytes: begin..<end, length: length))
            } else if let last = parts.indices.last {
                // FFmpeg's reader makes what it can of it.
                parts[last].bytes = parts[last].bytes.lowerBound..<end
            } else {
                return []
            }
        }
        guard parts.count > 1 else { return [] }
        parts[parts.count - 1].isLast = true
        return parts
    }

    /// Whether the units at some places of a file are not those of one file. The distances between them double: the
    /// numbers fall at a join unless there are fewer of them in as many bytes before it.
    private static func isSuspicious(_ format: (some JoinableFormat).Type, _ file: FileExtent) -> Bool {
        if format.endsOtherwise(file) { return true }
        let last = (file.size - tail)..<file.size
        if !format.begins(file, in: last).isEmpty { return true }
        var samples = [format.sample(file, in: 0..<file.size)]
        var place = head / 2
        while place < last.lowerBound {
            samples.append(format.sample(file, in: place..<file.size))
            place *= 2
        }
        samples.append(format.sample(file, in: last))
        let found = samples.compactMap { $0 }
        return zip(found, found.dropFirst()).contains { $0.place < $1.place && !$0.isContinued(by: $1) }
    }
}
