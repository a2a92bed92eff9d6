import Media
import Picture

/// The content of a file in the cache: a JPEG file that anybody can look at, and behind it what tells whose poster it is
/// and that it is whole.
///
/// JPEG (empty where the file yields no poster), key, length of the JPEG, length of the key, FNV-1a of all before, mark;
/// numbers are 8 bytes, little-endian.
enum PosterRecord {
    /// Changes with the layout, and with how posters are made: older ones are made anew then.
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

    /// What `bytes` hold for `key`: a poster, or that there is none; nil where they are damaged or another's.
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
