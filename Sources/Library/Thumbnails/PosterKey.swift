import GlissadeMedia
import GlissadeTime

/// The cache key of a poster or seek preview: the file's path, size and modification time, the preview's position, and
/// the size limit.
struct PosterKey: Hashable, Sendable {
    var path: BytePath
    var byteCount: Int
    var modified: FileTime
    /// The position of a seek preview, measured from the film's start; nil for a poster.
    var place: Duration?
    /// The size limit of the poster or preview, in pixels.
    var limit = PosterMaker.limit

    /// The key encoded as bytes. Different keys have different encodings.
    var bytes: [UInt8] {
        var bytes = path.bytes + [0] + Self.littleEndian(UInt64(bitPattern: Int64(byteCount)))
        bytes += Self.littleEndian(UInt64(bitPattern: modified.nanoseconds))
        // Default-size posters keep the key format of earlier versions.
        if place == nil, limit == PosterMaker.limit { return bytes }
        return [place?.nanoseconds ?? -1, Int64(limit.width), Int64(limit.height)]
            .reduce(bytes) { $0 + Self.littleEndian(UInt64(bitPattern: $1)) }
    }

    /// The name of the cache file: 32 hexadecimal digits from two hashes, and the extension. If two keys have the same
    /// name, the key stored in the file tells them apart.
    var fileName: String {
        let bytes = bytes
        let seeds: [UInt64] = [0xcbf2_9ce4_8422_2325, 0x6c62_272e_07bb_0142]
        return seeds.map { seed in
            let digits = String(Self.hash(bytes[...], seed: seed), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined() + Self.fileEnding
    }

    static let fileEnding = ".poster.jpg"

    /// Returns a 64-bit FNV-1a hash. It detects accidental damage, but not tampering.
    static func hash(_ bytes: ArraySlice<UInt8>, seed: UInt64 = 0xcbf2_9ce4_8422_2325) -> UInt64 {
        bytes.reduce(seed) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }

    static func littleEndian(_ value: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
}
