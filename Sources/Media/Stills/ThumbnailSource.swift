package import GlissadeCFFmpeg
public import GlissadeGeometry
public import GlissadePicture
import GlissadeTime

/// Extracts small still images from a media file: frames of its video, or its cover art.
///
/// All methods block, so use a source on a background thread. Reads and decodes as little as possible, and uses only
/// one decoder thread.
public struct ThumbnailSource: ~Copyable {
    package let input: MediaInput
    package let info: MediaInfo
    package let stream: UnsafeMutablePointer<AVStream>
    private let configuration: CodecConfiguration
    package let decoder: CodecContext
    private let isInterrupted: @Sendable () -> Bool
    /// The packet that `read` fills.
    package let packet: Packet
    /// The keyframe that the last call to `findKeyframe` found; nil if that call found none.
    package var found: FoundKeyframe?
    /// The packet of the keyframe in `found`, if that keyframe was found by reading packets.
    let foundPacket: Packet
    /// The last decoded frame.
    private var frame: CodecFrame
    private var scaler = BitmapScaler()

    /// Opens a path or a URL, under the same restrictions as the player.
    ///
    /// - Parameters:
    ///   - fileName: The file's name, if `location` is a descriptor's path such as `/proc/self/fd/5`. The extension
    ///     identifies formats that cannot be recognized by content.
    ///   - isInterrupted: Called often on the thread that uses this source. If it returns true, the current operation
    ///     ends.
    /// - Throws: `cannotOpen` if the media cannot be opened or memory runs out; `nothingToPlay` if there is no video or
    ///   cover art, or no decoder for it.
    public init(
        location: String, fileName: String? = nil, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(PlaybackError) {
        let input = try MediaInput(location: location, fileName: fileName, isInterrupted: isInterrupted)
        let info = MediaInfo(input)
        guard let index = info.videoTrack, let stream = input.stream(index) else {
            throw .nothingToPlay(reason: "no video or cover art")
        }
        let configuration = try CodecConfiguration(
            stream, of: input.context, pictureBytes: MemoryBudget.standard.smallPictures)
        let decoder = try configuration.openDecoder(threads: 1)
        // Deblocking makes no visible difference at thumbnail size.
        decoder.pointer.pointee.skip_loop_filter = AVDISCARD_ALL
        for other in 0..<Int(input.context.pointee.nb_streams) where other != index {
            input.stream(other)?.pointee.discard = AVDISCARD_ALL
        }
        let packet = try Packet()
        let foundPacket = try Packet()
        guard let frame = CodecFrame() else { throw .outOfMemory }
        self.packet = packet
        self.foundPacket = foundPacket
        self.input = input
        self.info = info
        self.stream = stream
        self.configuration = configuration
        self.decoder = decoder
        self.isInterrupted = isInterrupted
        self.frame = frame
    }

    /// Whether the images are cover art. If so, they are the same at every position.
    public var isStill: Bool { configuration.isStill }

    /// How exactly to seek to a position.
    public enum Precision: Sendable {
        /// Decodes the keyframe before the position, or the keyframe after it if there is none before it.
        case keyframe
        /// Decodes up to the first frame at or after the position, but at most `frameLimit` frames.
        case exact
    }

    /// The maximum number of frames to decode to reach an exact position: 20 s at 25 frames per second.
    private static let frameLimit = 500
    /// How far before a position to begin in a file whose clock restarts: a broadcast's keyframes are seldom farther apart.
    private static let joinedLead = Duration.seconds(4)
    /// The maximum number of packets to read when searching for a keyframe or for the stream's next packet.
    static let packetLimit = 3000

    /// Returns the frame at or near a fraction (0…1) of the duration, depending on the precision. Returns the cover art
    /// if the media has that instead of video, and nil if nothing can be decoded. If the duration is unknown or the
    /// media is not seekable, decodes from the current position.
    ///
    /// - Parameter limit: The maximum size of the bitmap. Smaller frames are not enlarged.
    public mutating func picture(at fraction: Double, _ precision: Precision = .keyframe, fitting limit: PixelSize)
        -> Bitmap?
    {
        avcodec_flush_buffers(decoder.pointer)
        if configuration.isStill {
            guard decodeAlone(&stream.pointee.attached_pic) else { return nil }
        } else {
            let target = seek(to: fraction)
            guard precision == .exact ? decode(until: target) : decodeKeyframe() else { return nil }
        }
        return bitmap(fitting: limit)
    }

    /// Returns the last decoded frame as an upright bitmap that fits `limit`. Nil if the frame cannot be converted.
    package mutating func bitmap(fitting limit: PixelSize) -> Bitmap? {
        scaler.bitmap(
            frame.pointer, geometry: configuration.geometry(of: frame.pointer), over: configuration.backdrop,
            ignoresZeroAlpha: configuration.ignoresZeroAlpha, budget: configuration.pictureBudget, fitting: limit)
    }

    /// Seeks to the keyframe before a fraction of the duration, or to the keyframe after it if there is none before it.
    /// Returns the position at that fraction, in the stream's time base. Nil if the duration is unknown or the position
    /// is the start of a broadcast. In these cases, the next decoded frame is used.
    private func seek(to fraction: Double) -> Int64? {
        guard let duration = info.duration, fraction.isFinite else { return nil }
        let place =
            info.startTime + .nanoseconds(Int64(clampingNanoseconds: duration.inSeconds * min(max(fraction, 0), 1)))
        if !input.joins.isEmpty {
            let part = input.joins.part(at: place.nanoseconds)
            let own = place - .nanoseconds(part.offset)
            _ = input.seek(before: (own - Self.joinedLead).nanoseconds, in: part, track: Int(stream.pointee.index))
            return KeyframeIndex.timestamp(own, stream.pointee.time_base)
        }
        // Without an index, FFmpeg estimates where a timestamp is and may miss the start; byte 0 is exact.
        if fraction <= 0, input.context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0,
            GlissadeMedia.seek(input.context, toByte: 0)
        {
            return nil
        }
        let time = av_rescale_q(place.nanoseconds, glissade_time_base_nanoseconds(), stream.pointee.time_base)
        if avformat_seek_file(input.context, stream.pointee.index, .min, time, time, 0) < 0 {
            // If no keyframe precedes the position, use one after it.
            _ = avformat_seek_file(input.context, stream.pointee.index, .min, time, .max, 0)
        }
        return time
    }

    /// Reads the stream's next packet into `packet`. Returns false at the end, on an error, when interrupted, or after
    /// `packetLimit` packets of other streams.
    package func read() -> Bool {
        for _ in 0..<Self.packetLimit {
            if isInterrupted() { return false }
            av_packet_unref(packet.pointer)
            let code = input.read(packet.pointer)
            if code == glissade_averror_again() || code == MediaInput.packetTooLarge { continue }
            if code < 0 { return false }
            if packet.pointer.pointee.stream_index == stream.pointee.index { return true }
        }
        return false
    }

    /// Decodes the next keyframe without the packets that follow it. If the keyframe is damaged, tries the keyframes
    /// after it. Returns false if no keyframe can be decoded.
    func decodeKeyframe() -> Bool {
        for count in 0..<Self.packetLimit {
            guard read() else { return false }
            // Some streams mark no keyframes: after a while, try any packet.
            guard packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 || count > 250 else { continue }
            if decodeAlone(packet.pointer) { return true }
        }
        return false
    }

    /// Decodes one packet into `frame`, and drains the decoder. Returns whether a frame was decoded.
    func decodeAlone(_ packet: UnsafePointer<AVPacket>) -> Bool {
        defer { avcodec_flush_buffers(decoder.pointer) }
        guard avcodec_send_packet(decoder.pointer, packet) >= 0 else { return false }
        _ = avcodec_send_packet(decoder.pointer, nil)
        return avcodec_receive_frame(decoder.pointer, frame.pointer) >= 0
    }

    /// Decodes until the first frame at or after `target`, the end, an interruption, or `frameLimit` frames, whichever
    /// comes first. If there is no target, decodes one frame. Returns whether a frame was decoded.
    private mutating func decode(until target: Int64?) -> Bool {
        guard var next = CodecFrame() else { return false }
        var count = 0
        var isEnd = false
        while !isEnd, !isInterrupted() {
            isEnd = !read()
            if avcodec_send_packet(decoder.pointer, isEnd ? nil : packet.pointer) < 0, !isEnd { continue }
            while avcodec_receive_frame(decoder.pointer, next.pointer) >= 0 {
                swap(&frame, &next)
                // The budget for small pictures has no room for a frame that nobody needs.
                av_frame_unref(next.pointer)
                count += 1
                let time = frame.pointer.pointee.best_effort_timestamp
                if count >= Self.frameLimit || target.map({ time >= $0 }) ?? true { return true }
            }
        }
        return count > 0
    }
}
