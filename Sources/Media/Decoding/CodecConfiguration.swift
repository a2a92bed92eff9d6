package import GlissadeCFFmpeg
package import GlissadePicture
import GlissadePlatform

/// A copy of the parameters that a stream's decoder needs. The decoder never accesses the container, which stays on the
/// demuxer's thread.
///
/// Threads: created on the demuxer's thread, then handed to a decoder's thread; one owner at a time.
package struct CodecConfiguration: ~Copyable, @unchecked Sendable {
    // @unchecked: the parameters are a private copy with one owner.
    package let parameters: UnsafeMutablePointer<AVCodecParameters>
    /// The frame rate that FFmpeg guesses, in frames per second; nil if unknown.
    package let frameRate: Double?
    /// The width of a pixel divided by its height as the container says; nil if it does not say.
    private let containerAspect: Double?
    /// The width of a pixel divided by its height as the bitstream says; nil if unknown.
    private let codedAspect: Double?
    /// How frames become upright, unless a frame says otherwise.
    package let orientation: Orientation
    /// Whether the stream is cover art.
    package let isStill: Bool
    /// What is seen through the transparent parts of frames.
    package let backdrop: Backdrop
    /// Whether a frame without any opacity is opaque: programs that store raw pixels often leave their fourth byte 0.
    package var ignoresZeroAlpha: Bool { parameters.pointee.codec_id == AV_CODEC_ID_RAWVIDEO }
    /// The memory budget for this stream's frames in main memory. Software decoders and the converter share this
    /// budget. Frames downloaded from a hardware decoder do not count.
    package let pictureBudget: ByteBudget
    private let budget: MemoryBudget
    /// What the container calls a codec that FFmpeg does not know; nil otherwise.
    private let identifier: String?
    /// The size of the headers that are kept for the decoder, in bytes.
    package var byteCount: Int { max(0, Int(parameters.pointee.extradata_size)) }

    /// Copies a stream's parameters.
    ///
    /// - Parameters:
    ///   - pictureBytes: The limit of `pictureBudget`, in bytes; nil for `MemoryBudget.pictures`.
    ///   - identifier: What the container calls a codec that FFmpeg does not know; see `MediaInput.codecIdentifier`.
    /// - Throws: `outOfMemory`.
    package init(
        _ stream: UnsafeMutablePointer<AVStream>, of context: UnsafeMutablePointer<AVFormatContext>,
        pictureBytes: Int? = nil, budget: MemoryBudget = .standard, identifier: String? = nil
    ) throws(PlaybackError) {
        var copy = avcodec_parameters_alloc()
        guard let parameters = copy, avcodec_parameters_copy(parameters, stream.pointee.codecpar) >= 0 else {
            avcodec_parameters_free(&copy)
            throw .outOfMemory
        }
        self.parameters = parameters
        self.budget = budget
        self.identifier = identifier
        pictureBudget = ByteBudget(limit: pictureBytes ?? budget.pictures)
        frameRate = ratio(av_guess_frame_rate(context, stream, nil))
        containerAspect = ratio(stream.pointee.sample_aspect_ratio)
        codedAspect = ratio(parameters.pointee.sample_aspect_ratio)
        orientation = Orientation(of: stream)
        isStill = GlissadeMedia.isStill(stream)
        let isPicture = MediaFormats.isOfPictures(context.pointee.iformat?.pointee.name)
        backdrop = isStill || isPicture ? .checkerboard : .black
    }

    /// The scheduler's time slice for decoder threads. On two cores, at 1920×1080 and 60 fps, the 99th percentile of
    /// lateness was 2.2 ms with the system's default slice (at most 3 ms), 1.1 ms with 5 ms, and 1.2 ms with 8 ms.
    private static let slice = Duration.milliseconds(6)

    /// Returns the pixel shape and orientation of a decoded frame.
    ///
    /// The container's pixel aspect comes before the bitstream's, as in mpv and in `av_guess_sample_aspect_ratio`:
    /// whoever corrects the aspect of a film writes the container anew, not the bitstream. Without one in the container,
    /// as in broadcasts, each frame says its own.
    package func geometry(of frame: UnsafePointer<AVFrame>) -> PixelGeometry {
        (Orientation(of: frame) ?? orientation).geometry(
            pixelAspect: containerAspect ?? ratio(frame.pointee.sample_aspect_ratio) ?? codedAspect)
    }

    deinit {
        var parameters: UnsafeMutablePointer<AVCodecParameters>? = parameters
        avcodec_parameters_free(&parameters)
    }

    /// Opens FFmpeg's default decoder for the stream, without hardware. Packet and frame times are in nanoseconds.
    ///
    /// - Parameter threads: The number of threads. If there is not enough memory for one frame per thread, fewer
    ///   threads are used, or all threads decode slices of the same frame.
    package func openDecoder(threads: Int) throws(PlaybackError) -> CodecContext {
        let name = String(cString: avcodec_get_name(parameters.pointee.codec_id))
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw .nothingToPlay(reason: CodecName.noDecoder(parameters.pointee.codec_id, identifier: identifier))
        }
        guard MediaFormats.contains(codec.pointee.name, in: MediaFormats.decoders) else {
            throw .nothingToPlay(reason: "unsupported codec (\(name))")
        }
        return try open(codec, threads: threads)
    }

    /// Opens the decoder `codec` with the stream's parameters, within the memory limits. Packet and frame times are in
    /// nanoseconds.
    ///
    /// - Parameters:
    ///   - threads: The number of threads. If there is not enough memory for one frame per thread, fewer threads are
    ///     used, or all threads decode slices of the same frame.
    ///   - link: The link to the decoding device; nil for software decoding.
    ///   - prepare: Sets further options before the decoder is opened.
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
        // The context does not retain the link or the pool; `CodecContext` owns all three.
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
        // Decoder threads get longer time slices than presentation threads, which wake briefly and must be on time.
        // Decoding is several frames ahead.
        let (code, made) = TimeSlice.lengthened(to: Self.slice) {
            CodecThreads.noting { avcodec_open2(context, codec, nil) }
        }
        guard code >= 0 else {
            avcodec_free_context(&owned)
            throw .nothingToPlay(reason: "\(String(cString: codec.pointee.name)): \(describe(code: code))")
        }
        return CodecContext(context, link: link, pool: pool, threads: made)
    }

    /// Limits the frame size and the number of frame threads.
    private func limitPictures(_ context: UnsafeMutablePointer<AVCodecContext>, _ threads: Int) {
        context.pointee.max_pixels = Int64(MemoryBudget.picturePixels)
        let affordable = budget.frameThreads(threads, for: parameters.pointee)
        if affordable > 1 {
            context.pointee.thread_count = CInt(affordable)
        } else {
            // If memory does not allow a second frame in flight, all threads work on one frame.
            context.pointee.thread_type = FF_THREAD_SLICE
        }
    }

    private func limitAudio(_ context: UnsafeMutablePointer<AVCodecContext>) {
        context.pointee.max_samples = Int64(MemoryBudget.audioSamples(of: parameters.pointee))
    }
}
