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
    /// The length of the file that takes up `range`, in nanoseconds; 0 if unknown, nil if it cannot be played by itself.
    static func length(_ file: FileExtent, of range: Range<Int64>) -> Int64?
}

/// Finds the files of which a file of sound was joined.
enum FileParts {
    /// A numbered unit of a file, such as a page or a frame. The numbers rise within one of joined files.
    struct Sample: Hashable {
        /// Where it begins, in bytes.
        var place: Int64
        /// The stream that it belongs to.
        var serial: UInt32 = 0
        var number: Int64

        fileprivate func isContinued(by next: Sample) -> Bool {
            next.serial == serial && (next.number > number || next.place == place)
        }
    }

    /// The most parts.
    static let limit = 4096
    /// The size of a stretch that is read as a whole, and the most stretches of a file.
    private static let (stretch, mostStretches): (Int64, Int64) = (1 << 18, 4096)
    /// The size of a file's end that is read as a whole.
    private static let tail: Int64 = 1 << 17
    /// The most bytes to read.
    private static let mostBytes = 512 << 20

    /// Returns the parts of a file in the container that FFmpeg calls `format`. Empty if nothing was joined, or if the
    /// container joins files itself.
    static func find(in file: FileExtent, format: String) -> [FilePart] {
        var left = mostBytes
        let limited = FileExtent(size: file.size) { place, count in
            guard left > 0 else { return [] }
            left -= count
            return file.read(place, count)
        }
        let found =
            switch format {
            case "ogg": OggPages.isSound(limited) ? find(OggPages.self, in: limited) : []
            case "flac": find(FLACFrames.self, in: limited)
            default: [FilePart]()
            }
        return left > 0 ? found : []
    }

    private static func find<F: JoinableFormat>(_ format: F.Type, in file: FileExtent) -> [FilePart] {
        var begins = format.begins(file, in: 0..<min(stretch, file.size))
        guard !begins.isEmpty else { return [] }
        if file.size > stretch {
            if begins.count == 1, !isSuspicious(format, file) { return [] }
            let step = max(stretch, file.size / mostStretches)
            var last = format.sample(file, in: stretch..<file.size)
            var done = stretch
            for place in stride(from: stretch + step, to: file.size, by: Int(step)) {
                guard let next = format.sample(file, in: place..<file.size), let low = last else { continue }
                if !low.isContinued(by: next) { begins += format.begins(file, in: done..<next.place) }
                (last, done) = (next, max(done, next.place))
                if begins.count > limit { return [] }
            }
            begins += format.begins(file, in: done..<file.size)
        }
        guard (2...limit).contains(begins.count) else { return [] }
        begins[0] = 0
        var parts: [FilePart] = []
        for (begin, end) in zip(begins, begins.dropFirst() + [file.size]) {
            guard begin < end, let length = format.length(file, of: begin..<end) else { return [] }
            parts.append(FilePart(bytes: begin..<end, length: length))
        }
        parts[parts.count - 1].isLast = true
        return parts
    }

    /// Whether the numbers at some places of a file do not rise. The distances between them double, so that they fall
    /// wherever there is a join.
    private static func isSuspicious(_ format: (some JoinableFormat).Type, _ file: FileExtent) -> Bool {
        var samples = [format.sample(file, in: 0..<file.size)]
        var place = stretch / 2
        while place < file.size - tail {
            samples.append(format.sample(file, in: place..<file.size))
            place *= 2
        }
        samples.append(format.sample(file, in: (file.size - tail)..<file.size))
        if !format.begins(file, in: (file.size - tail)..<file.size).isEmpty { return true }
        let found = samples.compactMap { $0 }
        return zip(found, found.dropFirst()).contains { $0.place < $1.place && !$0.isContinued(by: $1) }
    }
}
