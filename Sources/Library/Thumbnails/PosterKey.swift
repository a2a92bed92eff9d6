import Media
import Time

/// What a poster is kept under: the file as it was when the poster was made. A preview is a poster of one place in it.
struct PosterKey: Hashable, Sendable {
    var path: FilePath
    var byteCount: Int
    var modified: FileTime
    /// Where in the film, from its beginning; nil for the poster that stands for the whole.
    var place: Duration?
    /// The picture's largest size.
    var limit = PosterMaker.limit

    /// The key as bytes that tell any two keys apart.
    var bytes: [UInt8] {
        var bytes = path.bytes + [0] + Self.littleEndian(UInt64(bitPattern: Int64(byteCount)))
        bytes += Self.littleEndian(UInt64(bitPattern: modified.nanoseconds))
        // A poster of the usual size is kept under what it always was.
        if place == nil, limit == PosterMaker.limit { return bytes }
        return [place?.nanoseconds ?? -1, Int64(limit.width), Int64(limit.height)]
            .reduce(bytes) { $0 + Self.littleEndian(UInt64(bitPattern: $1)) }
    }

    /// The name of the file in the cache: 32 hexadecimal digits, from two hashes. Should two keys ever share one, the key
    /// within the file tells whose it is.
    var fileName: String {
        let bytes = bytes
        let seeds: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142]
        return seeds.map { seed in
            let digits = String(Self.hash(bytes[...], seed: seed), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined() + Self.fileEnding
    }

    static let fileEnding = ".poster.jpg"

    /// FNV-1a, 64 bits: to find names and damage by, not to withstand anybody.
    static func hash(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    static func littleEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
