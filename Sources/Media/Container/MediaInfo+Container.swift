package import GlissadeCFFmpeg
import GlissadeGeometry
import Glibc
import GlissadePicture
import GlissadeTime

extension MediaInfo {
    /// Reads the metadata of an open container, and chooses the tracks to play.
    package init(_ input: borrowing MediaInput) {
        let context = input.context.pointee
        let streams = (0..<Int(context.nb_streams)).compactMap { context.streams[$0] }
        let video = input.bestStream(AVMEDIA_TYPE_VIDEO)
        let audio = input.bestStream(AVMEDIA_TYPE_AUDIO, relatedTo: video)
        var byteCount: Int?
        // The size of a playlist says nothing.
        if let io = context.pb, input.resource?.hasParts != true {
            let size = input.parts.last?.bytes.upperBound ?? avio_size(io)
            if size > 0 { byteCount = Int(size) }
        }
        var tracks = streams.map { Track($0, of: input.context) }
        for (index, name) in input.codecIdentifiers(Array(streams.indices)) {
            tracks[index].codec = CodecName.text(streams[index].pointee.codecpar.pointee, identifier: name)
        }
        // A duration is needed if seeks are requests to the server, as in RTMP: no server grants them in a live stream.
        let seekable = context.pb?.pointee.seekable ?? AVIO_SEEKABLE_TIME
        let isManifest = input.resource?.isManifest == true
        // A finished playlist has a duration. It can be sought by segments, even if the server sends no parts of files.
        let isPlaylist = input.resource?.hasParts == true && !isManifest
        let isSeekable =
            seekable & AVIO_SEEKABLE_NORMAL != 0 || (seekable != 0 || isPlaylist) && context.duration > 0
        // FFmpeg plays a DASH manifest as HLS, and keeps the name of an HLS track as a comment.
        let container = isManifest ? "dash" : context.iformat.map { String(cString: $0.pointee.name) }
        if isManifest {
            for (index, stream) in streams.enumerated() {
                tracks[index].title = metadata("comment", in: stream.pointee.metadata) ?? tracks[index].title
            }
        }
        self.init(
            container: container ?? "unknown",
            duration: Self.duration(of: input, playing: [video, audio].compactMap { $0 }),
            startTime: input.startTime,
            bitRate: context.bit_rate > 0 ? Int(context.bit_rate) : nil,
            byteCount: byteCount,
            isSeekable: isSeekable,
            tracks: tracks,
            chapters: (0..<min(Int(context.nb_chapters), MemoryBudget.chapters)).compactMap {
                context.chapters[$0].map { Chapter($0) }
            },
            title: metadata("title", in: context.metadata),
            artist: metadata("artist", in: context.metadata) ?? metadata("album_artist", in: context.metadata),
            album: metadata("album", in: context.metadata),
            videoTrack: video, audioTrack: audio,
            variants: Self.variants(of: input, tracks, playing: video))
        colorMatrix = video.flatMap { streams[$0].pointee.codecpar.flatMap { PixelFormat.matrix(of: $0) } }
    }

    /// Returns the subtitle tracks of an open container.
    package static func subtitleTracks(of context: UnsafeMutablePointer<AVFormatContext>) -> [Track] {
        (0..<Int(context.pointee.nb_streams)).compactMap { index in
            context.pointee.streams[index].map { Track($0, of: context) }
        }.filter { $0.kind == .subtitle }
    }

    /// The duration of the streams at the indices `playing`, if the container says it; otherwise, that of the container,
    /// which may count other streams as well. Nil if unknown.
    private static func duration(of input: borrowing MediaInput, playing: [Int]) -> Duration? {
        let context = input.context.pointee
        guard context.duration > 0 else { return nil }
        let whole = duration(context.duration)
        let start = input.startTime - MediaTime.zero
        var longest = Duration.zero
        for index in playing {
            guard let stream = input.stream(index)?.pointee else { return whole }
            if stream.disposition & AV_DISPOSITION_ATTACHED_PIC != 0 { continue }
            // What Matroska's statistics tags say of a track: where it ends or, by some programs, how long it is.
            let tag = metadata("DURATION", in: stream.metadata) ?? metadata("DURATION-eng", in: stream.metadata)
            guard let end = tag.flatMap(TrackDuration.init)?.duration else { return whole }
            longest = max(longest, end > start ? end - start : end)
        }
        guard longest > .zero else { return whole }
        // The header is as good where both agree.
        let difference = longest - whole
        return difference > .milliseconds(500) || difference < .milliseconds(-500) ? longest : whole
    }

    /// Converts a container's duration from microseconds, and clamps the result to `PacketTimeline.farthest`.
    private static func duration(_ microseconds: Int64) -> Duration {
        .nanoseconds(microseconds.multipliedClamped(by: 1000).clamped(to: PacketTimeline.farthest))
    }
}

