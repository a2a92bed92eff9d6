/// The HLS playlists into which a DASH manifest is translated. They are kept in memory, and FFmpeg's HLS demuxer plays
/// them: each representation of the video becomes a variant, and each audio set a track for all variants.
///
/// FFmpeg's own DASH demuxer is not used, because it opens URLs without `io_open`.
///
/// A playlist has an address that no other text can make FFmpeg open: the scheme is not `http` or `https`, and only
/// addresses in this table are looked up.
struct DASHPlaylists: Sendable {
    private struct Playlist {
        var address: String
        var text: String
        var bitRate: Int
        var language: String?
        var roles: Set<DASHRole> = []
        var isSeekable = true
        /// What comes before the segments if they are rewritten as MPEG-TS; nil otherwise.
        var initialization: DASHStream.Initialization?
        /// The initialization segment, if it has been read already; otherwise nil.
        var initializationBytes: [UInt8]?
        /// When the first segment starts, in microseconds since the period's start.
        var start: Int64 = 0
    }

    private var video: [Playlist] = []
    private var audio: [Playlist] = []
    /// The URLs of the segments that may be missing at the end of a stream.
    private(set) var optionalParts: Set<String> = []

    /// The address of the playlist that lists the other ones.
    static let mainAddress = scheme + "main"
    private static let scheme = "glissade-dash://"
    /// The memory for all playlists, in bytes.
    private static let mostBytes = 64 << 20
    /// The maximum number of representations to translate, playable or not.
    private static let mostAttempts = 200
    /// The maximum number of audio tracks.
    private static let mostAudio = 32
    /// The largest bit rate that FFmpeg's HLS demuxer reads.
    private static let mostBitRate = Int(Int32.max)

    /// Translates a manifest. Representations that cannot be played are left out.
    ///
    /// - Parameters:
    ///   - address: The manifest's own URL.
    ///   - rewrites: Whether MP4 segments are rewritten, because FFmpeg cannot seek in them.
    ///   - isCancelled: Whether to stop. What has been translated until then is kept.
    ///   - readIndex: Returns a part of the data behind a URL; nil if it cannot be read.
    /// - Throws: A failure if there is video or audio, but none of it can be played, and `tooManySegments` if any
    ///   representation has too many.
    init(
        _ manifest: DASHManifest, at address: WebAddress, rewrites: Bool = true, isCancelled: () -> Bool = { false },
        readIndex: (WebAddress, Range<Int64>) -> [UInt8]? = { _, _ in nil }
    ) throws(DASHFailure) {
        if manifest.isLive { throw .live }
        if manifest.periodCount > 1 { throw .severalPeriods }
        var failures: [DASHStream.Kind: DASHFailure] = [:]
        var (bytes, attempts) = (0, 0)
        let sets = manifest.sets.filter { !$0.properties.isTrickPlay }
        let mainVideo = Self.mainVideo(sets)
        for (index, set) in sets.enumerated() {
            // Whether there is audio of this set, and whether FFmpeg cannot seek in it.
            var (hasAudio, isLastFixed) = (false, false)
            let isOtherVideo = mainVideo.map { index != $0 && !set.isQuality(of: sets[$0]) } ?? false
            // Of an audio set, the best representation is played that can be sought, or else the best one.
            for representation in set.representations.sorted(by: { $0.bandwidth > $1.bandwidth })
            where !representation.properties.isTrickPlay {
                guard let kind = DASHStream.kind(of: representation, in: set), kind == .audio || !isOtherVideo,
                    kind == .video ? video.count < StreamVariant.limit : !hasAudio && audio.count < Self.mostAudio
                else { continue }
                attempts += 1
                guard attempts <= Self.mostAttempts, !isCancelled() else { break }
                var cost = 0
                do throws(DASHFailure) {
                    let stream = try DASHStream(
                        representation, kind, in: set, of: manifest, at: address, rewrites: rewrites)
                    if kind == .audio, isLastFixed, !stream.isSeekable { continue }
                    let name = kind == .video ? "video/\(video.count)" : "audio/\(audio.count - (isLastFixed ? 1 : 0))"
                    let playlist = try stream.playlist(named: name, cost: &cost, readIndex)
                    cost = playlist.text.utf8.count + (playlist.initialization?.count ?? 0)
                    bytes += cost
                    guard bytes <= Self.mostBytes else { throw .tooManySegments }
                    if let optional = playlist.optional { optionalParts.insert(optional) }
                    if kind == .audio, isLastFixed { audio.removeLast() }
                    try add(playlist, name, of: stream, in: set)
                    if kind == .audio { (hasAudio, isLastFixed) = (stream.isSeekable, !stream.isSeekable) }
                } catch {
                    if error == .tooManySegments { throw error }
                    failures[kind] = failures[kind] ?? error
                    bytes += cost
                    guard bytes <= Self.mostBytes else { throw .tooManySegments }
                }
            }
        }
        if video.isEmpty, let failure = failures[.video] { throw failure }
        if audio.isEmpty, let failure = failures[.audio] { throw failure }
        if video.isEmpty, audio.isEmpty { throw .noStreams }
        (video, audio) = (Self.usable(video), Self.usable(audio))
        if rewrites, !(video + audio).allSatisfy({ $0.initialization != nil }) {
            // Rewritten segments have other times than the others.
            (video, audio) = (Self.usable(video.map(Self.direct)), Self.usable(audio.map(Self.direct)))
        }
        // A time in MPEG-TS has 33 bits, so the film starts at its beginning.
        let start = (video + audio).map(\.start).min() ?? 0
        for index in video.indices { video[index].initialization?.offset -= start }
        for index in audio.indices { audio[index].initialization?.offset -= start }
    }

