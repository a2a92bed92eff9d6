import Media
import Picture

/// The format of a cache file: a JPEG that any viewer can open, followed by a trailer that identifies the poster and
/// detects damage.
///
/// JPEG (empty if the file yields no poster), key, JPEG length, key length, FNV-1a of everything before, mark. Numbers
/// are 8 bytes, little-endian.
enum PosterRecord {
    /// Changes with the format and with how posters are made, which invalidates older files.
    private static let mark = Array("glposte1".utf8)
    private static let trailerCount = 32

    static func bytes(_ poster: Bitmap?, for key: PosterKey) -> [UInt8]? {
        let jpeg: [UInt8]
        if let poster {
            guard let encoded = JPEG.encode(poster) else { return nil }
            jpeg = encoded
        } else {
            jpeg = []
        }
        let keyBytes = key.bytes
        var bytes = jpeg + keyBytes
        bytes += PosterKey.littleEndian(UInt64(jpeg.count)) + PosterKey.littleEndian(UInt64(keyBytes.count))
        return bytes + PosterKey.littleEndian(PosterKey.hash(bytes[...])) + mark
    }

    /// The result stored in `bytes` for `key`; nil if damaged or for another key.
    static func poster(in bytes: [UInt8], for key: PosterKey) -> PosterDiskCache.Content? {
        let body = bytes.count - trailerCount
        guard body >= 0, bytes.suffix(mark.count) == mark[...] else { return nil }
        func number(at offset: Int) -> UInt64 { (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << (8 * $1) } }
        guard number(at: body + 16) == PosterKey.hash(bytes[..<(body + 16)]) else { return nil }
        let keyBytes = key.bytes
        let jpegCount = body - keyBytes.count
        guard number(at: body + 8) == UInt64(keyBytes.count), jpegCount >= 0, number(at: body) == UInt64(jpegCount),
            bytes[jpegCount..<body].elementsEqual(keyBytes)
        else { return nil }
        if jpegCount == 0 { return .absent }
        return JPEG.decode(bytes[..<jpegCount], fitting: key.limit).map { .poster($0) }
    }
}