extension MediaInfo.Track {
    fileprivate init(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        let parameters = stream.pointee.codecpar.pointee
        var sampleFormat: String?
        let kind: Kind
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            if let name = av_get_pix_fmt_name(AVPixelFormat(parameters.format)) { sampleFormat = String(cString: name) }
            let rate = av_guess_frame_rate(context, stream, nil)
            kind = .video(
                size: PixelSize(width: Int(parameters.width), height: Int(parameters.height)),
                geometry: Orientation(of: stream).geometry(
                    pixelAspect: ratio(av_guess_sample_aspect_ratio(context, stream, nil))),
                frameRate: ratio(rate), isStill: isStill(stream))
        case AVMEDIA_TYPE_AUDIO:
            if let name = av_get_sample_fmt_name(AVSampleFormat(parameters.format)) {
                sampleFormat = String(cString: name)
            }
            kind = .audio(sampleRate: Int(parameters.sample_rate), channelLayout: describe(parameters.ch_layout))
        case AVMEDIA_TYPE_SUBTITLE: kind = .subtitle
        default: kind = .other(av_get_media_type_string(parameters.codec_type).map { String(cString: $0) } ?? "data")
        }
        let profile = avcodec_profile_name(parameters.codec_id, parameters.profile)
        self.init(
            index: Int(stream.pointee.index), kind: kind, codec: CodecName.text(parameters, identifier: nil),
            profile: profile.map { String(cString: $0) }, sampleFormat: sampleFormat,
            language: metadata("language", in: stream.pointee.metadata),
            title: metadata("title", in: stream.pointee.metadata),
            bitRate: parameters.bit_rate > 0 ? Int(parameters.bit_rate) : nil,
            isDefault: stream.pointee.disposition & AV_DISPOSITION_DEFAULT != 0)
    }
}

extension MediaInfo.Chapter {
    fileprivate init(_ chapter: UnsafeMutablePointer<AVChapter>) {
        let base = chapter.pointee.time_base
        func time(_ timestamp: Int64) -> MediaTime {
            let time = av_rescale_q(timestamp, base, glissade_time_base_nanoseconds())
            return MediaTime(nanoseconds: time.clamped(to: PacketTimeline.farthest))
        }
        self.init(
            start: time(chapter.pointee.start), end: time(chapter.pointee.end),
            title: metadata("title", in: chapter.pointee.metadata))
    }
}

/// Whether a video stream is an attached image, such as cover art.
package func isStill(_ stream: UnsafeMutablePointer<AVStream>) -> Bool {
    stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC != 0
}

/// Returns the value of a rational number; nil unless both numerator and denominator are positive.
package func ratio(_ value: AVRational) -> Double? {
    value.num > 0 && value.den > 0 ? Double(value.num) / Double(value.den) : nil
}

/// Returns the value for `key` in the metadata of a container, stream or chapter, truncated to
/// `MemoryBudget.textBytes`. Nil if the value is missing or empty.
package func metadata(_ key: String, in dictionary: OpaquePointer?) -> String? {
    guard let value = av_dict_get(dictionary, key, nil, 0)?.pointee.value else { return nil }
    let limit = MemoryBudget.textBytes
    let bytes = UnsafeRawBufferPointer(start: value, count: strnlen(value, limit + 1))
    let text = String(decoding: bytes, as: UTF8.self)
    guard text.utf8.count > limit else { return text.isEmpty ? nil : text }
    // `String` rounds an index inside a Unicode scalar down to the start of the scalar.
    return String(text[..<text.utf8.index(text.startIndex, offsetBy: limit)])
}

private func describe(_ layout: AVChannelLayout) -> String {
    withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { buffer in
        var layout = layout
        guard av_channel_layout_describe(&layout, buffer.baseAddress, buffer.count) > 0 else { return "unknown" }
        return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}

extension MediaInfo {
    /// Opens a path or a URL and reads its metadata. Blocks. May be called on any thread.
    ///
    /// - Parameters:
    ///   - fileName: The file's name, if `location` is a descriptor's path such as `/proc/self/fd/5`.
    ///   - isMeasured: Whether to read a file's packets for up to a second, to correct a length in its header that is
    ///     wrong.
    ///   - isInterrupted: Called often, on the calling thread. If the result is true, opening fails with an error.
    public init(
        opening location: String, fileName: String? = nil, isMeasured: Bool = false,
        unless isInterrupted: @escaping @Sendable () -> Bool = { false }
    ) throws(PlaybackError) {
        let input = try MediaInput(location: location, fileName: fileName, isInterrupted: isInterrupted)
        self.init(input)
        guard isMeasured, let length = input.measuredLength(self) else { return }
        duration = length
        // The rate was computed from the wrong length.
        guard let byteCount else { return }
        let rate = Double(byteCount) * 8 / length.inSeconds
        bitRate = Int(Int64(clamping: rate.rounded()))
    }
}
