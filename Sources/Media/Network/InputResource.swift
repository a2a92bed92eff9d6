import GlissadeCFFmpeg

/// The data source of an FFmpeg I/O context: the film's own URL, a part of its playlist, or a playlist in memory.
/// Released together with the I/O context.
///
/// Data that turns out to be an HLS playlist is read as a whole, and `owner` may rewrite it.
///
/// Threads: confined to the thread that reads the media.
final class InputResource {
    private enum Source {
        case reader(any ResourceReader, SegmentCipher?)
        case remuxer(SegmentRemuxer)
        case text([UInt8], isSeekable: Bool)
    }

    private var source: Source
    /// The URL that FFmpeg has opened, before redirects; nil for the film's own URL.
    let name: String?
    /// The URL after redirects.
    let location: String
    /// The input that reads the resource.
    private(set) weak var owner: ResourceInput?
    /// The URL that is being read, after redirects; nil for a text in memory and for a rewritten segment.
    var address: WebAddress? { reader?.address }
    private let reader: (any ResourceReader)?
    /// Whether nothing has been read yet.
    private var isNew = true
    /// The offset of the next byte of a text.
    private var position = 0

    /// Creates a source that reads from a server or from a file.
    init(_ reader: any ResourceReader, cipher: SegmentCipher? = nil, name: String? = nil, owner: ResourceInput? = nil) {
        source = .reader(reader, cipher)
        self.reader = reader
        location = reader.address.text
        self.name = name
        self.owner = owner
    }

    /// Creates a source that reads a segment and rewrites it.
    init(_ remuxer: SegmentRemuxer, location: String, name: String, owner: ResourceInput) {
        source = .remuxer(remuxer)
        reader = nil
        self.location = location
        self.name = name
        self.owner = owner
    }

    /// Creates a source of a playlist that is in memory.
    ///
    /// - Parameter isSeekable: Whether FFmpeg takes the source for one in which it can seek.
    init(
        playlist: [UInt8], location: String, isSeekable: Bool = true, name: String? = nil, owner: ResourceInput
    ) {
        source = .text(playlist, isSeekable: isSeekable)
        reader = nil
        self.location = location
        self.name = name
        self.owner = owner
    }

    var contentType: String? { reader?.contentType }

    /// Whether any byte can be read next.
    var isSeekable: Bool {
        switch source {
        case .reader(let reader, let cipher): reader.isSeekable && cipher == nil
        case .remuxer: false
        case .text(_, let isSeekable): isSeekable
        }
    }

    /// Reads bytes into `target`. Returns the number of bytes read; 0 at the end.
    func read(_ target: UnsafeMutableRawBufferPointer) throws(ResourceFailure) -> Int {
        switch source {
        case .reader(let reader, nil):
            return isNew ? try readFirst(reader, target) : try reader.read(into: target)
        case .reader(let reader, let cipher?):
            return try cipher.read(into: target) { bytes throws(ResourceFailure) in try reader.read(into: bytes) }
        case .remuxer(let remuxer): return try remuxer.read(into: target)
        case .text(let text, _):
            let count = min(target.count, text.count - position)
            target.copyBytes(from: text[position..<position + count])
            position += count
            return count
        }
    }

    /// Reads the first bytes. If they are those of a playlist, reads all of it first.
    private func readFirst(
        _ reader: any ResourceReader, _ target: UnsafeMutableRawBufferPointer
    ) throws(ResourceFailure) -> Int {
        var count = try reader.read(into: target)
        isNew = false
        func isStart(of length: Int) -> Bool {
            PlaylistScanner.signature.prefix(length).elementsEqual(target[..<min(count, length)])
        }
        while count > 0, count < PlaylistScanner.signature.count, isStart(of: count) {
            let more = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
            if more == 0 { break }
            count += more
        }
        guard let owner, isStart(of: PlaylistScanner.signature.count) else { return count }
        var text = Array(target[..<count])
        // `reader` limits the length.
        while count > 0 {
            count = try reader.read(into: target)
            text += target[..<count]
        }
        text = try owner.playlist(text, named: name, from: reader)
        source = .text(text, isSeekable: reader.isSeekable)
        return try read(target)
    }

    /// Sets the offset of the next byte to read, or returns the size if `whence` asks for it. Returns the offset or the
    /// size, or FFmpeg's error code.
    func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
        switch source {
        case .reader(let reader, let cipher): return Self.seek(reader, cipher, offset, whence)
        case .remuxer: return Int64(glissade_averror_from_errno(ESPIPE))
        case .text(let text, _):
            // FFmpeg would take the size of a playlist for that of the film.
            if whence & ~AVSEEK_FORCE == AVSEEK_SIZE { return Int64(glissade_averror_from_errno(ENOSYS)) }
            guard whence & ~AVSEEK_FORCE == SEEK_SET, (0...Int64(text.count)).contains(offset) else {
                return Int64(glissade_averror_from_errno(EINVAL))
            }
            position = Int(offset)
            return offset
        }
    }

    private static func seek(
        _ reader: any ResourceReader, _ cipher: SegmentCipher?, _ offset: Int64, _ whence: CInt
    ) -> Int64 {
        let base: Int64
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return reader.size ?? Int64(glissade_averror_from_errno(ENOSYS))
        case SEEK_SET: base = 0
        case SEEK_CUR: base = reader.position
        case SEEK_END where reader.size != nil: base = reader.size ?? 0
        default: return Int64(glissade_averror_from_errno(EINVAL))
        }
        let (place, isNonsense) = base.addingReportingOverflow(offset)
        guard !isNonsense, place >= 0 else { return Int64(glissade_averror_from_errno(EINVAL)) }
        guard cipher == nil, reader.isSeekable || place == reader.position else {
            return Int64(glissade_averror_from_errno(ESPIPE))
        }
        return reader.seek(to: place) ? place : Int64(glissade_averror_from_errno(EINVAL))
    }
}
