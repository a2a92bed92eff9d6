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
