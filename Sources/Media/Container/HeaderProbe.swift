import GlissadeCFFmpeg
import GlissadeTime

/// Fills in stream parameters from the header of an MP4 file. This is faster than FFmpeg's probing.
///
/// FFmpeg's `avformat_find_stream_info` decodes the first frames, which takes 28 ms for H.264 at 1920×1080, and 110 ms
/// at 3840×2160. The header of a modern MP4 file has all the values. They are defined in ISO/IEC 14496-12 (times and
/// sizes), 14496-15, 5.3.3.1 (H.264 profile and sample format), and 14496-3, 1.6.2.1 (AAC profile).
enum HeaderProbe {
    /// Fills in the values that `avformat_find_stream_info` would find. Handles MP4 files that
    /// contain H.264 video and, optionally, AAC-LC audio. For other files, or if a value is missing, returns false and
    /// changes nothing.
    static func complete(_ context: UnsafeMutablePointer<AVFormatContext>) -> Bool {
        guard let format = context.pointee.iformat, String(cString: format.pointee.name).hasPrefix("mov,mp4"),
            context.pointee.nb_streams > 0
        else { return false }
        let streams = (0..<Int(context.pointee.nb_streams)).compactMap { context.pointee.streams[$0] }
        let found = streams.compactMap { Found($0) }
        guard found.count == streams.count, found.contains(where: \.isVideo) else { return false }
        let microseconds = AVRational(num: 1, den: AV_TIME_BASE)
        let spans = streams.map { stream in
            (
                start: av_rescale_q(stream.pointee.start_time, stream.pointee.time_base, microseconds),
                length: av_rescale_q(stream.pointee.duration, stream.pointee.time_base, microseconds)
            )
        }
        let start = spans.map(\.start).min() ?? 0
        // FFmpeg 7 and later leave the duration unset. Earlier versions have already set it from the movie header.
        let end = spans.map { $0.start.addingClamped($0.length) }.max() ?? 0
        let length = max(spans.map(\.length).max() ?? 0, end.subtractingClamped(start))
        guard context.pointee.duration > 0 || length > 0 else { return false }
        for (stream, found) in zip(streams, found) {
            stream.pointee.codecpar.pointee.profile = found.profile
            stream.pointee.codecpar.pointee.level = found.level
            stream.pointee.codecpar.pointee.format = found.format
            if !found.isVideo {
                let channels = stream.pointee.codecpar.pointee.ch_layout.nb_channels
                stream.pointee.codecpar.pointee.frame_size = 1024
                av_channel_layout_default(&stream.pointee.codecpar.pointee.ch_layout, channels)
            }
        }
        context.pointee.start_time = start
        if context.pointee.duration <= 0 { context.pointee.duration = length }
        if context.pointee.bit_rate <= 0, let file = context.pointee.pb {
            let bytes = avio_size(file)
            if bytes > 0, bytes < Int64.max / 8 / Int64(AV_TIME_BASE) {
                context.pointee.bit_rate = av_rescale_rnd(
                    bytes * 8, Int64(AV_TIME_BASE), context.pointee.duration, AV_ROUND_DOWN)
            }
        }
        return true
    }

    /// The parameters of a stream, as found in the header.
    private struct Found {
        var isVideo: Bool
        var profile: CInt
        var level: CInt
        var format: CInt

        /// Reads a stream's parameters; nil if a parameter is missing, or if `complete` does not handle the stream.
        init?(_ stream: UnsafeMutablePointer<AVStream>) {
            let parameters = stream.pointee.codecpar.pointee
            guard stream.pointee.start_time != glissade_nopts(), stream.pointee.duration > 0,
                stream.pointee.nb_frames > 0, stream.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0,
                let data = parameters.extradata
            else { return nil }
            let extradata = UnsafeBufferPointer(start: data, count: Int(parameters.extradata_size))
            switch parameters.codec_id {
            case AV_CODEC_ID_H264:
                guard parameters.width > 0, parameters.height > 0, stream.pointee.avg_frame_rate.num > 0,
                    stream.pointee.avg_frame_rate.den > 0, stream.pointee.sample_aspect_ratio.num > 0,
                    let h264 = H264Head(extradata)
                else { return nil }
                (isVideo, profile, level) = (true, h264.profile, h264.level)
                format = h264.format.rawValue
            case AV_CODEC_ID_AAC:
                guard parameters.sample_rate > 24000, 1...2 ~= parameters.ch_layout.nb_channels,
                    AACHead.isPlain(extradata)
                else { return nil }
                (isVideo, profile, level) = (false, glissade_profile_aac_low, parameters.level)
                format = AV_SAMPLE_FMT_FLTP.rawValue
            default: return nil
            }
        }
    }
}

