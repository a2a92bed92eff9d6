/// The segments of a film that are rewritten as MPEG-TS, of DASH streams and of HLS playlists. Reads their
/// initialization segments.
///
/// Rewritten segments have other times than the others. So either all HLS playlists of a film are rewritten, or none.
///
/// Threads: confined to the thread that reads the media.
final class RewrittenSegments {
    typealias Initialization = SegmentRemuxer.Initialization

    private let session: ResourceSession
    /// What comes before the segments, by the fragment of their addresses.
    private var initializations: [String: Initialization] = [:]
    /// The initialization segments that have been read.
    private var known: [Initialization: [UInt8]] = [:]
    /// Why initialization segments could not be read.
    private var failures: [Initialization: ResourceFailure] = [:]
    /// The number of each HLS playlist that has been rewritten, by its URL.
    private var numbers: [String: Int] = [:]
    /// Whether the HLS playlists are rewritten; nil before the first one has been read.
    private var isRewriting: Bool?
    /// Whether a playlist cannot be rewritten after others have been. The film must then be opened again.
    private(set) var isMixed = false

    /// The maximum number of initialization segments to remember. A live stream may always have new ones.
    private static let mostKnown = 64

    init(session: ResourceSession) { self.session = session }

    /// Sets what comes before the segments of a DASH stream, by the fragment of their addresses.
    ///
    /// - Parameter known: The initialization segments that have been read already.
    func setInitializations(_ initializations: [String: Initialization], known: [Initialization: [UInt8]]) {
        (self.initializations, self.known) = (initializations, known)
    }

    /// Forgets that initialization segments could not be read.
    func forgetFailures() { failures.removeAll() }

    /// Forgets the HLS playlists, before the film is opened again.
    func reset() {
        isRewriting = isMixed ? false : nil
        isMixed = false
        initializations.removeAll()
        numbers.removeAll()
    }

    // MARK: - Playlists

    /// Returns an HLS playlist, rewritten if its segments can be.
    ///
    /// - Parameters:
    ///   - name: The URL that FFmpeg has opened.
    ///   - address: The same after redirects.
    ///   - key: The key of the playlist's cost.
    /// - Throws: A failure if the rewritten playlists are too long, or if a playlist that has been rewritten cannot be
    ///   rewritten any more.
    func playlist(
        _ text: [UInt8], named name: String, at address: WebAddress, key: String
    ) throws(ResourceFailure) -> [UInt8] {
        guard isRewriting != false else { return text }
        let prefix = "hls-\(numbers[name] ?? numbers.count)"
        let playlist = SegmentPlaylist(text, at: address, named: prefix)
        guard playlist.hasSegments else { return text }
        var canRewrite = playlist.first != nil
        if !session.isOpen, let first = playlist.first {
            // FFmpeg fails too, since `failure` refuses the initialization segment.
            guard let bytes = try? bytes(of: first) else { return text }
            canRewrite = SegmentRemuxer.canRewrite(bytes)
        }
        guard canRewrite else {
            if session.isOpen {
                session.fail(.changedFormat)
                throw .changedFormat
            }
            isMixed = isRewriting == true
            isRewriting = false
            return text
        }
        var scanner = PlaylistScanner(addressBytes: address.text.utf8.count)
        playlist.text.withUnsafeBytes { scanner.take($0, at: 0) }
        try session.note(scanner.cost, of: key)
        isRewriting = true
        numbers[name] = numbers[name] ?? numbers.count
        // Those of the same playlist before it was reloaded.
        initializations = initializations.filter { !$0.key.hasPrefix(prefix + "/") }
        initializations.merge(playlist.initializations) { $1 }
        return playlist.text
    }

    // MARK: - Segments

    /// Returns what comes before a segment that is to be rewritten, and the byte range to read, both from the fragment of
    /// its address; nil for anything else.
    func segment(_ url: String) -> (initialization: Initialization, range: Range<Int64>?)? {
        guard !initializations.isEmpty, let mark = url.firstIndex(of: "#") else { return nil }
        var fragment = url[url.index(after: mark)...]
        if fragment.hasSuffix(SegmentPlaylist.suffix) { fragment.removeLast(SegmentPlaylist.suffix.count) }
        let parts = fragment.split(separator: ":", maxSplits: 1)
        guard let name = parts.first, let initialization = initializations[String(name)] else { return nil }
        let ends = parts.dropFirst().first?.split(separator: "-").compactMap { Int64($0) } ?? []
        return (initialization, ends.count == 2 && ends[0] < ends[1] ? ends[0]..<ends[1] : nil)
    }

    /// Returns why an initialization segment could not be read that is this part of the data at `address`; nil for
    /// anything else.
    func failure(at address: WebAddress, _ start: Int64, _ end: Int64?) -> ResourceFailure? {
        failures.first { initialization, _ in
            initialization.address == address.text && initialization.range?.lowerBound ?? 0 == start
                && initialization.range?.upperBound == end
        }?.value
    }

    /// Reads an initialization segment, or returns it if it has been read before.
    ///
    /// - Throws: Why it cannot be read, also if that was found before; `changedFormat` if the film is open, and the
    ///   segments cannot be rewritten.
    func bytes(of initialization: Initialization) throws(ResourceFailure) -> [UInt8] {
        if let bytes = known[initialization] { return bytes }
        do throws(ResourceFailure) {
            if let failure = failures[initialization] { throw failure }
            let bytes = try read(initialization)
            if session.isOpen, isRewriting == true, !SegmentRemuxer.canRewrite(bytes) { throw .changedFormat }
            if known.count >= Self.mostKnown { known.removeAll() }
            known[initialization] = bytes
            return bytes
        } catch {
            session.notePart(error)
            if failures.count >= Self.mostKnown { failures.removeAll() }
            if error != .interrupted { failures[initialization] = error }
            throw error
        }
    }

    private func read(_ initialization: Initialization) throws(ResourceFailure) -> [UInt8] {
        guard let address = WebAddress(initialization.address) else { throw .invalidAddress }
        do throws(ResourceFailure) {
            return try session.part(of: address, initialization.range)
        } catch {
            // Without it, all segments would be left out, so a busy server is asked once more. Once the film is open,
            // `part` has done so.
            guard !session.isOpen, error.isUnavailable, error.isRetriable else { throw error }
            return try session.part(of: address, initialization.range)
        }
    }
}
