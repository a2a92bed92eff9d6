import Glibc

/// The frames of a FLAC file (RFC 9639). Files that are joined each begin with a mark.
enum FLACFrames: JoinableFormat {
    /// The most bytes that a frame header has.
    private static let longestHeader = 16
    /// How much to read in search of a frame, in bytes.
    private static let windows = [1 << 16, 1 << 20]

    /// Where the frames of the file that begins at `start` begin, in bytes: after its tags and pictures (RFC 9639, 8). Nil
    /// if that cannot be told.
    private static func begin(at start: Int64, _ file: FileExtent) -> Int64? {
        guard var place = mark(at: start, file) else { return nil }
        place += 4
        for _ in 0..<mostBlocks {
            let head = file.read(place, 4)
            guard head.count == 4 else { return nil }
            place += 4 + head[1...].reduce(0) { $0 << 8 | Int64($1) }
            if head[0] & 0x80 != 0 { return place }
        }
        return nil
    }

    /// Where the mark of the file that begins at `start` is, behind its tags; nil if there is none.
    private static func mark(at start: Int64, _ file: FileExtent) -> Int64? {
        var place = start
        for _ in 0..<mostTags {
            let tag = file.read(place, 10)
            guard tag.starts(with: "ID3".utf8), tag.count == 10 else { break }
            let hasFooter = tag[5] & 0x10 != 0
            place += (hasFooter ? 20 : 10) + tag[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        }
        return file.read(place, 4).elementsEqual("fLaC".utf8) ? place : nil
    }

    static func sample(_ file: FileExtent, in range: Range<Int64>) -> FileParts.Sample? {
        for window in windows {
            let bytes = file.read(range.lowerBound, Int(min(Int64(window), range.upperBound - range.lowerBound)))
            // Two that follow each other: a single one may be chance.
            var last: (place: Int, header: Header)?
            for (place, header) in headers(in: bytes) {
                if let (place, first) = last, first.isVariable == header.isVariable,
                    header.number == first.number + (first.isVariable ? Int64(first.samples) : 1)
                {
                    return FileParts.Sample(
                        place: range.lowerBound + Int64(place), serial: first.isVariable ? 1 : 0, number: first.number)
                }
                last = (place, header)
            }
        }
        return nil
    }

    /// What may be headers of frames in `bytes`, with the places where they begin.
    private static func headers(in bytes: [UInt8]) -> [(place: Int, header: Header)] {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return [] }
            var found: [(Int, Header)] = []
            var place = 0
            while place < bytes.count, let next = memchr(base + place, 0xFF, bytes.count - place) {
                place = next - UnsafeMutableRawPointer(mutating: base)
                // A frame begins with 14 bits of sync code, and a bit that is 0.
                if place + 1 < bytes.count, bytes[place + 1] & 0xFE == 0xF8,
                    let header = Header(UnsafeRawBufferPointer(rebasing: bytes[place...].prefix(longestHeader)))
                {
                    found.append((place, header))
                }
                place += 1
            }
            return found
        }
    }

    static func begins(_ file: FileExtent, in range: Range<Int64>) -> [Int64] {
        var begins: [Int64] = []
        var place = range.lowerBound
        if place == 0 {
            guard let first = begin(at: 0, file) else { return [] }
            begins = [0]
            place = first
        }
        while place < range.upperBound, begins.count <= FileParts.limit {
            let bytes = file.read(place, 1 << 20)
            if let found = firstMark(in: bytes), place + Int64(found) < range.upperBound {
                begins.append(place + Int64(found))
                // Not in the pictures before the frames.
                let mark = place + Int64(found)
                place = max(mark + Int64(infoBytes), begin(at: mark, file) ?? 0)
            } else {
                guard bytes.count > infoBytes else { break }
                place += Int64(bytes.count - infoBytes)
            }
        }
        return begins
    }

    static func length(_ file: FileExtent, of range: Range<Int64>) -> Int64? {
        guard let info = Info(file, at: range.lowerBound) else { return nil }
        let samples = info.samples > 0 ? info.samples : end(file, of: range, info) ?? 0
        return FilePart.length(samples: samples, rate: info.rate)
    }

    static func endsOtherwise(_ file: FileExtent) -> Bool {
        guard let info = Info(file, at: 0), info.samples > 0, let end = end(file, of: 0..<file.size, info) else {
            return false
        }
        return end != info.samples
    }

    /// The number of samples until the end of the last frame in `range`; nil if none is found.
    private static func end(_ file: FileExtent, of range: Range<Int64>, _ info: Info) -> Int64? {
        for window in windows {
            let start = max(info.frames, range.upperBound - Int64(window))
            guard start < range.upperBound else { return nil }
            guard let last = headers(in: file.read(start, Int(range.upperBound - start))).last?.header else { continue }
            let begin = last.isVariable ? last.number : last.number.multipliedClamped(by: info.frameSize)
            return begin.addingClamped(Int64(last.samples))
        }
        return nil
    }

    /// The block that describes a stream (RFC 9639, 8.2).
    private struct Info {
        /// Where the frames begin, in bytes.
        let frames: Int64
        /// The least number of samples in a frame but the last.
        let frameSize: Int64
        /// In hertz.
        let rate: Int64
        /// The number of samples of each channel; 0 if unknown.
        let samples: Int64

        /// Reads that of the file that begins at `start`.
        init?(_ file: FileExtent, at start: Int64) {
            guard let mark = mark(at: start, file), let frames = begin(at: start, file) else { return nil }
            let info = file.read(mark + 8, 18).map { Int64($0) }
            guard info.count == 18 else { return nil }
            self.frames = frames
            frameSize = info[0] << 8 | info[1]
            rate = info[10] << 12 | info[11] << 4 | info[12] >> 4
            samples = info[14...17].reduce(info[13] & 0xF) { $0 << 8 | $1 }
        }
    }

    /// The mark of a file, the head of the block that describes the stream, and that block as far as it is read.
    private static let infoBytes = 26

    /// The first mark in `bytes` with all of those bytes.
    private static func firstMark(in bytes: [UInt8]) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = 0
            let end = bytes.count - infoBytes
            while place < end, let found = memchr(base + place, Int32(UInt8(ascii: "f")), end - place) {
                place = found - UnsafeMutableRawPointer(mutating: base)
                if isMark(bytes[place...]) { return place }
                place += 1
            }
            return nil
        }
    }

    /// Whether `bytes`, at least 8, begin with a file's mark and the head of a block of 34 bytes that describes the stream.
    private static func isMark(_ bytes: some Collection<UInt8>) -> Bool {
        let head = Array(bytes.prefix(8))
        return head.count == 8 && head.starts(with: "fLaC".utf8) && head[4] & 0x7F == 0
            && head[5...].elementsEqual([0, 0, 34])
    }

    /// The most blocks before the frames, and tags before them, to go through.
    private static let (mostBlocks, mostTags) = (128, 8)

    private struct Header {
        /// The number of samples of each channel.
        let samples: Int
        /// The number of its first sample if the frames' sizes vary, otherwise that of the frame.
        let number: Int64
        let isVariable: Bool

        /// Reads the header that `bytes` begin with; nil unless it is one, and its checksum is right.
        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count > 5 else { return nil }
            let (sizeCode, rateCode) = (Int(bytes[2] >> 4), Int(bytes[2] & 0xF))
            guard sizeCode != 0, rateCode != 0xF, bytes[3] >> 4 <= 10, bytes[3] >> 1 & 7 != 3, bytes[3] & 1 == 0 else {
                return nil
            }
            // The frame's number, in the form of UTF-8.
            let ones = (~bytes[4]).leadingZeroBitCount
            guard ones != 1, ones <= 7, bytes.count > 4 + ones else { return nil }
            isVariable = bytes[1] & 1 != 0
            var place = 4 + max(1, ones)
            number = bytes[5..<place].reduce(Int64(bytes[4] & (0x7F >> UInt8(ones)))) { $0 << 6 | Int64($1 & 0x3F) }
            func next(_ count: Int) -> Int? {
                guard place + count < bytes.count else { return nil }
                defer { place += count }
                return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
            }
            switch sizeCode {
            case 1: samples = 192
            case 2...5: samples = 576 << (sizeCode - 2)
            case 6, 7:
                guard let last = next(sizeCode - 5) else { return nil }
                samples = last + 1
            default: samples = 256 << (sizeCode - 8)
            }
            if rateCode >= 12 { place += rateCode == 12 ? 1 : 2 }
            guard place < bytes.count, Self.checksum(bytes[..<place]) == bytes[place] else { return nil }
        }

        /// CRC-8 with the polynomial x⁸ + x² + x + 1.
        private static func checksum(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt8 {
            bytes.reduce(0) { table[Int($0 ^ $1)] }
        }

        private static let table = (0...255 as ClosedRange<UInt8>).map { byte in
            (0..<8).reduce(byte) { rest, _ in rest & 0x80 == 0 ? rest << 1 : rest << 1 ^ 0x07 }
        }
    }
}
