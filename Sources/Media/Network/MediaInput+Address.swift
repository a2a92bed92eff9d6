import GlissadeCFFmpeg
import Glibc
import GlissadeTime

// Opening URLs, and errors in reading them.

extension MediaInput {
    /// Opens an `http` or `https` URL, or a playlist in a file. If the demuxer fails to open it, FFmpeg frees `context`
    /// and sets it to nil.
    static func openResource(
        _ source: ResourceInput.Source, _ context: inout UnsafeMutablePointer<AVFormatContext>?,
        _ resource: inout ResourceInput?,
        _ rules: NetworkRules, _ isCancelled: @escaping () -> Bool, _ reconnecting: @escaping (Bool) -> Void
    ) throws(PlaybackError) {
        let input: ResourceInput
        do throws(ResourceFailure) {
            input = try ResourceInput(
                source, rules: rules, isCancelled: isCancelled, reconnecting: reconnecting)
        } catch {
            throw .cannotOpen(reason: error.description)
        }
        resource = input
        try check(try input.open(&context) { refusal(of: $0, mayRefer: ResourceInput.isPlaylist($0)) })
        // FFmpeg ignores the failure of a variant.
        if let failure = input.finalFailure { throw .cannotOpen(reason: failure.description) }
    }

    /// Opens a URL that FFmpeg reads itself: any but `http` and `https`. If the demuxer fails to open the URL, FFmpeg
    /// frees `context` and sets it to nil.
    static func openStream(
        _ location: String, _ io: inout UnsafeMutablePointer<AVIOContext>?,
        _ context: inout UnsafeMutablePointer<AVFormatContext>?, _ watch: StreamWatch, _ interruption: AVIOInterruptCB
    ) throws(PlaybackError) {
        guard let pairs = StreamAddress.options(for: location, timeout: watch.timeout) else {
            throw .cannotOpen(reason: StreamAddress.refusal(of: location))
        }
        func options() -> OpaquePointer? {
            var options: OpaquePointer?
            for (name, value) in pairs { av_dict_set(&options, name, value, 0) }
            return options
        }
        // The stream may not open any other file or URL.
        context?.pointee.io_open = { _, _, _, _, _ in glissade_averror_from_errno(EACCES) }
        watch.begin()
        var format: UnsafePointer<AVInputFormat>?
        if !StreamAddress.isSession(location) {
            var interruption = interruption
            var own = options()
            defer { av_dict_free(&own) }
            try check(avio_open2(&io, location, AVIO_FLAG_READ, &interruption, &own))
            try check(av_probe_input_buffer2(io, &format, "media", nil, 0, 0))
            if let format, let refusal = refusal(of: format, mayRefer: false) { throw refusal }
            context?.pointee.pb = io
        }
        var own = options()
        defer { av_dict_free(&own) }
        for (name, value) in MediaFormats.limitsOfAddresses { av_dict_set(&own, name, value, 0) }
        watch.watch(context, url: location)
        let code = avformat_open_input(&context, location, format, &own)
        if code < 0 { watch.watch(nil, url: nil) }
        try check(code)
    }

    /// Returns the reason why the format of the data behind a URL is rejected; nil if the format is allowed. If
    /// `mayRefer` is true, formats that refer to other URLs are allowed.
    private static func refusal(of format: UnsafePointer<AVInputFormat>, mayRefer: Bool) -> PlaybackError? {
        let name = String(cString: format.pointee.name)
        if !mayRefer, referringFormats.contains(name) || format.pointee.flags & AVFMT_NOFILE != 0 {
            return .cannotOpen(reason: "only refers to other addresses (\(name)), which is not supported")
        }
        guard !MediaFormats.contains(format.pointee.name, in: MediaFormats.ofAddresses) else { return nil }
        return .cannotOpen(reason: "unsupported format (\(name))")
    }

    /// Returns the reason why opening failed, if the network is the cause; otherwise nil.
    static func networkFailure(_ resource: ResourceInput?, _ watch: StreamWatch?) -> PlaybackError? {
        if let failure = resource?.failure { return .cannotOpen(reason: failure.description) }
        if watch?.hasMoved == true { return .cannotOpen(reason: "blocked: the server redirects to another address") }
        if watch?.hasExpired == true { return .cannotOpen(reason: "the server does not respond") }
        return nil
    }

