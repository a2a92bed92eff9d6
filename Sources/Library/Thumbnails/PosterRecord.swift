import GlissadeMedia
import GlissadePicture

/// The format of a cache file: a JPEG, followed by a trailer that identifies the poster and reveals damage.
///
/// The parts, in order: the JPEG (empty if the media file has no poster), the key, the JPEG's length, the key's length,
/// an FNV-1a hash of all preceding bytes, and a signature (`mark`). Numbers are 8 bytes long, little-endian.
enum PosterRecord {
    /// The last bytes of a cache file, which identify the version of the format. Must change whenever the format or the
    /// way posters are made changes, so that older files are ignored.
    private static let mark = Array("glposte1".utf8)
    private static let trailerCount = 32

    /// Returns the bytes of a cache file; nil if encoding fails. A nil `poster` means that the media file has none.
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

    /// Returns the result stored in `bytes`; nil if the file is damaged or belongs to another key.
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