    /// Returns the place of the set with the main video; nil if there is no video.
    private static func mainVideo(_ sets: [DASHManifest.AdaptationSet]) -> Int? {
        let places = sets.indices.filter { index in
            sets[index].representations.contains { DASHStream.kind(of: $0, in: sets[index]) == .video }
        }
        return DASHManifest.AdaptationSet.main(of: places.map { sets[$0].roles }).map { places[$0] }
    }

    /// What comes before the segments that are rewritten as MPEG-TS, by the fragment of their addresses.
    var initializations: [String: DASHStream.Initialization] {
        var found: [String: DASHStream.Initialization] = [:]
        for playlist in video + audio {
            found[String(playlist.address.dropFirst(Self.scheme.count))] = playlist.initialization
        }
        return found
    }

    /// The initialization segments that have been read already.
    var initializationBytes: [DASHStream.Initialization: [UInt8]] {
        var known: [DASHStream.Initialization: [UInt8]] = [:]
        for playlist in video + audio {
            if let start = playlist.initialization { known[start] = playlist.initializationBytes }
        }
        return known
    }

    /// Whether FFmpeg can seek in the film.
    var isSeekable: Bool { (video + audio).allSatisfy(\.isSeekable) }

    /// Returns the playlists in which FFmpeg can seek, which a change to another one needs too. If there are none,
    /// returns only one: of the main audio, the best one of at most `fixedBitRate`, or else the one of the least.
    private static func usable(_ playlists: [Playlist]) -> [Playlist] {
        let seekable = playlists.filter(\.isSeekable)
        guard seekable.isEmpty, let place = DASHManifest.AdaptationSet.main(of: playlists.map(\.roles)) else {
            return seekable
        }
        let main = playlists.filter { $0.roles == playlists[place].roles }
        let best = main.filter { $0.bitRate <= fixedBitRate }.max { $0.bitRate < $1.bitRate }
        return [best ?? main.min { $0.bitRate < $1.bitRate } ?? playlists[place]]
    }

    /// The bit rate up to which a representation plays that cannot be exchanged for another one, in bits per second.
    private static let fixedBitRate = 8_000_000

    /// Returns a playlist with the segments themselves in place of rewritten ones.
    private static func direct(_ playlist: Playlist) -> Playlist {
        guard let start = playlist.initialization else { return playlist }
        var result = playlist
        (result.initialization, result.isSeekable) = (nil, false)
        result.text = DASHStream.direct(playlist.text, after: start)
        return result
    }

    private mutating func add(
        _ playlist: DASHStream.Playlist, _ name: String, of stream: DASHStream, in set: DASHManifest.AdaptationSet
    ) throws(DASHFailure) {
        let playlist = try Playlist(
            address: Self.scheme + name, text: playlist.text, bitRate: stream.bitRate,
            language: set.language.flatMap(Self.plain), roles: set.roles, isSeekable: stream.isSeekable,
            initialization: stream.isRemuxed ? stream.initialization() : nil,
            initializationBytes: playlist.initialization, start: playlist.start)
        if stream.kind == .video { video.append(playlist) } else { audio.append(playlist) }
    }

    /// Returns a language tag (BCP 47); nil if it is undetermined, or contains other characters.
    private static func plain(_ language: String) -> String? {
        let isPlain = language.utf8.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }
        return isPlain && language != "und" && (1...35).contains(language.utf8.count) ? language : nil
    }

    // MARK: - Texts

    /// The addresses and texts of all playlists but the main one.
    var texts: [String: String] {
        Dictionary(uniqueKeysWithValues: (video + audio).map { ($0.address, $0.text) })
    }

    /// Returns the text of the main playlist.
    ///
    /// - Parameter refused: The addresses of playlists to leave out.
    /// - Returns: Nil if all video is left out, or all audio of a stream without video.
    func mainText(without refused: Set<String> = []) -> String? {
        let video = video.filter { !refused.contains($0.address) }
        var audio = audio.filter { !refused.contains($0.address) }
        var text = "#EXTM3U\n#EXT-X-VERSION:7\n"
        if self.video.isEmpty {
            // The first track takes the place of the video. The other ones can be chosen instead.
            guard !audio.isEmpty else { return nil }
            let first = audio.remove(at: DASHManifest.AdaptationSet.main(of: audio.map(\.roles)) ?? 0)
            Self.append(first, bitRate: first.bitRate, hasAudio: !audio.isEmpty, to: &text)
        } else {
            guard !video.isEmpty else { return nil }
            let rate = audio.map(\.bitRate).max() ?? 0
            for variant in video {
                // HLS counts the audio too. Without a bit rate of the video, the sum is unknown.
                let bitRate = variant.bitRate > 0 ? variant.bitRate + rate : 0
                Self.append(variant, bitRate: bitRate, hasAudio: !audio.isEmpty, to: &text)
            }
        }
        let main = DASHManifest.AdaptationSet.main(of: audio.map(\.roles))
        for (index, track) in audio.enumerated() {
            let language = track.language.map { ",LANGUAGE=\"\($0)\"" } ?? ""
            // FFmpeg needs no name.
            let name = DASHRole.audioName(of: track.roles).map { ",NAME=\"\($0)\"" } ?? ""
            let isDefault = index == main && !self.video.isEmpty
            text += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\"\(name)\(language),"
            text += "DEFAULT=\(isDefault ? "YES" : "NO"),URI=\"\(track.address)\"\n"
        }
        return text
    }

    private static func append(_ playlist: Playlist, bitRate: Int, hasAudio: Bool, to text: inout String) {
        text += "#EXT-X-STREAM-INF:BANDWIDTH=\(min(bitRate, mostBitRate))\(hasAudio ? ",AUDIO=\"audio\"" : "")\n"
        text += playlist.address + "\n"
    }
}
