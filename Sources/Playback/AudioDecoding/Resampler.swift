import GlissadeAudio
import GlissadeCFFmpeg
import Glibc
import GlissadeMedia
import GlissadeTime

/// Converts decoded audio to the output's sample rate, channels and sample format, and changes its tempo without
/// changing its pitch.
///
/// Confined to the audio decoder's thread. Reconfigured when the input format, output format or speed changes, or when
/// media time jumps.
struct Resampler: ~Copyable {
    /// Converted samples, valid only during the call that delivers them.
    struct Chunk {
        var samples: UnsafeBufferPointer<Float>
        var format: AudioFormat
        /// The media time of the first sample, in nanoseconds.
        var time: Int64
        /// The speed, in media seconds per second of output.
        var speed: Double
    }

    private struct Setup: Equatable {
        var rate: CInt
        var sampleFormat: CInt
        var channels: CInt
        var channelMask: UInt64
        var target: AudioFormat
        var speed: Double

        /// The number of input samples per channel to convert at a time, which yields about `outputLimit` output
        /// samples per channel.
        var slice: Int { max(1, Resampler.outputLimit * Int(rate) / max(1, target.sampleRate)) }
    }

    /// The approximate number of output samples per channel to produce at a time. Most decoded frames yield fewer.
    private static let outputLimit = 1 << 14

    private var setup: Setup?
    private var converter: OpaquePointer?
    private var tempo: TempoFilter?
    private var samples: [Float] = []
    /// The media time of the first sample since the last setup, in nanoseconds.
    private var origin: Int64 = 0
    /// The number of input samples per channel consumed since the last setup.
    private var consumed: Int64 = 0
    /// The media time covered by the output since the last setup, in seconds.
    private var delivered = 0.0
    /// The factor by which audio plays faster or slower. The factor also changes the pitch, and takes effect with the
    /// next frame.
    var rateFactor = 1.0
    /// The factor last set in swresample; 1 at first.
    private var appliedFactor = 1.0
    /// The number of output samples over which swresample spreads a compensation. The compensation is renewed with
    /// each frame, so it never runs out.
    private static let compensationDistance: CInt = 1 << 24

    init() {}

    deinit {
        var converter = converter
        swr_free(&converter)
    }

    /// Discards buffered samples. The conversion is set up again for the next frame.
    mutating func reset() {
        swr_free(&converter)
        tempo = nil
        setup = nil
        appliedFactor = 1
    }

    /// Converts a frame whose first sample has the media time `time`, in nanoseconds, and delivers the result if there
    /// is any. If the format cannot be converted, reports the problem and drops the frame.
    mutating func convert(
        _ frame: UnsafeMutablePointer<AVFrame>, time: Int64, speed: Double, to target: AudioFormat,
        report: (PlaybackProblem) -> Void, deliver: (Chunk) -> Void
    ) {
        let layout = frame.pointee.ch_layout
        let wanted = Setup(
            rate: frame.pointee.sample_rate, sampleFormat: frame.pointee.format, channels: layout.nb_channels,
            channelMask: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0, target: target, speed: speed)
        // A jump in media time of more than 10 ms restarts the conversion. Otherwise, the samples after it would get
        // wrong times.
        let expected = origin.addingClamped(av_rescale(consumed, 1_000_000_000, Int64(max(1, wanted.rate))))
        if wanted != setup || time.distance(from: expected) > 10_000_000 {
            reset()
            if let reason = build(wanted, layout) {
                return report(.streamNotPlayable(kind: "audio", reason: reason))
            }
            setup = wanted
            origin = time
            delivered = 0
            consumed = 0
        }
        applyRateFactor()
        consumed += Int64(frame.pointee.nb_samples)
        convertSlices(of: frame, wanted, deliver)
    }

    /// Makes swresample produce slightly fewer or more samples, to play audio faster or slower by `rateFactor`. Once
    /// started, resampling continues even at a factor of 1, since switching it off would be audible.
    private mutating func applyRateFactor() {
        guard rateFactor != appliedFactor || appliedFactor != 1, abs(rateFactor - 1) < 0.5 else { return }
        let distance = Self.compensationDistance
        // At factor f and equal sample rates, each output sample takes f input samples.
        let delta = CInt(((1 - rateFactor) * Double(distance)).rounded())
        guard swr_set_compensation(converter, delta, distance) >= 0 else { return }
        appliedFactor = 1 - Double(delta) / Double(distance)
    }

