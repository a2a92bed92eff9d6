import GlissadeCFFmpeg
import GlissadeTime

/// A demuxer's input from a web URL, or from a playlist in a file. If the URL is a playlist, its parts are read too:
/// segments, keys and other playlists.
///
/// FFmpeg opens nothing on the network itself: its HLS demuxer opens URLs through `io_open`. The protocol whitelist
/// blocks everything else. A DASH manifest is translated into HLS playlists, which are in memory. MP4 segments are
/// rewritten as MPEG-TS where FFmpeg needs it.
///
/// Threads: confined to the thread that reads the media. FFmpeg's callbacks run on that thread too.
final class ResourceInput {
    /// What is read.
    enum Source {
        /// An `http` or `https` URL.
        case address(String)
        /// The playlist in a file that the folder was made for.
        case playlist(in: PlaylistFolder)
    }

    let session: ResourceSession
    private let film: any ResourceReader
    private var io: UnsafeMutablePointer<AVIOContext>?
    /// The variants to leave out; nil once the film is open.
    private var broken: BrokenVariants? = BrokenVariants()
    /// The I/O contexts of the open parts, except those that FFmpeg created for `data:` URLs.
    private var parts: Set<UnsafeMutablePointer<AVIOContext>> = []
    /// Whether a part has been opened. If so, the film's URL is a playlist.
    private(set) var hasParts = false
    /// Whether the film's URL is a DASH manifest.
    private(set) var isManifest = false
    /// The film's own HLS playlist, as the server sends it; nil for other films, and once the film is open.
    private var mainText: [UInt8]?
    /// The HLS playlists into which a DASH manifest was translated; nil for other films, and once the film is open.
    private var playlists: DASHPlaylists?
    /// Why the first segment index that could not be read could not be; nil if all have been read.
    private var indexFailure: ResourceFailure?
    /// The segments of a DASH stream that may be missing.
    private var optionalParts: Set<String> = []
    /// The segments that are rewritten as MPEG-TS.
    private let segments: RewrittenSegments
    /// The playlists in memory that FFmpeg may open, by address. Empty once the film is open.
    private var texts: [String: String] = [:]

    /// The playlist formats whose demuxers open every URL through `io_open`.
    private static let playlists: Set<String> = ["hls"]
    /// How much of a DASH manifest to read at once, in bytes.
    private static let manifestStep = 64 << 10

    /// Requests a URL and waits for the head of the response, or opens a playlist in a file. Call `close` when done.
    init(
        _ source: Source, rules: NetworkRules, isCancelled: @escaping () -> Bool,
        reconnecting: @escaping (Bool) -> Void
    ) throws(ResourceFailure) {
        let (location, folder): (String, PlaylistFolder?) =
            switch source {
            case .address(let text): (text, nil)
            case .playlist(let folder): (folder.address, folder)
            }
        session = try ResourceSession(
            rules: rules, folder: folder, isCancelled: isCancelled, reconnecting: reconnecting)
        guard let address = WebAddress(location) else { throw .invalidAddress }
        film = try session.open(address, isPart: false)
        segments = RewrittenSegments(session: session)
    }

    /// Detects the format of the data, and opens the data with that format's demuxer. If the demuxer fails, FFmpeg
    /// frees `context` and sets it to nil.
    ///
    /// - Parameter refuses: Returns the reason why a format is rejected; nil if the format is allowed.
    /// - Returns: FFmpeg's code.
    func open(
        _ context: inout UnsafeMutablePointer<AVFormatContext>?,
        refuses: (UnsafePointer<AVInputFormat>) -> PlaybackError?
    ) throws(PlaybackError) -> CInt {
        guard let made = InputResource(film, owner: self).makeContext() else {
            throw .cannotOpen(reason: "out of memory")
        }
        io = made
        let interruption = context?.pointee.interrupt_callback
        var format: UnsafePointer<AVInputFormat>?
        if let manifest = readManifest(made) {
            try translate(manifest)
            guard openMain() else { throw .cannotOpen(reason: "out of memory") }
            format = av_find_input_format("hls")
        } else {
            let code = av_probe_input_buffer2(made, &format, film.address.text, nil, 0, 0)
            if code < 0 { return code }
        }
        guard let format else { return glissade_averror_invaliddata() }
        // FFmpeg skips metadata before a playlist, after which the playlist would not be recognized here.
        if format.pointee.name.map({ String(cString: $0) }) == "hls", !isManifest, !beginsAsPlaylist(made) {
            throw .cannotOpen(reason: "the playlist does not begin with #EXTM3U")
        }
        prepare(context)
        if let refusal = refuses(format) { throw refusal }
        // The file was a playlist before, and has been replaced.
        if session.folder != nil, !Self.isPlaylist(format) { throw .cannotOpen(reason: "not a playlist any more") }
        if Self.isPlaylist(format) { film.didFindPlaylist() }
        var opened = begin(&context, format)
        // Without its broken variants, or without rewriting, the film may still be played.
        while opened < 0, !session.isInterrupted || session.failure != nil,
            segments.isMixed || broken?.refuseBroken() == true, rewind(), let interruption
        {
            context = avformat_alloc_context()
            guard context != nil else { return outOfMemory }
            context?.pointee.interrupt_callback = interruption
            prepare(context)
            opened = begin(&context, format)
        }
        return opened
    }

