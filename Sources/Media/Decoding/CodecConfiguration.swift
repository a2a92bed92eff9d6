package import CFFmpeg
package import Geometry
import Platform

/// What a decoder needs to know of its stream, copied out of the container so that the demuxer's thread keeps that to
/// itself.
///
/// Threads: made on the demuxer's thread, then handed to a decoder's; one owner at a time.
package struct CodecConfiguration: ~Copyable, @unchecked Sendable {
    // @unchecked: the parameters are a private copy with one owner.
    package let parameters: UnsafeMutablePointer<AVCodecParameters>
    package let frameRate: Double?
    package let pixelAspect: Double?
    package let rotation: QuarterTurns
    package let isStill: Bool
    /// What the pictures of all decoders of this stream take together, as long as anyone holds them.
    package let pictureBudget: ByteBudget
    private let budget: MemoryBudget

    /// - Parameter pictureBytes: what its pictures may take together; of a film where nothing else is said.
    /// - Throws: where there is no memory for it.
    package init(
        _ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>,
        pictureBytes: Int? = nil, budget: MemoryBudget = .standard
    ) throws(PlaybackError) {
        var copy = avcodec_parameters_alloc()
        guard let parameters = copy, avcodec_parameters_copy(parameters, stream.pointee.codecpar) >= 0 else {
            avcodec_parameters_free(&copy)
            throw .outOfMemory
        }
        self.parameters = parameters
        self.budget = budget
        pictureBudget = ByteBudget(limit: pictureBytes ?? budget.pictures)
        frameRate = ratio(av_guess_frame_rate(context, stream, nil))
        pixelAspect = ratio(av_guess_sample_aspect_ratio(context, stream, nil))
        rotation = streamRotation(stream)
        isStill = Media.isStill(stream)
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
    /// - Parameter threads: FFmpeg's frame threads, fewer where the pictures are so large that they would not fit the budget.
    package func openDecoder(threads: Int) throws(PlaybackError) -> CodecContext {
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw .nothingToPlay(reason: "no decoder for \(name)")
        }
        guard MediaFormats.contains(codec.pointee.name, in: MediaFormats.decoders) else {
            throw .nothingToPlay(reason: "not a codec that Glissade plays (\(name))")
        }
        return try open(codec, threads: threads)
    }

    /// - Parameters:
    ///   - link: to the device, for a decoder on hardware.
    ///   - prepare: sets what else is to be set before it is opened.
    package func open(
        _ codec: UnsafePointer<AVCodec>, threads: Int, link: HardwareLink? = nil,
        prepare: (UnsafeMutablePointer<AVCodecContext>) -> Void = { _ in }
    ) throws(PlaybackError) -> CodecContext {
        if let reason = MemoryBudget.refusal(of: parameters.pointee) { throw .nothingToPlay(reason: reason) }
        let isVideo = parameters.pointee.codec_type == AVMEDIA_TYPE_VIDEO
        MemoryBudget.limitAllocations()
        var owned = avcodec_alloc_context3(codec)
        guard let context = owned, avcodec_parameters_to_context(context, parameters) >= 0 else {
            avcodec_free_context(&owned)
            throw .outOfMemory
        }
        context.pointee.pkt_timebase = glissade_time_base_nanoseconds()
        context.pointee.thread_count = CInt(threads)
        if isVideo { limitPictures(context, threads) } else { limitAudio(context) }
        // The link, or the pool, lives as long as the context: both have one owner.
        var pool: FramePool?
        if let link {
            context.pointee.opaque = Unmanaged.passUnretained(link).toOpaque()
        } else if isVideo {
            let made = FramePool(budget: pictureBudget)
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

    /// A size in the middle of a stream may be another one than its header's: the decoder asks before it takes memory.
    private func limitPictures(_ context: UnsafeMutablePointer<AVCodecContext>, _ threads: Int) {
        context.pointee.max_pixels = Int64(MemoryBudget.picturePixels)
        let affordable = budget.frameThreads(threads, for: parameters.pointee)
        if affordable > 1 {
            context.pointee.thread_count = CInt(affordable)
        } else {
            // Where a second picture at work is too much, all threads work at one.
            context.pointee.thread_type = FF_THREAD_SLICE
        }
    }

    private func limitAudio(_ context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.max_samples = Int64(MemoryBudget.audioSamples(of: parameters.pointee))
    }
}
