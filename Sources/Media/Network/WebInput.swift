import CFFmpeg

/// A demuxer's input from a web URL. If the URL is a playlist, its parts are read too: segments, keys and other
/// playlists.
///
/// FFmpeg opens nothing on the network itself: its HLS demuxer opens URLs through `io_open`. The protocol whitelist
/// blocks everything else. Its DASH demuxer would open URLs without `io_open`, so DASH is not supported.
///
/// Threads: confined to the thread that reads the media. FFmpeg's callbacks run on that thread too.
final class WebInput {
    /// The data source of an FFmpeg I/O context: the film's own URL, or a part of its playlist. Released together with
    /// the I/O context.
    private final class Resource {
        let reader: HTTPReader
        let cipher: SegmentCipher?
        /// The requested URL. The reader's own URL changes with redirects.
        let address: WebAddress?
        /// The input that the resource is a part of; nil for the film's own URL.
        weak var owner: WebInput?

        init(
            _ reader: HTTPReader, cipher: SegmentCipher?, address: WebAddress? = nil, owner: WebInput? = nil
        ) {
            self.reader = reader
            self.address = address
            self.cipher = cipher
            self.owner = owner
        }

        func read(_ target: UnsafeMutableRawBufferPointer) throws(HTTPFailure) -> Int {
            guard let cipher else { return try reader.read(into: target) }
            let reader = reader
            return try cipher.read(into: target) { bytes throws(HTTPFailure) in try reader.read(into: bytes) }
        }

        func seek(_ offset: Int64, _ whence: CInt) -> Int64 {
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

    private let session: HTTPSession
    private let film: HTTPReader
    private var io: UnsafeMutablePointer<AVIOContext>?
    /// What has been read of the parts; nil once the film is open.
    private var log: OpeningLog? = OpeningLog()
    /// The I/O contexts of the open parts, except those that FFmpeg created for `data:` URLs.
    private var parts: Set<UnsafeMutablePointer<AVIOContext>> = []
    /// Whether a part has been opened. If so, the film's URL is a playlist.
    private(set) var hasParts = false

    /// The playlist formats whose demuxers open every URL through `io_open`.
    private static let playlists: Set<String> = ["hls"]
    private static let bufferSize = 64 << 10

    /// Requests the URL `location`, and waits for the head of the response. Call `close` when done.
    init(
        _ location: String, rules: NetworkRules, isCancelled: @escaping () -> Bool,
        reconnecting: @escaping (Bool) -> Void
    ) throws(HTTPFailure) {
        session = try HTTPSession(rules: rules, isCancelled: isCancelled, reconnecting: reconnecting)
        guard let address = WebAddress(location) else { throw .invalidAddress }
        film = try HTTPReader(address, session: session, isPart: false)
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
        guard let made = make(Resource(film, cipher: nil)) else { throw .cannotOpen(reason: "out of memory") }
        io = made
        let interruption = context?.pointee.interrupt_callback
        prepare(context)
        var format: UnsafePointer<AVInputFormat>?
        let code = av_probe_input_buffer2(made, &format, film.address.text, nil, 0, 0)
        guard code >= 0, let format else { return code < 0 ? code : glissade_averror_invaliddata() }
        if let refusal = refuses(format) { throw refusal }
        if Self.isPlaylist(format) { film.didFindPlaylist() }
        var opened = begin(&context, format)
        // Without its broken variants, the film may still be played.
        while opened < 0, !session.isInterrupted || session.failure != nil, log?.refuseBroken() == true,
            avio_seek(made, 0, SEEK_SET) >= 0, let interruption
        {
            session.forgetFailures()
            context = avformat_alloc_context()
            guard context != nil else { return outOfMemory }
            context?.pointee.interrupt_callback = interruption
            prepare(context)
            opened = begin(&context, format)
        }
        return opened
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
            return Unmanaged<WebInput>.fromOpaque(opaque).takeUnretainedValue()
                .openPart(&io.pointee, String(cString: url), options?.pointee)
        }
        context?.pointee.io_close2 = { context, io in
            guard let io, let opaque = context?.pointee.opaque else { return 0 }
            return Unmanaged<WebInput>.fromOpaque(opaque).takeUnretainedValue().closePart(io)
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
        }
        return avformat_open_input(&context, film.address.text, format, &options)
    }

    /// Whether `format` is a playlist whose demuxer opens its parts through `io_open`.
    static func isPlaylist(_ format: UnsafePointer<AVInputFormat>) -> Bool {
        playlists.contains(String(cString: format.pointee.name))
    }

    /// Frees the I/O context of the film's own URL. Call after closing the container that reads from it.
    func close() {
        if let io { free(io) }
        io = nil
    }

    /// Marks the film as open. After this call, a failed request for a part is retried, and a lost connection is
    /// retried for `NetworkRules.reconnectTimeout`.
    ///
    /// - Parameter isTimed: Whether the container specifies a duration.
    func didOpen(isTimed: Bool) {
        session.isOpen = true
        log = nil
        film.isTimed = isTimed
    }