    /// Whether the data begins with the signature of an HLS playlist. Rewinds the data.
    private func beginsAsPlaylist(_ io: UnsafeMutablePointer<AVIOContext>) -> Bool {
        var head = [UInt8](repeating: 0, count: PlaylistScanner.signature.count)
        let count = avio_read(io, &head, CInt(head.count))
        return avio_seek(io, 0, SEEK_SET) >= 0 && count == CInt(head.count) && head == PlaylistScanner.signature
    }

    /// Forgets what has been read, and makes the I/O context of the film's own URL start over, for another attempt.
    /// Returns false if it cannot.
    private func rewind() -> Bool {
        if playlists != nil {
            guard openMain() else { return false }
            session.forgetFailures()
            return true
        }
        session.forgetFailures()
        segments.reset()
        session.forgetPlaylists(except: film.playlistKey)
        guard let mainText else { return io.map { avio_seek($0, 0, SEEK_SET) >= 0 } ?? false }
        guard let text = try? playlist(mainText, named: nil, from: film) else { return false }
        close()
        io = InputResource(
            playlist: text, location: film.address.text, isSeekable: film.isSeekable, owner: self
        ).makeContext()
        return io != nil
    }

    /// Makes `context` read through this input.
    private func prepare(_ context: UnsafeMutablePointer<AVFormatContext>?) {
        context?.pointee.pb = io
        // Without this flag, FFmpeg would close the I/O context if it failed to open the format.
        context?.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        context?.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
        context?.pointee.io_open = { context, io, url, flags, options in
            guard let io, let url, let opaque = context?.pointee.opaque, flags & AVIO_FLAG_WRITE == 0 else {
                return glissade_averror_from_errno(EACCES)
            }
            return Unmanaged<ResourceInput>.fromOpaque(opaque).takeUnretainedValue()
                .openPart(&io.pointee, String(cString: url), options?.pointee)
        }
        context?.pointee.io_close2 = { context, io in
            guard let io, let opaque = context?.pointee.opaque else { return 0 }
            return Unmanaged<ResourceInput>.fromOpaque(opaque).takeUnretainedValue().closePart(io)
        }
    }

    /// Opens the input with the demuxer `format`. Returns FFmpeg's result code.
    private func begin(
        _ context: inout UnsafeMutablePointer<AVFormatContext>?, _ format: UnsafePointer<AVInputFormat>
    ) -> CInt {
        let name = String(cString: format.pointee.name)
        var options: OpaquePointer?
        defer { av_dict_free(&options) }
        av_dict_set(&options, "protocol_whitelist", "data", 0)
        for (name, value) in MediaFormats.limitsOfAddresses { av_dict_set(&options, name, value, 0) }
        if name == "hls" {
            // Disable two features that work only if the I/O contexts are FFmpeg's own connections.
            av_dict_set(&options, "http_persistent", "0", 0)
            av_dict_set(&options, "http_multiple", "0", 0)
            // The segments of a DASH stream may have any name.
            if isManifest { av_dict_set(&options, "extension_picky", "0", 0) }
        }
        let location = isManifest ? DASHPlaylists.mainAddress : film.address.text
        return avformat_open_input(&context, location, format, &options)
    }

    /// Whether `format` is a playlist whose demuxer opens its parts through `io_open`.
    static func isPlaylist(_ format: UnsafePointer<AVInputFormat>) -> Bool {
        playlists.contains(String(cString: format.pointee.name))
    }

    /// Frees the I/O context of the film's own URL. Call after closing the container that reads from it.
    func close() {
        if let io { InputResource.free(io) }
        io = nil
    }

