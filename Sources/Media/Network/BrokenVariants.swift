/// The variants of a stream that FFmpeg's HLS demuxer cannot open: it gives up the whole stream if it can read no segment
/// of one. Finds them from what is read while the stream is being opened, and leaves them out of the main playlist, with
/// which the stream is then opened again.
///
/// Threads: confined to the thread that reads the media.
struct BrokenVariants {
    private struct Playlist {
        /// The URL after redirects, relative to which its lines are resolved.
        var base: WebAddress
        /// The first bytes.
        var text: [UInt8]
    }

    /// The playlists among the parts, by the URL that was requested.
    private var playlists: [String: Playlist] = [:]
    /// The parts that could not be read since the last success.
    private var failed: [String] = []
    /// The playlists that are not opened again.
    private(set) var refused: Set<String> = []

    private static let mostPlaylistBytes = 64 << 10
    private static let mostPlaylists = 64
    private static let mostFailures = 16
    /// How many lines of each playlist to compare. FFmpeg reads the first segments first.
    private static let mostLines = 256
    /// The maximum number of variants to leave out.
    private static let mostRefusals = 8

    /// Records bytes of the part at `address`, in order. `target` is the part's URL after redirects, or that of the film
    /// for a playlist in memory.
    mutating func take(_ bytes: UnsafeRawBufferPointer, of address: String, movedTo target: WebAddress) {
        if let known = playlists[address] {
            playlists[address]?.text.append(contentsOf: bytes.prefix(Self.mostPlaylistBytes - known.text.count))
        } else if bytes.starts(with: PlaylistScanner.signature), playlists.count < Self.mostPlaylists {
            playlists[address] = Playlist(base: target, text: Array(bytes.prefix(Self.mostPlaylistBytes)))
        }
    }

    /// Records whether a part could be opened.
    mutating func note(_ address: WebAddress, isOpen: Bool) {
        if isOpen {
            failed.removeAll()
        } else if failed.count < Self.mostFailures {
            failed.append(address.text)
        }
    }

    /// Refuses the playlists that name the parts that could not be read. Returns false if there are none, so that opening
    /// the stream again would fail too.
    mutating func refuseBroken() -> Bool {
        guard !failed.isEmpty, refused.count < Self.mostRefusals else { return false }
        let broken = playlists.filter { _, playlist in
            let lines = playlist.text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
            return lines.prefix(Self.mostLines).contains { line in
                guard let address = Self.address(in: line) else { return false }
                let target = playlist.base.resolving(String(decoding: address, as: UTF8.self))
                return target.map { failed.contains($0.text) } ?? false
            }
        }
        // Without a playlist that works, there is nothing to play.
        guard !broken.isEmpty, broken.count < playlists.count else { return false }
        let known = refused.count
        refused.formUnion(broken.keys)
        // A playlist that is refused already is not what fails.
        guard refused.count > known else { return false }
        playlists.removeAll()
        failed.removeAll()
        return true
    }

    /// Returns a main playlist without the playlists that are refused. FFmpeg takes the duration of a film from its first
    /// variant. Returns the playlist unchanged if no variant would be left.
    func removeRefused(from text: [UInt8], at base: WebAddress) -> [UInt8] {
        guard !refused.isEmpty else { return text }
        func isRefused(_ address: some Collection<UInt8>) -> Bool {
            base.resolving(String(decoding: address, as: UTF8.self)).map { refused.contains($0.text) } ?? false
        }
        var (result, count): ([UInt8], Int) = ([], 0)
        // The tag of the variant whose address follows.
        var variant: ArraySlice<UInt8>?
        for line in PlaylistLines(text) {
            if line.starts(with: "#EXT-X-STREAM-INF:".utf8) {
                variant = line
                continue
            }
            if line.starts(with: "#EXT-X-MEDIA:".utf8),
                let address = PlaylistAttributes.value("URI", in: line.dropFirst(13)), isRefused(address)
            {
                continue
            }
            if let tag = variant, !line.isEmpty, line.first != UInt8(ascii: "#") {
                variant = nil
                if isRefused(line) { continue }
                count += 1
                result += tag + [UInt8(ascii: "\n")]
            }
            result += line + [UInt8(ascii: "\n")]
        }
        return count > 0 ? result : text
    }

    /// Returns the address of the segment or initialization segment in a line of a playlist; nil if there is none.
    private static func address(in line: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard line.first == UInt8(ascii: "#") else { return line }
        guard line.starts(with: "#EXT-X-MAP:".utf8) else { return nil }
        return PlaylistAttributes.value("URI", in: line.dropFirst(11)).map { $0[...] }
    }
}