    /// The measured rate of the connection in bits per second; nil if unknown.
    var measuredRate: Double? { session.meter.bitsPerSecond }

    // MARK: - Failures

    /// Why reading the film or its last part failed; nil if there is no network failure.
    var failure: HTTPFailure? { session.failure ?? session.partFailure }
    /// The failure that stops all reading until `forgetFailures` is called; nil if there is none.
    var finalFailure: HTTPFailure? { session.failure }
    /// Whether the end of the film's own data is certain. False if the data ended only because the server closed the
    /// connection.
    var hasSureEnd: Bool { film.hasSureEnd }

    /// Clears all failures, so that reading can be tried again.
    func forgetFailures() { session.forgetFailures() }

    // MARK: - Parts

    private func openPart(
        _ io: inout UnsafeMutablePointer<AVIOContext>?, _ url: String, _ options: OpaquePointer?
    ) -> CInt {
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
        let start = option("offset").flatMap { Int64($0) } ?? 0
        let end = option("end_offset").flatMap { Int64($0) }
        guard (0...HTTPReader.farthest).contains(start), end ?? .max > start else {
            return glissade_averror_from_errno(EINVAL)
        }
        guard log?.refused.contains(address.text) != true else { return glissade_averror_from_errno(ENOENT) }
        do throws(HTTPFailure) {
            let reader = try HTTPReader(
                address, session: session, isPart: true, start: start, end: end == 0 ? nil : end)
            guard let made = make(Resource(reader, cipher: cipher, address: address, owner: self)) else {
                return glissade_averror_from_errno(ENOMEM)
            }
            parts.insert(made)
            hasParts = true
            io = made
            log?.note(address, isOpen: true)
            return 0
        } catch {
            log?.note(address, isOpen: false)
            return Self.code(error)
        }
    }

    /// Records what has been read of a part while the film is being opened.
    private func note(_ bytes: UnsafeMutableRawBufferPointer, _ count: Int, of part: Resource) {
        guard log != nil, count > 0, let address = part.address else { return }
        log?.take(
            UnsafeRawBufferPointer(rebasing: bytes[..<count]), of: address, movedTo: part.reader.address)
    }

    private func closePart(_ io: UnsafeMutablePointer<AVIOContext>) -> CInt {
        if parts.remove(io) == nil { return avio_close(io) }
        free(io)
        return 0
    }

    private static func code(_ failure: HTTPFailure) -> CInt {
        switch failure {
        case .interrupted: glissade_averror_exit()
        case .leadsToLocal: glissade_averror_from_errno(EACCES)
        default: glissade_averror_from_errno(EIO)
        }
    }

    // MARK: - Contexts

    private func make(_ resource: Resource) -> UnsafeMutablePointer<AVIOContext>? {
        let kept = Unmanaged.passRetained(resource)
        guard let buffer = av_malloc(Self.bufferSize),
            let opaque = glissade_make_resource(
                resource.reader.address.text, resource.reader.contentType, kept.toOpaque())
        else {
            kept.release()
            return nil
        }
        let io = avio_alloc_context(
            buffer.assumingMemoryBound(to: UInt8.self), CInt(Self.bufferSize), 0, opaque,
            { opaque, buffer, size in
                guard let opaque, let buffer, size > 0 else { return glissade_averror_eof() }
                let target = UnsafeMutableRawBufferPointer(start: buffer, count: Int(size))
                do throws(HTTPFailure) {
                    let resource = WebInput.resource(opaque)
                    let count = try resource.read(target)
                    resource.owner?.note(target, count, of: resource)
                    return count > 0 ? CInt(count) : glissade_averror_eof()
                } catch {
                    return WebInput.code(error)
                }
            }, nil, { opaque, offset, whence in opaque.map { WebInput.resource($0).seek(offset, whence) } ?? -1 })
        guard let io else {
            av_free(buffer)
            glissade_free_resource(opaque)
            kept.release()
            return nil
        }
        glissade_name_resource(io)
        io.pointee.seekable = resource.reader.isSeekable && resource.cipher == nil ? AVIO_SEEKABLE_NORMAL : 0
        return io
    }

    private static func resource(_ opaque: UnsafeMutableRawPointer) -> Resource {
        // The pointer was set in `make`.
        Unmanaged<Resource>.fromOpaque(opaque.assumingMemoryBound(to: GlissadeResource.self).pointee.reader)
            .takeUnretainedValue()
    }

    private func free(_ io: UnsafeMutablePointer<AVIOContext>) {
        if let opaque = io.pointee.opaque?.assumingMemoryBound(to: GlissadeResource.self) {
            Unmanaged<Resource>.fromOpaque(opaque.pointee.reader).release()
            glissade_free_resource(opaque)
        }
        // FFmpeg may have replaced the buffer.
        av_freep(&io.pointee.buffer)
        var io: UnsafeMutablePointer<AVIOContext>? = io
        avio_context_free(&io)
    }
}