    /// Marks the film as open. After this call, a failed request for a part is retried, and a lost connection is
    /// retried for `NetworkRules.reconnectTimeout`.
    ///
    /// - Parameter isTimed: Whether the container specifies a duration.
    func didOpen(isTimed: Bool) {
        session.isOpen = true
        broken = nil
        (playlists, mainText) = (nil, nil)
        texts.removeAll()
        film.isTimed = isTimed
    }

    /// The measured rate of the connection in bits per second; nil if unknown.
    var measuredRate: Double? { session.meter.bitsPerSecond }

    // MARK: - Failures

    /// Why reading the film or its last part failed; nil if there is no network failure.
    var failure: ResourceFailure? { session.failure ?? session.partFailure }
    /// The failure that stops all reading until `forgetFailures` is called; nil if there is none.
    var finalFailure: ResourceFailure? { session.failure }
    /// Whether the end of the film's own data is certain. False if the data ended only because the server closed the
    /// connection.
    var hasSureEnd: Bool { film.hasSureEnd }

    /// Clears all failures, so that reading can be tried again.
    func forgetFailures() {
        session.forgetFailures()
        segments.forgetFailures()
    }

    // MARK: - Parts

    private func openPart(
        _ io: inout UnsafeMutablePointer<AVIOContext>?, _ url: String, _ options: OpaquePointer?
    ) -> CInt {
        // The film is about to be opened again.
        if segments.isMixed { return glissade_averror_from_errno(EIO) }
        if let text = texts[url] { return openPlaylist(&io, url, text) }
        if url.hasPrefix("data:") {
            var own: OpaquePointer?
            defer { av_dict_free(&own) }
            av_dict_set(&own, "protocol_whitelist", "data", 0)
            return avio_open2(&io, url, AVIO_FLAG_READ, nil, &own)
        }
        func option(_ name: String) -> String? {
            av_dict_get(options, name, nil, 0).map { String(cString: $0.pointee.value) }
        }
        var location = Substring(url)
        var cipher: SegmentCipher?
        if let prefix = ["crypto+", "crypto:"].first(where: url.hasPrefix) {
            location = location.dropFirst(prefix.count)
            cipher = SegmentCipher(key: option("key") ?? "", vector: option("iv") ?? "")
            if cipher == nil { return glissade_averror_invaliddata() }
        }
        guard let address = WebAddress(String(location)) else { return glissade_averror_from_errno(EACCES) }
        let segment = segments.segment(url)
        let start = segment?.range?.lowerBound ?? option("offset").flatMap { Int64($0) } ?? 0
        let end = segment?.range?.upperBound ?? option("end_offset").flatMap { Int64($0) }
        guard (0...HTTPReader.farthest).contains(start), end ?? .max > start else {
            return glissade_averror_from_errno(EINVAL)
        }
        guard broken?.refused.contains(address.text) != true else { return glissade_averror_from_errno(ENOENT) }
        do throws(ResourceFailure) {
            if segment == nil, let failure = segments.failure(at: address, start, end) { throw failure }
            let head = if let segment { try segments.bytes(of: segment.initialization) } else { [UInt8]() }
            let reader = try session.open(address, isPart: true, start: start, end: end == 0 ? nil : end)
            var resource = InputResource(reader, cipher: cipher, name: address.text, owner: self)
            if let segment {
                let offset = segment.initialization.offset
                let remuxer = SegmentRemuxer(initialization: head, offset: offset) {
                    target throws(ResourceFailure) in try reader.read(into: target)
                }
                resource = InputResource(remuxer, location: reader.address.text, name: address.text, owner: self)
            }
            guard let made = resource.makeContext() else { return glissade_averror_from_errno(ENOMEM) }
            parts.insert(made)
            hasParts = true
            io = made
            broken?.note(address, isOpen: true)
            return 0
        } catch {
            broken?.note(address, isOpen: false)
            // A stream that lacks an optional segment is complete.
            let isOptional = error.isUnavailable && optionalParts.contains(address.text)
            if isOptional { session.notePart(nil) } else { session.notePart(skipped: error) }
            return error.code
        }
    }

    /// Returns the HLS playlist that FFmpeg reads in place of one from a server: without the variants that are left
    /// out, and rewritten by `RewrittenSegments.playlist`.
    ///
    /// - Parameter name: The URL that FFmpeg has opened, before redirects; nil for the film's own playlist.
    func playlist(
        _ text: [UInt8], named name: String?, from reader: any ResourceReader
    ) throws(ResourceFailure) -> [UInt8] {
        if isManifest { return text }
        if name == nil, broken != nil { mainText = text }
        let address = reader.address
        return try segments.playlist(
            broken?.removeRefused(from: text, at: address) ?? text, named: name ?? address.text, at: address,
            key: reader.playlistKey)
    }