    /// Converts a frame in slices, to limit the memory for its output.
    private mutating func convertSlices(
        of frame: UnsafeMutablePointer<AVFrame>, _ setup: Setup, _ deliver: (Chunk) -> Void
    ) {
        let isPlanar = av_sample_fmt_is_planar(AVSampleFormat(setup.sampleFormat)) != 0
        let planeCount = isPlanar ? Int(setup.channels) : 1
        let step =
            Int(av_get_bytes_per_sample(AVSampleFormat(setup.sampleFormat))) * (isPlanar ? 1 : Int(setup.channels))
        let (count, slice) = (Int(frame.pointee.nb_samples), setup.slice)
        withUnsafeTemporaryAllocation(of: UnsafePointer<UInt8>?.self, capacity: planeCount) { planes in
            for start in stride(from: 0, to: count, by: slice) {
                for plane in 0..<planeCount {
                    planes[plane] = frame.pointee.extended_data[plane].map { UnsafePointer($0 + start * step) }
                }
                run(planes.baseAddress, CInt(min(slice, count - start)), deliver)
            }
        }
    }

    /// Delivers the samples still buffered at the end of the audio.
    mutating func drain(deliver: (Chunk) -> Void) {
        guard setup != nil else { return }
        run(nil, 0, deliver)
        if let rest = tempo?.drain() { hand(over: rest, deliver) }
        reset()
    }

    private mutating func run(
        _ input: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ count: CInt, _ deliver: (Chunk) -> Void
    ) {
        guard let setup else { return }
        let channels = setup.target.channelCount
        // Enough for the slice and the filter's delay; a negative count is an error. Output that does not fit stays
        // buffered.
        let room = min(Int(swr_get_out_samples(converter, count)), 4 * Self.outputLimit)
        guard room > 0 else { return }
        if samples.count < room * channels { samples = [Float](repeating: 0, count: room * channels) }
        let converted = samples.withUnsafeMutableBytes { bytes in
            var output = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self)
            return Int(swr_convert(converter, &output, CInt(room), input, count))
        }
        guard converted > 0 else { return }
        if setup.speed == 1 {
            hand(over: samples[..<(converted * channels)], deliver)
        } else if let stretched = tempo?.process(samples[..<(converted * channels)]) {
            hand(over: stretched, deliver)
        }
    }

    private mutating func hand(over part: ArraySlice<Float>, _ deliver: (Chunk) -> Void) {
        guard let setup, !part.isEmpty else { return }
        let time = origin.addingClamped(Int64(clampingNanoseconds: delivered))
        let speed = setup.speed * appliedFactor
        delivered += Double(part.count / setup.target.channelCount) / Double(setup.target.sampleRate) * speed
        part.withUnsafeBufferPointer {
            deliver(Chunk(samples: $0, format: setup.target, time: time, speed: speed))
        }
    }

    /// Sets up the converter. Returns nil on success, or the reason for a failure.
    private mutating func build(_ setup: Setup, _ layout: AVChannelLayout) -> String? {
        if let reason = MemoryBudget.refusal(rate: setup.rate, channels: setup.channels) { return reason }
        var input = layout
        if input.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&input, setup.channels) }
        var output = AVChannelLayout()
        av_channel_layout_default(&output, CInt(setup.target.channelCount))
        let code = swr_alloc_set_opts2(
            &converter, &output, AV_SAMPLE_FMT_FLT, CInt(setup.target.sampleRate), &input,
            AVSampleFormat(setup.sampleFormat), setup.rate, 0, nil)
        guard code >= 0 else { return describe(code: code) }
        if let mix = ChannelMix.matrix(from: input, to: output) {
            _ = swr_set_matrix(converter, mix, CInt(input.nb_channels))
        }
        let started = swr_init(converter)
        guard started >= 0 else { return describe(code: started) }
        if setup.speed != 1 { tempo = TempoFilter(format: setup.target, speed: setup.speed) }
        return nil
    }
}
