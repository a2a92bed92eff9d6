import CFFmpeg
import Host
import Motion

/// What a decoder needs to know of its stream, copied out of the container so that the demuxer's thread keeps that to
/// itself.
struct CodecConfiguration: ~Copyable, @unchecked Sendable {
    // @unchecked: the parameters are a private copy with one owner.
    let parameters: UnsafeMutablePointer<AVCodecParameters>
    let frameRate: Double?
    let pixelAspect: Double?
    let rotation: QuarterTurns
    let isStill: Bool

    init(_ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>) {
        guard let parameters = avcodec_parameters_alloc() else { fatalError("out of memory for codec parameters") }
        avcodec_parameters_copy(parameters, stream.pointee.codecpar)
        self.parameters = parameters
        frameRate = ratio(av_guess_frame_rate(context, stream, nil))
        pixelAspect = ratio(av_guess_sample_aspect_ratio(context, stream, nil))
        rotation = streamRotation(stream)
        isStill = Playback.isStill(stream)
    }

    /// For how long a decoder's threads work at a stretch. The system has it at no more than 3 ms: one frame of a hundred of
    /// 1920×1080 at 60 a second was shown 2.2 ms late or more then, where two cores decode and draw; 1.1 ms with 5, 1.2 with 8.
    /// More, up to 100, does no more, and keeps whoever has work for long waiting.
    private static let slice = Duration.milliseconds(6)

    deinit {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&parameters)
    }

    /// Opens the codec; its packets' and frames' times are nanoseconds.
    ///
    /// - Parameter threads: FFmpeg's frame threads; 0 lets it choose by the cores.
    func openDecoder(threads: Int) throws(PlaybackError) -> CodecContext {
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
            throw .nothingToPlay(reason: "no decoder for \(name)")
        }
        return try open(codec, threads: threads)
    }

    /// - Parameters:
    ///   - link: to the device, for a decoder on hardware.
    ///   - prepare: sets what else is to be set before it is opened.
    func open(
        _ codec: UnsafePointer<AVCodec>, threads: Int, link: HardwareLink? = nil,
        prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
    ) throws(PlaybackError) -> CodecContext {
        guard let context = avcodec_alloc_context3(codec) else { fatalError("out of memory for a decoder") }
        var owned: UnsafeMutablePointer<AVCodecContext>? = context
        avcodec_parameters_to_context(context, parameters)
        context.pointee.pkt_timebase = glissade_time_base_nanoseconds()
        context.pointee.thread_count = CInt(threads)
        // A picture beyond 8K takes gigabytes in a frame-threaded decoder: a damaged or hostile header, not a film.
        context.pointee.max_pixels = 1 << 27
        // The link, or the pool, lives as long as the context: both have one owner.
        var pool: FramePool?
        if let link {
            context.pointee.opaque = Unmanaged.passUnretained(link).toOpaque()
        } else if parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO {
            let made = FramePool()
            made.attach(to: context)
            pool = made
        }
        glissade_copy_packet_numbers(context)
        prepare(context)
        // What shows pictures wakes up for a moment, and on time; what decodes them is ahead by several.
        let (code, made) = TimeSlice.lengthened(to: Self.slice) {
            CodecThreads.noting { avcodec_open2(context, codec, nil) }
        }
        guard code >= 0 else {
            avcodec_free_context(&owned)
            throw .nothingToPlay(reason: "\(String(cString: codec.pointee.name)): \(describe(code: code))")
        }
        return CodecContext(context, link: link, pool: pool, threads: made)
    }
}