    /// Records what has been read of a part while the film is being opened.
    func note(_ bytes: UnsafeMutableRawBufferPointer, _ count: Int, of part: InputResource) {
        guard broken != nil, count > 0, let name = part.name else { return }
        broken?.take(
            UnsafeRawBufferPointer(rebasing: bytes[..<count]), of: name, movedTo: part.address ?? film.address)
    }

    private func closePart(_ io: UnsafeMutablePointer<AVIOContext>) -> CInt {
        if parts.remove(io) == nil { return avio_close(io) }
        InputResource.free(io)
        return 0
    }

    // MARK: - Manifests

    /// Reads the data behind the film's URL if it is a DASH manifest; otherwise returns nil and rewinds.
    private func readManifest(_ io: UnsafeMutablePointer<AVIOContext>) -> [UInt8]? {
        func read(_ count: Int) -> [UInt8] {
            [UInt8](unsafeUninitializedCapacity: count) { bytes, filled in
                filled = max(0, Int(avio_read(io, bytes.baseAddress, CInt(count))))
            }
        }
        var (bytes, isManifest) = DASHManifest.readStart(read)
        guard isManifest else {
            avio_seek(io, 0, SEEK_SET)
            return nil
        }
        // `film` limits the length.
        while case let more = read(Self.manifestStep), !more.isEmpty { bytes += more }
        return bytes
    }

    /// Translates a DASH manifest into the HLS playlists that FFmpeg opens. Reads the segment indexes.
    private func translate(_ manifest: [UInt8]) throws(PlaybackError) {
        if let failure { throw .cannotOpen(reason: failure.description) }
        let playlists: DASHPlaylists
        do throws(DASHFailure) {
            let deadline = HostTime.now() + session.rules.answerTimeout
            playlists = try DASHPlaylists(
                DASHManifest(manifest), at: film.address, rewrites: session.rules.rewritesSegments,
                isCancelled: { session.isInterrupted },
                readIndex: { readIndex($0, $1, until: deadline) })
        } catch {
            let reason = error == .invalidIndex ? indexFailure?.description : nil
            throw .cannotOpen(reason: reason ?? error.description)
        }
        isManifest = true
        (texts, optionalParts) = (playlists.texts, playlists.optionalParts)
        segments.setInitializations(playlists.initializations, known: playlists.initializationBytes)
        self.playlists = playlists
        do throws(ResourceFailure) {
            for (address, text) in texts {
                var scanner = PlaylistScanner(addressBytes: 0)
                Array(text.utf8).withUnsafeBytes { scanner.take($0, at: 0) }
                try session.note(scanner.cost, of: address)
            }
        } catch {
            throw .cannotOpen(reason: error.description)
        }
    }

    /// Reads a segment index; nil if it cannot be read. The film may then be played without that stream.
    private func readIndex(_ address: WebAddress, _ range: Range<Int64>, until deadline: HostTime) -> [UInt8]? {
        session.deadline = deadline
        defer { session.deadline = nil }
        do throws(ResourceFailure) {
            return try session.part(of: address, range)
        } catch {
            let isLate = error == .interrupted && HostTime.now() >= deadline
            indexFailure = indexFailure ?? (isLate ? .noAnswer(host: address.host) : error)
            if let failure, !failure.endsFilm { session.forgetFailures() }
            return nil
        }
    }

    /// Replaces the I/O context of the film's own URL by one for the main playlist. Returns false if it cannot.
    private func openMain() -> Bool {
        close()
        guard let playlists, let text = playlists.mainText(without: broken?.refused ?? []) else { return false }
        let resource = InputResource(
            playlist: Array(text.utf8), location: DASHPlaylists.mainAddress, isSeekable: playlists.isSeekable,
            owner: self)
        io = resource.makeContext()
        return io != nil
    }

    /// Opens a playlist that is in memory.
    private func openPlaylist(
        _ io: inout UnsafeMutablePointer<AVIOContext>?, _ url: String, _ text: String
    ) -> CInt {
        guard broken?.refused.contains(url) != true else { return glissade_averror_from_errno(ENOENT) }
        guard let made = InputResource(playlist: Array(text.utf8), location: url, name: url, owner: self).makeContext()
        else {
            return glissade_averror_from_errno(ENOMEM)
        }
        parts.insert(made)
        hasParts = true
        io = made
        return 0
    }
}
