package import GlissadeCFFmpeg

/// Finds the stream parameters that a container's header omits, within the memory budget.
///
/// FFmpeg probes by decoding the first frames, which may be larger than the header says. The decoders therefore need
/// limits, as during playback.
package enum StreamProbing {
    /// Probes all streams of `context`.
    ///
    /// - Parameter isFile: Whether the input is a local file, which can be read twice at little cost.
    /// - Returns: FFmpeg's code.
    package static func findStreams(
        in context: UnsafeMutablePointer<AVFormatContext>, isFile: Bool = true, budget: MemoryBudget = .standard
    ) -> CInt {
        if isFile {
            let code = discoverStreams(of: context)
            if code < 0 { return code }
        }
        let streams = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
        let declared = streams.map { ($0.pointee.codecpar.pointee.width, $0.pointee.codecpar.pointee.height) }
        let videoStreams = streams.count { $0.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_VIDEO }
        var options: [OpaquePointer?] = []
        defer { for index in options.indices { av_dict_free(&options[index]) } }
        for stream in streams {
            var limits: OpaquePointer?
            let code = limit(stream.pointee.codecpar.pointee, videoStreams, budget, &limits)
            options.append(limits)
            if code < 0 { return code }
        }
        let found = options.withUnsafeMutableBufferPointer {
            avformat_find_stream_info(context, $0.isEmpty ? nil : $0.baseAddress)
        }
        for (stream, (width, height)) in zip(streams, declared) {
            restore(width, height, of: &stream.pointee.codecpar.pointee)
        }
        return found
    }

    /// Adds the limits for the decoder that probes a stream to `options`. FFmpeg runs this decoder on one thread.
    /// Returns FFmpeg's result code.
    private static func limit(
        _ parameters: AVCodecParameters, _ videoStreams: Int, _ budget: MemoryBudget, _ options: inout OpaquePointer?
    ) -> CInt {
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO:
            av_dict_set_int(&options, "max_pixels", Int64(budget.probedPixels(videoStreams: videoStreams)), 0)
        case AVMEDIA_TYPE_AUDIO:
            av_dict_set_int(&options, "max_samples", Int64(MemoryBudget.audioSamples(of: parameters)), 0)
        case AVMEDIA_TYPE_SUBTITLE: av_dict_set_int(&options, "max_pixels", Int64(MemoryBudget.subtitlePixels), 0)
        default: 0
        }
    }

    /// Restores the frame size that the container declares, if probing has set the size to 0. Decoders do so when they
    /// reject a frame.
    private static func restore(_ width: CInt, _ height: CInt, of parameters: inout AVCodecParameters) {
        guard parameters.codec_type == AVMEDIA_TYPE_VIDEO, parameters.width <= 0 || parameters.height <= 0 else {
            return
        }
        (parameters.width, parameters.height) = (width, height)
    }

    /// Discovers the streams of a container without a complete header (broadcasts, DVDs, FLV), and then rewinds.
    /// Returns FFmpeg's code.
    ///
    /// Without this step, FFmpeg would find some streams only while probing, and would decode them without limits.
    ///
    /// Does nothing for input that cannot rewind. Do not call for network input, which would be downloaded twice.
    private static func discoverStreams(of context: UnsafeMutablePointer<AVFormatContext>) -> CInt {
        guard context.pointee.ctx_flags & AVFMTCTX_NOHEADER != 0, let file = context.pointee.pb,
            file.pointee.seekable & AVIO_SEEKABLE_NORMAL != 0,
            context.pointee.iformat.pointee.flags & AVFMT_NO_BYTE_SEEK == 0
        else { return 0 }
        let flags = context.pointee.flags
        context.pointee.flags |= AVFMT_FLAG_NOPARSE | AVFMT_FLAG_NOFILLIN
        defer { context.pointee.flags = flags }
        var packet = av_packet_alloc()
        guard packet != nil else { return outOfMemory }
        defer { av_packet_free(&packet) }
        var rest = context.pointee.probesize + slack
        while rest > 0 {
            let code = av_read_frame(context, packet)
            if code == glissade_averror_exit() { return code }
            if code < 0, code != glissade_averror_again() { break }
            // Adding 1 ends the loop even if a demuxer returns only empty packets.
            rest -= Int64(packet?.pointee.size ?? 0) + 1
            av_packet_unref(packet)
        }
        if seek(context, toByte: 0) { return 0 }
        return min(0, av_seek_frame(context, -1, 0, AVSEEK_FLAG_BACKWARD))
    }

    /// The number of bytes to read beyond FFmpeg's limit `probesize`. FFmpeg counts bytes only after parsing, so FFmpeg
    /// also reads beyond `probesize`.
    private static let slack: Int64 = 1 << 19
}

/// Seeks to a byte of a container, and returns whether that succeeded.
///
/// False for WTV, whose streams are in a file within the file: FFmpeg would move in the outer one, and read on anywhere.
package func seek(_ context: UnsafeMutablePointer<AVFormatContext>, toByte place: Int64) -> Bool {
    guard let format = context.pointee.iformat, !MediaFormats.contains(format.pointee.name, in: "wtv") else {
        return false
    }
    return av_seek_frame(context, -1, place, AVSEEK_FLAG_BYTE) >= 0
}
