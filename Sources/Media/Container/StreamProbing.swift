package import CFFmpeg

/// Finds out what a container's head does not say of its streams, within the memory budget.
///
/// FFmpeg looks into the media for that and decodes the first pictures and sound, with decoders of its own. A stream whose
/// header says 64×64 may hold a picture of 16000×16000: these decoders are given limits as those that play are.
package enum StreamProbing {
    /// - Parameter isFile: whether what is read can be read again at no cost.
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

    /// Sets the limits of a stream's decoder. FFmpeg itself has it work on one thread.
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

    /// A decoder that may not decode a picture sets its size to nothing; what the container says of it still holds.
    private static func restore(_ width: CInt, _ height: CInt, of parameters: inout AVCodecParameters) {
        guard parameters.codec_type == AVMEDIA_TYPE_VIDEO, parameters.width <= 0 || parameters.height <= 0 else {
            return
        }
        (parameters.width, parameters.height) = (width, height)
    }

    /// Reads far enough into a container whose streams show only in what is read (broadcasts, DVDs, FLV) for all to be known
    /// that FFmpeg will look at: it takes no limits for those that it meets on its way. Then goes back to the beginning.
    ///
    /// What is read is neither taken apart nor decoded: 2 ms, where what follows takes 12 to 40. Over a network it would be
    /// read twice, and live media cannot go back: there the process' limit of a single allocation has to do.
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
            // An end, whatever a demuxer answers.
            rest -= Int64(packet?.pointee.size ?? 0) + 1
            av_packet_unref(packet)
        }
        return min(0, av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE))
    }

    /// So much further is read than FFmpeg will: it counts packets as its parsers cut them.
    private static let slack: Int64 = 1 << 19
}
