import GlissadeCFFmpeg
import Glibc
import GlissadeMedia
import GlissadePlatform

/// Reads whole subtitle files, with text or pictures.
///
/// FFmpeg gets the file's bytes instead of its path, so that a malicious file cannot make FFmpeg open other files.
enum SubtitleFile {
    /// The maximum size of a text file, in bytes. The most elaborate scripts take a few megabytes.
    static let mostTextBytes = 32 << 20
    static let mostPictureBytes = 128 << 20
    /// The maximum memory for the events of one file, in bytes.
    static let mostEventBytes = 96 << 20

    /// Reads a file, given by its path or `file://` URL. Blocks; may be called on any thread.
    ///
    /// - Parameters:
    ///   - id: The `id` of the new source.
    ///   - track: The index of the stream to read (`MediaInfo.Track.index`); nil to read the best one.
    ///   - frameRate: The film's frame rate, in frames per second, for formats that count frames; nil if unknown.
    ///   - encoding: The encoding of text that is not Unicode; nil to find it out.
    ///   - mostBytes: The maximum memory for the file's events, in bytes. When the limit is reached, the rest of the
    ///     file is left out.
    ///   - report: Called if events are left out.
    ///   - isInterrupted: Called repeatedly while reading. When it returns true, reading ends with an error.
    static func read(
        _ location: String, id: Int, track: Int? = nil, frameRate: Double? = nil, as encoding: SubtitleEncoding? = nil,
        keeping mostBytes: Int = mostEventBytes,
        report: (PlaybackProblem) -> Void = { _ in },
        isInterrupted: () -> Bool = { false }
    ) throws(PlaybackError) -> SubtitleSource {
        var path = BytePath(location: location)
        var bytes = try contents(of: path, isInterrupted)
        let hints = EncodingHints(name: path.displayName)
        // VobSub has the times in one file and the pictures in another. Either stands for both.
        var pictures: BytePath?
        if bytes.starts(with: [0, 0, 1, 0xBA]) {
            guard let index = sibling(of: path, ["idx", "IDX"]) else {
                throw .cannotOpen(reason: "the .idx file that belongs to it is missing")
            }
            (pictures, path) = (path, index)
            bytes = try contents(of: path, isInterrupted)
        } else if bytes.starts(with: "# VobSub index file".utf8) {
            guard let file = sibling(of: path, ["sub", "SUB"]) else {
                throw .cannotOpen(reason: "the .sub file that belongs to it is missing")
            }
            pictures = file
        }
        if TextEncoding.isText(bytes) {
            guard bytes.count <= mostTextBytes else { throw tooLarge(bytes.count, mostTextBytes) }
            bytes = TextEncoding.utf8(bytes, as: encoding ?? EncodingDetection.declared(in: bytes), hints)
        }
        let first = StreamEncoding(chosen: encoding, hints: hints)
        if pictures == nil, WebVTT.isSigned(bytes) || TTML.isTTML(bytes) {
            return try source(ofMarkup: bytes, id: id, mostBytes, report, isInterrupted)
        }
        func input() throws(PlaybackError) -> MemoryInput {
            try MemoryInput(bytes, pictures: pictures, frameRate: frameRate)
        }
        let read = try source(input(), id: id, track, first, mostBytes, report, isInterrupted)
        guard let found = read.changed else { return read.source }
        // What came first was decoded by too little text.
        let second = StreamEncoding(chosen: found, hints: hints)
        return try source(input(), id: id, track, second, mostBytes, { _ in }, isInterrupted).source
    }

    private static func tooLarge(_ count: Int, _ limit: Int) -> PlaybackError {
        .cannotOpen(reason: "too large for subtitles (\(count >> 20) MiB, at most \(limit >> 20) MiB)")
    }

    /// Reads WebVTT or TTML, without FFmpeg.
    private static func source(
        ofMarkup bytes: [UInt8], id: Int, _ mostBytes: Int, _ report: (PlaybackProblem) -> Void,
        _ isInterrupted: () -> Bool
    ) throws(PlaybackError) -> SubtitleSource {
        var events: [SubtitleEvent] = []
        var byteCount = 0
        var isStopped = false
        func take(_ event: SubtitleEvent) -> Bool {
            isStopped = isInterrupted()
            byteCount += event.byteCount
            if byteCount > mostBytes { report(leftOut(after: event.start)) }
            guard !isStopped, byteCount <= mostBytes else { return false }
            events.append(event)
            return true
        }
        if WebVTT.isSigned(bytes) { WebVTT.read(bytes, take) } else { TTML.read(bytes, take) }
        if isStopped { throw .cannotOpen(reason: describe(code: glissade_averror_exit())) }
        guard !events.isEmpty else { throw .nothingToPlay(reason: "no subtitles") }
        return SubtitleSource(id: id, header: "", timeline: SubtitleTimeline(events, byteLimit: mostBytes))
    }

    /// The problem of a file with more than may be kept, of which the rest from `time` on is left out.
    private static func leftOut(after time: Int64) -> PlaybackProblem {
        .streamNotPlayable(
            kind: "subtitles after \(time / 1_000_000_000) s", reason: "too many to keep in memory")
    }

