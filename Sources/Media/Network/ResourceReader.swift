/// Reads the data behind a URL from any position: from a web server, or from a file that the URL stands for.
///
/// Threads: confined to the thread that reads the media. Opening and reading may block.
protocol ResourceReader: AnyObject {
    /// The URL that is being read, after redirects.
    var address: WebAddress { get }
    /// The media type that the server states; nil if there is none.
    var contentType: String? { get }
    /// The offset of the next byte to read.
    var position: Int64 { get }
    /// The size of all of the data in bytes; nil if unknown.
    var size: Int64? { get }
    /// Whether reading can continue at any offset.
    var isSeekable: Bool { get }
    /// Whether the end of the data is certain.
    var hasSureEnd: Bool { get }
    /// Whether the container specifies a duration.
    var isTimed: Bool { get set }
    /// The key of the data's cost in `ResourceSession.note`, if the data is a playlist.
    var playlistKey: String { get }

    /// Reads bytes into `target`. Returns the number of bytes read; 0 at the end.
    func read(into target: UnsafeMutableRawBufferPointer) throws(ResourceFailure) -> Int

    /// Sets the offset of the next read. Returns false if the offset is out of range.
    func seek(to place: Int64) -> Bool

    /// Applies the length limit for playlists to this data.
    func didFindPlaylist()
}

extension ResourceSession {
    /// Starts to read the data behind a URL. Parameters as for `HTTPReader`; a film in a folder is read from its files.
    func open(
        _ address: WebAddress, isPart: Bool, start: Int64 = 0, end: Int64? = nil
    ) throws(ResourceFailure) -> any ResourceReader {
        guard let folder else {
            return try HTTPReader(address, session: self, isPart: isPart, start: start, end: end)
        }
        do throws(ResourceFailure) {
            return try FileReader(address, in: folder, session: self, isPart: isPart, start: start, end: end)
        } catch {
            if isPart { notePart(error) }
            throw error
        }
    }

    // MARK: - Small files

    /// The maximum size of an initialization segment or a segment index, in bytes. FFmpeg reads no more either.
    static let mostSmallBytes: Int64 = 1 << 20

    /// Reads a small part of the data behind a URL, or as much of it as there is.
    ///
    /// - Parameter range: The part to read; nil for all data.
    /// - Throws: Why it cannot be read, also if it is empty or larger than `mostSmallBytes`.
    func part(of address: WebAddress, _ range: Range<Int64>?) throws(ResourceFailure) -> [UInt8] {
        // One more byte shows that there is too much data.
        let range = range ?? 0..<Self.mostSmallBytes + 1
        guard range.count <= Self.mostSmallBytes + 1 else { throw .partTooLarge }
        let reader = try open(address, isPart: true, start: range.lowerBound, end: range.upperBound)
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: range.count, alignment: 1)
        defer { buffer.deallocate() }
        var count = 0
        while count < buffer.count {
            let more = try reader.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
            if more == 0 { break }
            count += more
        }
        guard count <= Self.mostSmallBytes else { throw .partTooLarge }
        guard count > 0 else { throw .emptyPart }
        return Array(buffer[..<count])
    }
}