    /// Returns a description, for the user, of how the connection was lost. Nil if reading ended for another reason, or
    /// if the input is a file.
    ///
    /// - Parameters:
    ///   - code: The error code that FFmpeg returned when reading.
    ///   - isWhole: Whether the media has been read up to its declared duration. Also true if the duration is unknown.
    package func lossReason(_ code: CInt, isWhole: Bool) -> String? {
        // From a folder, a segment that cannot be read is skipped, also if it is the last one.
        if let resource, resource.session.folder != nil { return resource.finalFailure?.description }
        let isEnd = code == glissade_averror_eof() || hasReachedEnd
        if let resource {
            if let failure = isEnd ? resource.failure : resource.finalFailure { return failure.description }
            return isEnd && !isWhole && !resource.hasSureEnd ? ResourceFailure.closed.description : nil
        }
        guard let watch else { return nil }
        if watch.hasExpired { return ResourceFailure.stalled.description }
        // A server may close the connection after a recording's last packet.
        if context.pointee.duration > 0, isWhole { return nil }
        // FFmpeg's RTMP reports the end of a connection as EIO.
        if [EIO, ECONNRESET, EPIPE].contains(where: { code == glissade_averror_from_errno($0) }) {
            return ResourceFailure.closed.description
        }
        let losses = [ETIMEDOUT, ECONNABORTED, ENETUNREACH, EHOSTUNREACH, ENETDOWN]
        if losses.contains(where: { code == glissade_averror_from_errno($0) }) { return describe(code: code) }
        return isEnd && !isWhole ? ResourceFailure.closed.description : nil
    }

    /// Returns why a segment of a playlist was skipped, once; nil if none was skipped since the last call. `isLocal` is
    /// whether the playlist is a file.
    package func takeSkippedPart() -> (reason: String, isLocal: Bool)? {
        guard let session = resource?.session, let failure = session.takeSkipped() else { return nil }
        return (failure.description, session.folder != nil)
    }

    /// The measured rate of the connection in bits per second; nil if unknown, and for inputs other than web URLs.
    package var measuredRate: Double? { resource?.measuredRate }

    /// Whether this input may be replaced by another connection to the same URL after its own connection was lost.
    package var canReopen: Bool { watch != nil && StreamAddress.canReopen(location) }

    /// Whether this input is a file that can be read again: not standard input, nor a pipe.
    package var isFile: Bool {
        resource == nil && !Self.isAddress(location) && location != StandardInput.location
            && context.pointee.pb.map { $0.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0 } == true
    }

    /// Whether this input has the same streams as `other`, so that the same decoders can go on.
    package func hasSameStreams(as other: borrowing MediaInput) -> Bool {
        guard context.pointee.nb_streams == other.context.pointee.nb_streams else { return false }
        return (0..<Int(context.pointee.nb_streams)).allSatisfy { index in
            guard let mine = stream(index)?.pointee.codecpar?.pointee,
                let its = other.stream(index)?.pointee.codecpar?.pointee
            else { return false }
            return mine.codec_type == its.codec_type && mine.codec_id == its.codec_id && mine.width == its.width
                && mine.height == its.height && mine.sample_rate == its.sample_rate
                && mine.extradata_size == its.extradata_size
                && (mine.extradata_size <= 0 || memcmp(mine.extradata, its.extradata, Int(mine.extradata_size)) == 0)
        }
    }

    /// Whether an RTSP server has closed the connection, rather than ended its stream: FFmpeg reports both as the end.
    /// After the end of a stream, the server still answers.
    var hasHungUp: Bool {
        guard let watch, StreamAddress.scheme(of: location) == "rtsp" else { return false }
        watch.begin(limit: Self.hangUpTimeout)
        defer { watch.begin() }
        // Without an answer, FFmpeg returns -1 rather than one of its codes.
        return av_read_pause(context) == -1
    }

    /// How long to wait for an answer at the end of an RTSP stream.
    private static let hangUpTimeout = Duration.seconds(2)

    /// FFmpeg's code of the error at which reading the file ended; 0 if there was none.
    var readError: CInt { context.pointee.pb?.pointee.error ?? 0 }

    /// Whether the input is at its end. Always false for a playlist, which ends long before the film does.
    package var hasReachedEnd: Bool { resource?.hasParts != true && context.pointee.pb?.pointee.eof_reached ?? 0 != 0 }

    /// Clears the failure after a lost connection, so that reading can be tried again. Does nothing for files.
    package func forgetLoss() {
        guard resource != nil || watch != nil else { return }
        resource?.forgetFailures()
        watch?.begin()
        context.pointee.pb?.pointee.error = 0
        context.pointee.pb?.pointee.eof_reached = 0
    }
}