    /// Reads a subtitle stream: that at the index `track`, or the best one. `changed` is the encoding of its packets if it
    /// was not known from the first of them on, else nil.
    private static func source(
        _ input: borrowing MemoryInput, id: Int, _ track: Int?, _ encoding: StreamEncoding, _ mostBytes: Int,
        _ report: (PlaybackProblem) -> Void, _ isInterrupted: () -> Bool
    ) throws(PlaybackError) -> (source: SubtitleSource, changed: SubtitleEncoding?) {
        // A track that is not there leaves the choice to FFmpeg.
        let index = av_find_best_stream(
            input.context, AVMEDIA_TYPE_SUBTITLE, track.map { CInt(clamping: $0) } ?? -1, -1, nil, 0)
        guard index >= 0, let stream = input.context.pointee.streams[Int(index)] else {
            throw .nothingToPlay(reason: "no subtitles")
        }
        var decoder = try SubtitleDecoder(stream.pointee.codecpar, encoding: encoding)
        var source = SubtitleSource(
            id: id, isStyled: SubtitleSource.isStyled(stream.pointee.codecpar.pointee.codec_id),
            fonts: SubtitleSource.fonts(in: input.context),
            tracks: SubtitleSource.Tracks(
                all: MediaInfo.subtitleTracks(of: input.context), selected: Int(index)))
        var events: [SubtitleEvent] = []
        var byteCount = 0
        var known: SubtitleEncoding?
        var hasChanged = false
        let packet = try Packet()
        while av_read_frame(input.context, packet.pointer) >= 0 {
            if isInterrupted() { throw .cannotOpen(reason: describe(code: glissade_averror_exit())) }
            defer { av_packet_unref(packet.pointer) }
            guard packet.pointer.pointee.stream_index == index else { continue }
            av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
            // Skip a line that cannot be decoded. It does not affect the next line.
            guard let output = try? decoder.decode(packet.pointer) else { continue }
            if decoder.encoding.found != known {
                hasChanged = hasChanged || known != nil
                known = decoder.encoding.found
            }
            byteCount += output.events.reduce(0) { $0 + $1.byteCount }
            if byteCount > mostBytes {
                report(leftOut(after: output.events.first?.start ?? 0))
                break
            }
            if let cut = output.cut, output.events.isEmpty { events.cutLastPicture(at: cut) }
            events += output.events
        }
        guard !events.isEmpty else { throw .nothingToPlay(reason: "no subtitles") }
        source.header = decoder.header
        source.timeline = SubtitleTimeline(events, byteLimit: mostBytes)
        return (source, hasChanged ? known : nil)
    }

    // MARK: - Bytes

    /// Returns the path of the regular file that differs from `path` only in its extension; nil if there is none.
    private static func sibling(of path: BytePath, _ extensions: [String]) -> BytePath? {
        let name = path.name
        let stem = name.prefix(upTo: name.lastIndex(of: UInt8(ascii: ".")) ?? name.endIndex)
        return extensions.lazy.map { path.parent.appending(stem + [UInt8(ascii: ".")] + Array($0.utf8)) }.first {
            file in
            var status = stat()
            return file.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFREG
        }
    }

    private static func contents(of path: BytePath, _ isInterrupted: () -> Bool) throws(PlaybackError) -> [UInt8] {
        let path = path.bytes.map { CChar(bitPattern: $0) } + [0]
        var status = stat()
        guard stat(path, &status) == 0 else { throw systemError() }
        // Check the type before opening, because opening a device can have side effects. Check it again after opening,
        // because the file may have been replaced.
        guard status.st_mode & S_IFMT == S_IFREG else { throw .cannotOpen(reason: "not a file") }
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard descriptor >= 0 else { throw systemError() }
        defer { close(descriptor) }
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw .cannotOpen(reason: "not a file")
        }
        guard status.st_size > 0 else { throw .cannotOpen(reason: "the file is empty") }
        guard status.st_size <= mostPictureBytes else { throw tooLarge(Int(status.st_size), mostPictureBytes) }
        var bytes: [UInt8] = []
        while bytes.count <= mostPictureBytes {
            if isInterrupted() { throw .cannotOpen(reason: describe(code: glissade_averror_exit())) }
            let chunk = [UInt8](unsafeUninitializedCapacity: 1 << 20) { buffer, count in
                count = max(0, Glibc.read(descriptor, buffer.baseAddress, buffer.count))
            }
            if chunk.isEmpty { break }
            bytes += chunk
            // Stop early if a text is too large.
            if bytes.count > mostTextBytes, TextEncoding.isText(bytes) {
                throw tooLarge(max(bytes.count, Int(status.st_size)), mostTextBytes)
            }
        }
        guard !bytes.isEmpty else { throw .cannotOpen(reason: "cannot be read") }
        return bytes
    }

    private static func systemError() -> PlaybackError {
        .cannotOpen(reason: describe(code: glissade_averror_from_errno(errno)))
    }
}

extension [SubtitleEvent] {
    /// Ends the last event at `time` if that event is a picture that is shown at `time`.
    fileprivate mutating func cutLastPicture(at time: Int64) {
        guard let last, case .picture = last.content, last.start < time, last.end > time else { return }
        self[count - 1].end = time
    }
}
