import Audio
import CFFmpeg

/// Plays sound faster or slower with its pitch kept: FFmpeg's `atempo`, loaded when it is first wanted.
///
/// On the audio decoder's thread.
final class TempoFilter {
    private static let filters: GlissadeFilters? = {
        var filters = GlissadeFilters()
        return glissade_load_filters(&filters) != 0 ? filters : nil
    }()

    private let filters: GlissadeFilters
    private let format: AudioFormat
    private var graph: UnsafeMutablePointer<AVFilterGraph>?
    private var source: UnsafeMutablePointer<AVFilterContext>?
    private var sink: UnsafeMutablePointer<AVFilterContext>?
    private var frame: UnsafeMutablePointer<AVFrame>?
    private var output: [Float] = []

    /// Nil where the library or the filter is missing. `speed` is 0.1…8.
    init?(format: AudioFormat, speed: Double) {
        guard let filters = Self.filters, let graph = filters.graph_alloc() else { return nil }
        self.filters = filters
        self.format = format
        self.graph = graph
        frame = av_frame_alloc()
        graph.pointee.nb_threads = 1
        let arguments =
            "time_base=1/\(format.sampleRate):sample_rate=\(format.sampleRate):sample_fmt=flt"
            + ":channel_layout=\(Self.layoutName(format.channelCount))"
        var last: UnsafeMutablePointer<AVFilterContext>?
        guard filters.create_filter(&source, filters.get_by_name("abuffer"), "in", arguments, nil, graph) >= 0,
            filters.create_filter(&sink, filters.get_by_name("abuffersink"), "out", nil, nil, graph) >= 0
        else { return nil }
        last = source
        for (index, factor) in Self.factors(speed).enumerated() {
            var tempo: UnsafeMutablePointer<AVFilterContext>?
            guard
                filters.create_filter(
                    &tempo, filters.get_by_name("atempo"), "tempo\(index)", "tempo=\(factor)", nil, graph) >= 0,
                filters.link(last, 0, tempo, 0) >= 0
            else { return nil }
            last = tempo
        }
        guard filters.link(last, 0, sink, 0) >= 0, filters.config(graph, nil) >= 0 else { return nil }
    }

    deinit {
        filters.graph_free(&graph)
        av_frame_free(&frame)
    }

    /// Speeds that one `atempo` can do (0.5…100) and that multiply to `speed`.
    static func factors(_ speed: Double) -> [Double] {
        var factors: [Double] = []
        var rest = speed
        while rest < 0.5 {
            factors.append(0.5)
            rest /= 0.5
        }
        return factors + [rest]
    }

    /// How far what comes out is ahead of what its place among the samples says, in seconds of what goes in; measured with
    /// ticks at speeds of 0.5 to 2.
    ///
    /// `atempo` overlaps windows of a twenty-fourth of a second, made a power of two of samples (libavfilter/af_atempo.c,
    /// `yae_reset`), and aligns their middles.
    static func lead(_ speed: Double, sampleRate: Int) -> Double {
        guard speed != 1 else { return 0 }
        var window = 1
        while window < sampleRate / 24 { window *= 2 }
        var lead = 0.0
        var passed = 1.0
        for factor in factors(speed) where factor != 1 {
            lead += passed * Double(window) / Double(sampleRate) * 0.44
            passed *= factor
        }
        return lead
    }

    /// Takes samples in and answers with what came out; it stays valid until the next call.
    func process(_ samples: ArraySlice<Float>) -> ArraySlice<Float> {
        guard let frame else { return [] }
        av_frame_unref(frame)
        frame.pointee.format = AV_SAMPLE_FMT_FLT.rawValue
        frame.pointee.sample_rate = CInt(format.sampleRate)
        frame.pointee.nb_samples = CInt(samples.count / format.channelCount)
        av_channel_layout_default(&frame.pointee.ch_layout, CInt(format.channelCount))
        guard av_frame_get_buffer(frame, 0) >= 0, let data = frame.pointee.data.0 else { return [] }
        samples.withUnsafeBytes { UnsafeMutableRawPointer(data).copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
        guard filters.add_frame(source, frame, 0) >= 0 else { return [] }
        return collect()
    }

    /// What is left at the end.
    func drain() -> ArraySlice<Float> {
        guard filters.add_frame(source, nil, 0) >= 0 else { return [] }
        return collect()
    }

    private func collect() -> ArraySlice<Float> {
        output.removeAll(keepingCapacity: true)
        guard let frame else { return [] }
        av_frame_unref(frame)
        while filters.get_frame(sink, frame) >= 0 {
            if let data = frame.pointee.data.0 {
                let count = Int(frame.pointee.nb_samples) * format.channelCount
                UnsafeRawPointer(data).withMemoryRebound(to: Float.self, capacity: count) {
                    output.append(contentsOf: UnsafeBufferPointer(start: $0, count: count))
                }
            }
            av_frame_unref(frame)
        }
        return output[...]
    }

    private static func layoutName(_ channels: Int) -> String {
        var layout = AVChannelLayout()
        av_channel_layout_default(&layout, CInt(channels))
        return layout.order == AV_CHANNEL_ORDER_NATIVE ? "0x" + String(layout.u.mask, radix: 16) : "\(channels)c"
    }
}
