import Glibc
import GlissadePlatform

/// Reads a file of a playlist's folder: the playlist itself, another playlist, a segment or a key.
///
/// A playlist in HLS format is read as a whole, and checked. It counts as complete even if it does not say so: FFmpeg
/// would otherwise wait for more segments, as in a live stream.
///
/// Threads: confined to its session's thread.
final class FileReader: ResourceReader {
    let address: WebAddress
    private let session: ResourceSession
    private let name: String
    private let isPart: Bool
    private let descriptor: CInt
    /// The text of a playlist; nil for other files.
    private let playlist: [UInt8]?
    private(set) var position: Int64
    /// The offset after the last byte to read; nil for the end of the file.
    private let end: Int64?
    let size: Int64?
    let playlistKey: String
    var isTimed = false

    private static let signature = Array("#EXTM3U".utf8)
    private static let mostReadAtOnce = 1 << 20

    var contentType: String? { nil }
    var isSeekable: Bool { true }
    var hasSureEnd: Bool { true }

    /// Opens the file that `address` stands for.
    ///
    /// - Parameters:
    ///   - isPart: Whether a playlist refers to the file.
    ///   - start, end: The offsets of the range to read, excluding the byte at `end`. If `end` is nil, the range
    ///     extends to the end of the file.
    /// - Throws: Why the file may not or cannot be read, also if it ends before `start`, or if it is a playlist that
    ///   refers to something outside the folder.
    init(
        _ address: WebAddress, in folder: PlaylistFolder, session: ResourceSession, isPart: Bool, start: Int64 = 0,
        end: Int64? = nil
    ) throws(ResourceFailure) {
        let path = try PlaylistFolder.path(of: address)
        let descriptor = try folder.open(path)
        var isOpen = false
        defer { if !isOpen { close(descriptor) } }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .file(path.displayPath, reason: systemError()) }
        playlistKey = session.playlistKey(address)
        let playlist = try Self.readPlaylist(descriptor, path.displayPath, session)
        if let playlist {
            // Once the film is open, nothing but segments is read, and no failure of one may end the film.
            guard !session.isOpen else { throw .file(path.displayPath, reason: "not a segment") }
            var scanner = PlaylistScanner(addressBytes: address.text.utf8.count)
            playlist.withUnsafeBytes { scanner.take($0, at: 0) }
            try session.note(scanner.cost, of: playlistKey)
            try LocalReference.check(playlist: playlist)
        } else if !isPart, status.st_size > PlaylistScanner.Kind.xml.mostBytes {
            throw .playlistTooLong
        }
        let size = playlist.map { Int64($0.count) } ?? Int64(status.st_size)
        guard start < size || start == 0 else {
            throw .file(path.displayPath, reason: "ends before the byte range to play")
        }
        self.address = address
        self.session = session
        name = path.displayPath
        self.isPart = isPart
        self.descriptor = descriptor
        self.playlist = playlist
        self.size = size
        position = start
        self.end = end
        isOpen = true
    }

    deinit { close(descriptor) }

    /// Reads a whole file if it is a playlist in HLS format; otherwise returns nil.
    private static func readPlaylist(
        _ file: CInt, _ name: String, _ session: ResourceSession
    ) throws(ResourceFailure) -> [UInt8]? {
        var text = try read(file, signature.count, at: 0, name)
        guard text == signature else { return nil }
        while true {
            if session.isInterrupted { throw .interrupted }
            let more = try read(file, mostReadAtOnce, at: Int64(text.count), name)
            if more.isEmpty { break }
            text += more
            if text.count > PlaylistScanner.Kind.hls.mostBytes { throw .playlistTooLong }
        }
        return text + Array("\n#EXT-X-ENDLIST\n".utf8)
    }

    private static func read(
        _ file: CInt, _ count: Int, at place: Int64, _ name: String
    ) throws(ResourceFailure) -> [UInt8] {
        var got = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            got = read(file, UnsafeMutableRawBufferPointer(buffer), at: place)
            filled = max(0, got)
        }
        guard got >= 0 else { throw .file(name, reason: systemError()) }
        return bytes
    }

    /// Reads bytes into `target`. Returns their number, or -1 on failure.
    private static func read(_ file: CInt, _ target: UnsafeMutableRawBufferPointer, at place: Int64) -> Int {
        while true {
            let got = pread(file, target.baseAddress, target.count, off_t(place))
            if got >= 0 || errno != EINTR { return got }
        }
    }

    func read(into target: UnsafeMutableRawBufferPointer) throws(ResourceFailure) -> Int {
        if session.isInterrupted { throw .interrupted }
        let room = Int(clamping: min(Int64(target.count), (end ?? .max) - position))
        guard room > 0 else { return 0 }
        let target = UnsafeMutableRawBufferPointer(rebasing: target[..<room])
        var count = 0
        if let playlist {
            guard position < playlist.count else { return 0 }
            let bytes = playlist[Int(position)...].prefix(room)
            target.copyBytes(from: bytes)
            count = bytes.count
        } else {
            count = Self.read(descriptor, target, at: position)
        }
        guard count >= 0 else {
            let failure = ResourceFailure.file(name, reason: systemError())
            if isPart { session.notePart(failure) }
            throw failure
        }
        position += Int64(count)
        if isPart, count > 0 { session.notePart(nil) }
        return count
    }

    func seek(to place: Int64) -> Bool {
        guard (0...HTTPReader.farthest).contains(place) else { return false }
        position = place
        return true
    }

    /// Does nothing, since `init` applies the limit.
    func didFindPlaylist() {}
}
