import Glibc

/// Counts the samples of FLAC frames without decoding them (RFC 9639, 9.1).
enum FLACFrames {
    /// The most bytes that a frame header has.
    private static let longestHeader = 16

    /// The length of the frames that begin in `bytes`, in nanoseconds. What lies between frames does not count.
    ///
    /// - Parameter rate: The sample rate in hertz of frames that do not say theirs; 0 if unknown.
    static func length(of bytes: UnsafeRawBufferPointer, rate: Int) -> Int64 {
        var length = 0.0
        var place = 0
        while place + 1 < bytes.count {
            // A frame begins with 14 bits of sync code, and a bit that is 0.
            guard bytes[place] == 0xFF, bytes[place + 1] & 0xFE == 0xF8,
                let header = Header(UnsafeRawBufferPointer(rebasing: bytes[place...].prefix(longestHeader)))
            else {
                place += 1
                continue
            }
            let frameRate = header.rate ?? rate
            if frameRate > 0 { length += Double(header.samples) / Double(frameRate) }
            place += header.count
        }
        return Int64(clamping: Int((min(length, 1e9) * 1e9).rounded()))
    }

    /// Where the frames of a file begin, in bytes: after its tags and pictures (RFC 9639, 8). Nil if that cannot be told.
    ///
    /// - Parameter read: Reads bytes: the position and their number. Returns fewer where the file ends.
    static func begin(_ read: (Int64, Int) -> [UInt8]) -> Int64? {
        begin(at: 0, read)
    }

    private static func begin(at start: Int64, _ read: (Int64, Int) -> [UInt8]) -> Int64? {
        var place = start
        for _ in 0..<mostTags {
            let tag = read(place, 10)
            guard tag.starts(with: "ID3".utf8), tag.count == 10 else { break }
            let hasFooter = tag[5] & 0x10 != 0
            place += (hasFooter ? 20 : 10) + tag[6...].reduce(0) { $0 << 7 | Int64($1 & 0x7F) }
        }
        guard read(place, 4).elementsEqual("fLaC".utf8) else { return nil }
        place += 4
        for _ in 0..<mostBlocks {
            let head = read(place, 4)
            guard head.count == 4 else { return nil }
            place += 4 + head[1...].reduce(0) { $0 << 8 | Int64($1) }
            if head[0] & 0x80 != 0 { return place }
        }
        return nil
    }

    /// Where the frames of the last of joined files begin, in bytes, whose mark lies between the bytes `first` and `place`.
    /// Nil if there is none in the last megabytes.
    static func begin(before place: Int64, after first: Int64, _ read: (Int64, Int) -> [UInt8]) -> Int64? {
        for distance in [1 << 18, 1 << 22, 1 << 24] as [Int64] {
            let start = max(first, place - distance)
            guard start < place else { return nil }
            let bytes = read(start, Int(place - start))
            var end = bytes.count - 8
            while let found = bytes[..<max(0, end)].lastIndex(of: UInt8(ascii: "f")) {
                if isMark(bytes[found...]) { return begin(at: start + Int64(found), read) }
                end = found
            }
            if start == first { return nil }
        }
        return nil
    }

    /// One of joined files.
    struct Part: Hashable {
        /// Where its frames begin, in bytes.
        var begin: Int64
        /// Its length by its header, in nanoseconds; 0 if unknown.
        var length: Int64
        /// The sample rate in hertz; 0 if unknown.
        var rate: Int64

        /// Reads the first 18 bytes of the block that describes the stream (RFC 9639, 8.2).
        init(_ info: ArraySlice<UInt8>, begin: Int64) {
            let bytes = info.map { Int64($0) }
            rate = bytes[10] << 12 | bytes[11] << 4 | bytes[12] >> 4
            let samples = bytes[14...17].reduce(bytes[13] & 0xF) { $0 << 8 | $1 }
            // At low rates, more than any time may be.
            let seconds = rate > 0 ? Double(samples) / Double(rate) : 0
            length = Int64(min(seconds * 1e9, Double(PacketTimeline.farthest)).rounded())
            self.begin = begin
        }
    }

    /// The files that follow the first of joined files, by their marks. Reads all of the file from the byte `start` on,
    /// once.
    static func parts(from start: Int64, to size: Int64, _ read: (Int64, Int) -> [UInt8]) -> [Part] {
        var parts: [Part] = []
        var place = start
        while place < size {
            let bytes = read(place, 1 << 20)
            guard bytes.count > infoBytes else { break }
            var searched = 0
            while let found = firstMark(in: bytes, from: searched) {
                guard parts.count < ClockJoins.limit, let begin = begin(at: place + Int64(found), read), begin < size
                else { return parts }
                parts.append(Part(bytes[(found + 8)..<(found + infoBytes)], begin: begin))
                // Not in the pictures before the frames.
                searched = Int(min(begin - place, Int64(bytes.count)))
            }
            place = max(place + Int64(bytes.count - infoBytes), parts.last?.begin ?? start)
        }
        return parts
    }

    /// The mark of a file, the head of the block that describes the stream, and that block as far as it is read.
    private static let infoBytes = 26

    private static func firstMark(in bytes: [UInt8], from start: Int) -> Int? {
        bytes.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return nil }
            var place = start
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
        /// The sample rates in hertz of the codes 0 to 11; nil for the code of frames that do not say theirs.
        private static let rates = [
            nil, 88200, 176_400, 192_000, 8000, 16000, 22050, 24000, 32000, 44100, 48000, 96000,
        ]
        /// The number of samples of each channel.
        let samples: Int
        /// The sample rate in hertz; nil if the frame does not say it.
        let rate: Int?
        /// The size of the header in bytes.
        let count: Int

        /// Reads the header that `bytes` begin with; nil unless it is one, and its checksum is right.
        init?(_ bytes: UnsafeRawBufferPointer) {
            guard bytes.count > 5 else { return nil }
            let (sizeCode, rateCode) = (Int(bytes[2] >> 4), Int(bytes[2] & 0xF))
            guard sizeCode != 0, rateCode != 0xF, bytes[3] >> 4 <= 10, bytes[3] >> 1 & 7 != 3, bytes[3] & 1 == 0 else {
                return nil
            }
            // The frame's number, in the form of UTF-8.
            let ones = (~bytes[4]).leadingZeroBitCount
            guard ones != 1, ones <= 7 else { return nil }
            var place = 4 + max(1, ones)
            func number(_ count: Int) -> Int? {
                guard place + count < bytes.count else { return nil }
                defer { place += count }
                return bytes[place..<place + count].reduce(0) { $0 << 8 | Int($1) }
            }
            switch sizeCode {
            case 1: samples = 192
            case 2...5: samples = 576 << (sizeCode - 2)
            case 6, 7:
                guard let last = number(sizeCode - 5) else { return nil }
                samples = last + 1
            default: samples = 256 << (sizeCode - 8)
            }
            switch rateCode {
            case 12, 13, 14:
                guard let value = number(rateCode == 12 ? 1 : 2) else { return nil }
                rate = value * [1000, 1, 10][rateCode - 12]
            default: rate = Self.rates[rateCode]
            }
            guard place < bytes.count, Self.checksum(bytes[..<place]) == bytes[place] else { return nil }
            count = place + 1
        }

        /// CRC-8 with the polynomial x⁸ + x² + x + 1.
        private static func checksum(_ bytes: Slice<UnsafeRawBufferPointer>) -> UInt8 {
            bytes.reduce(0) { sum, byte in
                (0..<8).reduce(sum ^ byte) { rest, _ in rest & 0x80 == 0 ? rest << 1 : rest << 1 ^ 0x07 }
            }
        }
    }
}