/// Recognizes plain AAC by its AudioSpecificConfig (ISO/IEC 14496-3, 1.6.2.1).
enum AACHead {
    /// Whether `bytes` are the configuration of plain AAC LC in frames of 1024 samples.
    ///
    /// The fields, with their lengths in bits, are: object type (5), sample rate index (4; 15 means an explicit rate),
    /// channels (4), a flag for 960-sample frames (1), and two other flags (2). An extension may follow: sync 0x2B7
    /// (11), type (5; 5 is SBR), and a flag for its presence (1). SBR and PS change the rate and channels during
    /// decoding. At rates up to 24 kHz, they may be present without being signaled. The caller excludes those rates.
    static func isPlain(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
        guard bytes.count >= 2, bytes[0] >> 3 == 2, bytes[1] & 4 == 0 else { return false }
        let rateIndex = (bytes[0] & 7) << 1 | bytes[1] >> 7
        guard rateIndex != 15 else { return false }
        return bytes.count == 2 || bytes.count >= 5 && bytes[2] == 0x56 && bytes[3] == 0xE5 && bytes[4] & 0x80 == 0
    }
}

/// The profile, level and sample format in an AVCDecoderConfigurationRecord (ISO/IEC 14496-15, 5.3.3.1).
struct H264Head: Equatable {
    var profile: CInt
    var level: CInt
    var format: AVPixelFormat

    /// Parses a record. Handles profiles up to High 10, and 4:2:0 samples of 8 or 10 bits. Nil for other records, and
    /// for invalid or truncated ones.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard bytes.count >= 7, bytes[0] == 1 else { return nil }
        let (indication, compatibility) = (CInt(bytes[1]), bytes[2])
        level = CInt(bytes[3])
        var place = 5
        // Skip the parameter sets: SPS with a 5-bit count, then PPS with an 8-bit count.
        for mask: UInt8 in [0x1F, 0xFF] {
            guard place < bytes.count else { return nil }
            let count = bytes[place] & mask
            place += 1
            for _ in 0..<count {
                guard place + 2 <= bytes.count else { return nil }
                place += 2 + (Int(bytes[place]) << 8 | Int(bytes[place + 1]))
            }
        }
        guard place <= bytes.count, bytes[5] & 0x1F > 0 else { return nil }
        var (chroma, luma, depth) = (UInt8(1), UInt8(0), UInt8(0))
        switch indication {
        case glissade_profile_h264_baseline:
            // With constraint_set1_flag, FFmpeg calls the profile constrained baseline.
            profile = indication | (compatibility & 0x40 != 0 ? glissade_profile_h264_constrained : 0)
        case glissade_profile_h264_main, glissade_profile_h264_extended: profile = indication
        case glissade_profile_h264_high, glissade_profile_h264_high_10:
            guard place + 3 <= bytes.count else { return nil }
            (chroma, luma, depth) = (bytes[place] & 3, bytes[place + 1] & 7, bytes[place + 2] & 7)
            // constraint_set3_flag means intra-only.
            let isIntra = indication == glissade_profile_h264_high_10 && compatibility & 0x10 != 0
            profile = indication | (isIntra ? glissade_profile_h264_intra : 0)
        default: return nil
        }
        switch (chroma, luma, depth) {
        case (1, 0, 0): format = AV_PIX_FMT_YUV420P
        case (1, 2, 2): format = AV_PIX_FMT_YUV420P10LE
        default: return nil
        }
    }
}
