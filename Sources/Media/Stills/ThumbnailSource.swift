package import CFFmpeg
public import Geometry
public import Picture
import Time

/// Takes single pictures out of a media, small ones to be known by: a frame of a film, the cover of a record.
///
/// Blocks: for a thread that nobody waits for. Reads and decodes as little as it can, with one thread.
public struct ThumbnailSource: ~Copyable {
    package let input: MediaInput
    package let info: MediaInfo
    package let stream: UnsafeMutablePointer<AVStream>
    private let configuration: CodecConfiguration
    package let decoder: CodecContext
    private let isInterrupted: @Sendable () -> Bool
    package let packet: Packet
    /// The keyframe that `findKeyframe` has found.
    package var found: FoundKeyframe?
    /// Its packet, where it was found by reading.
    let foundPacket: Packet
    private var frame: UnsafeMutablePointer<AVFrame>
    private var scaler = BitmapScaler()

    /// Opens a path or an address, with the player's own precautions.
    ///
    /// - Parameters:
    ///   - fileName: what the file is called, where `location` does not show it (a descriptor's path); formats that cannot
    ///     be told by their content are told by its ending.
    ///   - isInterrupted: asked often, on this thread; true ends what is going on.
    /// - Throws: `cannotOpen`, also for want of memory; `nothingToPlay` where there is no picture, or none that can be decoded.
    public init(
        location: String, fileName: String? = nil, isInterrupted: @escaping @Sendable () -> Bool
    ) throws(PlaybackError) {
        let input = try MediaInput(location: location, fileName: fileName, isInterrupted: isInterrupted)
        let info = MediaInfo(input)
        guard let index = info.videoTrack, let stream = input.stream(index) else {
            throw .nothingToPlay(reason: "no picture in it")
        }
        let configuration = try CodecConfiguration(
            stream, of: input.context, pictureBytes: MemoryBudget.standard.smallPictures)
        let decoder = try configuration.openDecoder(threads: 1)
        // What it smooths is below what is seen at a tenth of the size.
        decoder.pointer.pointee.skip_loop_filter = AVDISCARD_ALL
        for other in 0..<Int(input.context.pointee.nb_streams) where other != index {
            input.stream(other)?.pointee.discard = AVDISCARD_ALL
        }
        let packet = try Packet()
        let foundPacket = try Packet()
        guard let frame = av_frame_alloc() else { throw .outOfMemory }
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

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    /// Whether the only picture is a cover, the same wherever it is asked for.
    public var isStill: Bool { configuration.isStill }

    /// How exactly a place is to be met.
    public enum Precision: Sendable {
        /// The keyframe before it: one frame is decoded.
        case keyframe
        /// The frame there, as far as `frameLimit` frames of decoding lead to it.
        case exact
    }

    /// No more frames than this are decoded on the way to an exact place: 20 s of film.
    private static let frameLimit = 500
    /// No more packets than this are read in search of a keyframe.
    static let packetLimit = 3000

    /// The picture at a share (0…1) of the media's length, or the cover, wherever. Where a media does not know its length
    /// or cannot seek, the next picture from where it is. Nil where nothing can be decoded.
    ///
    /// - Parameter limit: the largest size; smaller pictures are left as they are.
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

    /// The picture in `frame`.
    package mutating func bitmap(fitting limit: PixelSize) -> Bitmap? {
        let turn = rotation(of: frame) ?? configuration.rotation
        let aspect = ratio(frame.pointee.sample_aspect_ratio) ?? configuration.pixelAspect ?? 1
        return scaler.bitmap(frame, geometry: PixelGeometry(pixelAspect: aspect, rotation: turn), fitting: limit)
    }

    /// Goes to the keyframe before a place, as far as the container knows one; the place in the stream's time.
    private func seek(to fraction: Double) -> Int64? {
        guard let duration = info.duration, fraction.isFinite else { return nil }
        let place =
            info.startTime + .nanoseconds(Int64(clampingNanoseconds: duration.inSeconds * min(max(fraction, 0), 1)))
        // A container that seeks by guessing may land anywhere near its start: there the first byte is sure.
        if fraction <= 0, input.context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0,
            av_seek_frame(input.context, -1, 0, AVSEEK_FLAG_BYTE) >= 0
        {
            return nil
        }
        let time = av_rescale_q(place.nanoseconds, glissade_time_base_nanoseconds(), stream.pointee.time_base)
        if avformat_seek_file(input.context, stream.pointee.index, .min, time, time, 0) < 0 {
            // Where nothing lies before it, what comes after will do.
            _ = avformat_seek_file(input.context, stream.pointee.index, .min, time, .max, 0)
        }
        return time
    }

    /// Reads the stream's next packet; false at the end, or where it is to stop.
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

    /// Decodes the next keyframe by itself, without those after it that a decoder waits for to put frames in order.
    func decodeKeyframe() -> Bool {
        for count in 0..<Self.packetLimit {
            guard read() else { return false }
            // Some streams mark none: after a while, any packet may be one.
            guard packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0 || count > 250 else { continue }
            if decodeAlone(packet.pointer) { return true }
        }
        return false
    }

    /// Decodes one packet and what the decoder makes of it at its end.
    func decodeAlone(_ packet: UnsafePointer<AVPacket>) -> Bool {
        defer { avcodec_flush_buffers(decoder.pointer) }
        guard avcodec_send_packet(decoder.pointer, packet) >= 0 else { return false }
        _ = avcodec_send_packet(decoder.pointer, nil)
        return avcodec_receive_frame(decoder.pointer, frame) >= 0
    }

    /// Decodes on until the frame at `target`, or the last that there is.
    private func decode(until target: Int64?) -> Bool {
        var next = av_frame_alloc()
        defer { av_frame_free(&next) }
        guard let next else { return false }
        var count = 0
        var isEnd = false
        while !isEnd, !isInterrupted() {
            isEnd = !read()
            if avcodec_send_packet(decoder.pointer, isEnd ? nil : packet.pointer) < 0, !isEnd { continue }
            while avcodec_receive_frame(decoder.pointer, next) >= 0 {
                av_frame_unref(frame)
                av_frame_move_ref(frame, next)
                count += 1
                let time = frame.pointee.best_effort_timestamp
                if count >= Self.frameLimit || target.map({ time >= $0 }) ?? true { return true }
            }
        }
        return count > 0
    }
}
