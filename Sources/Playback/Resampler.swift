import Audio
import CFFmpeg
import Glibc

/// Brings decoded sound into the output's rate, channels and sample type, and to the playing speed with its pitch kept.
///
/// On the audio decoder's thread. One FFmpeg filter chain does it all: `aresample`, and `atempo` where the speed is
/// not 1. It is built anew when what goes in or what is wanted changes.
struct Resampler: ~Copyable {
    /// Samples on loan for the length of a call.
    struct Chunk {
        var samples: UnsafeBufferPointer<Float>
        /// The media time of the first sample, nanoseconds.
        var time: Int64
        /// Media seconds a second of these samples.
        var speed: Double
    }

    private struct Setup: Equatable {
        var rate: CInt
        var sampleFormat: CInt
        var channels: CInt
        var channelMask: UInt64
        var target: AudioFormat
        var speed: Double
    }

    private var setup: Setup?
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private let output: UnsafeMutablePointer<AVFrame>
    private var collected: [Float] = []
    /// The media time at which this chain's first sample came in, and how many samples a second came out since.
    private var origin: Int64 = 0
    private var produced: Int64 = 0
    private var consumed: Int64 = 0

    init() {
        guard let frame = av_frame_alloc() else { fatalError("out of memory for a frame") }
        output = frame
    }

    deinit {
        var graph = graph
        avfilter_graph_free(&graph)
        var output: UnsafeMutablePointer<AVFrame>? = output
        av_frame_free(&output)
    }

    /// Forgets what it holds.
    mutating func reset() {
        avfilter_graph_free(&graph)
        source = nil
        sink = nil
        setup = nil
    }

    /// Converts a frame whose first sample belongs at `time`, and delivers what came out of the chain, if anything did.
    mutating func convert(
        _ frame: UnsafeMutablePointer<AVFrame>, time: Int64, speed: Double, to target: AudioFormat,
        report: (PlaybackProblem) -> Void, deliver: (Chunk) -> Void
    ) {
        let layout = frame.pointee.ch_layout
        let wanted = Setup(
            rate: frame.pointee.sample_rate, sampleFormat: frame.pointee.format, channels: layout.nb_channels,
            channelMask: layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 0, target: target, speed: speed)
        // A jump of the media's own time starts a new chain, so that the jump stays where it is.
        let expected = origin &+ av_rescale(consumed, 1_000_000_000, Int64(max(1, wanted.rate)))
        if wanted != setup || !(-10_000_000...10_000_000).contains(time &- expected) {
            reset()
            if let reason = build(wanted) {
                report(.streamNotPlayable(kind: "sound", reason: reason))
                return
            }
            setup = wanted
            origin = time
            produced = 0
            consumed = 0
        }
        consumed += Int64(frame.pointee.nb_samples)
        frame.pointee.pts = glissade_nopts()
        guard av_buffersrc_add_frame_flags(source, frame, CInt(AV_BUFFERSRC_FLAG_KEEP_REF)) >= 0 else { return }
        collect(deliver)
    }

    /// Delivers what is left in the chain at the end of the sound.
    mutating func drain(deliver: (Chunk) -> Void) {
        guard source != nil, av_buffersrc_add_frame_flags(source, nil, 0) >= 0 else { return }
        collect(deliver)
        setup = nil
    }

    private mutating func collect(_ deliver: (Chunk) -> Void) {
        guard let setup else { return }
        let channels = setup.target.channelCount
        collected.removeAll(keepingCapacity: true)
        while av_buffersink_get_frame(sink, output) >= 0 {
            if let data = output.pointee.extended_data?[0] {
                data.withMemoryRebound(to: Float.self, capacity: Int(output.pointee.nb_samples) * channels) {
                    collected.append(
                        contentsOf: UnsafeBufferPointer(start: $0, count: Int(output.pointee.nb_samples) * channels))
                }
            }
            av_frame_unref(output)
        }
        guard !collected.isEmpty else { return }
        let time = origin + Int64(Double(produced) / Double(setup.target.sampleRate) * setup.speed * 1e9)
        produced += Int64(collected.count / channels)
        collected.withUnsafeBufferPointer { deliver(Chunk(samples: $0, time: time, speed: setup.speed)) }
    }

    /// Builds the chain; FFmpeg's reason where it cannot.
    private mutating func build(_ setup: Setup) -> String? {
        guard let graph = avfilter_graph_alloc() else { fatalError("out of memory for a filter graph") }
        self.graph = graph
        graph.pointee.nb_threads = 1
        guard let format = av_get_sample_fmt_name(AVSampleFormat(setup.sampleFormat)) else { return "unknown samples" }
        let inputLayout =
            setup.channelMask != 0 ? "0x" + String(setup.channelMask, radix: 16) : Self.defaultLayout(setup.channels)
        let arguments =
            "time_base=1/\(setup.rate):sample_rate=\(setup.rate):sample_fmt=\(String(cString: format))"
            + ":channel_layout=\(inputLayout)"
        var code = avfilter_graph_create_filter(
            &source, avfilter_get_by_name("abuffer"), "in", arguments, nil, graph)
        guard code >= 0 else { return describe(code: code) }
        code = avfilter_graph_create_filter(&sink, avfilter_get_by_name("abuffersink"), "out", nil, nil, graph)
        guard code >= 0 else { return describe(code: code) }

        // One `atempo` goes down to half.
        let halvings = max(0, Int((-log2(max(setup.speed, 0.01))).rounded(.up)) - 1)
        let tempo =
            setup.speed == 1
            ? ""
            : String(repeating: "atempo=0.5,", count: halvings)
                + "atempo=\(setup.speed * Double(sign: .plus, exponent: halvings, significand: 1)),"
        let chain =
            tempo
            + "aresample=\(setup.target.sampleRate),aformat=sample_fmts=flt:sample_rates=\(setup.target.sampleRate)"
            + ":channel_layouts=\(Self.defaultLayout(CInt(setup.target.channelCount)))"
        var inputs = avfilter_inout_alloc()
        var outputs = avfilter_inout_alloc()
        defer {
            avfilter_inout_free(&inputs)
            avfilter_inout_free(&outputs)
        }
        outputs?.pointee.name = av_strdup("in")
        outputs?.pointee.filter_ctx = source
        inputs?.pointee.name = av_strdup("out")
        inputs?.pointee.filter_ctx = sink
        code = avfilter_graph_parse_ptr(graph, chain, &inputs, &outputs, nil)
        guard code >= 0 else { return describe(code: code) }
        code = avfilter_graph_config(graph, nil)
        return code >= 0 ? nil : describe(code: code)
    }

    /// FFmpeg's name of the usual layout of so many channels.
    private static func defaultLayout(_ channels: CInt) -> String {
        var layout = AVChannelLayout()
        av_channel_layout_default(&layout, channels)
        return layout.order == AV_CHANNEL_ORDER_NATIVE ? "0x" + String(layout.u.mask, radix: 16) : "\(channels)c"
    }
}
