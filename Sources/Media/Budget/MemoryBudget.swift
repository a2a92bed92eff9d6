package import GlissadeCFFmpeg
import Glibc

/// The memory limits for one media file. They are needed because a file may claim any size.
///
/// Content that exceeds a limit is rejected or skipped. FFmpeg enforces some of the limits (`max_pixels`,
/// `max_samples`, `max_streams`, `av_max_alloc`). Glissade enforces the others: for frames (`FramePool`,
/// `SwscaleConverter`), packets (`MediaInput.read`), metadata and chapters (`MediaInfo`), subtitles (`SubtitleDecoder`)
/// and audio (`Resampler`).
package struct MemoryBudget: Hashable, Sendable {
    /// The memory for the packets and frames of a film during playback, in bytes. If a frame is converted, both the
    /// decoded frame and the converted copy count.
    var film: Int
    /// The part of `film` for frames, in bytes. The rest is for packets.
    package var pictures: Int { max(film / 2, film - Self.packets) }
    /// The maximum number of entries in a container's index, for all streams together. Their memory is not part of
    /// `film`. Even the smallest limit is enough for 40 hours of AAC at 44.1 kHz.
    var indexEntries: Int { max(6 << 20, film / 2 / MP4Tables.bytesPerEntry) }
    /// The memory for the frames of one poster or preview, in bytes.
    var smallPictures: Int { film / 2 }

    /// The memory for all packets of a film, in bytes.
    package static let packets = waitingPackets + keptAudioPackets + keptSubtitlePackets
    /// The memory for packets waiting to be decoded, in bytes.
    package static let waitingPackets = 64 << 20
    /// The memory for cached audio packets, in bytes. The cache holds recently decoded packets and packets of
    /// unselected tracks.
    package static let keptAudioPackets = 32 << 20
    /// The memory for cached packets of all subtitle tracks, in bytes.
    package static let keptSubtitlePackets = 32 << 20

    /// The maximum number of pixels in a decoded frame: 8192×4320, padded to multiples of 64.
    static let picturePixels = 8192 * 4352
    /// The maximum width and height of a frame, in pixels: OpenGL's usual maximum texture size.
    static let pictureSide = 16384
    /// The largest single allocation that FFmpeg may make, in bytes: a frame of `picturePixels` with four 16-bit
    /// channels, plus padding.
    static let allocation = picturePixels * 8 + 1 << 24
    /// The maximum size of a packet, in bytes. An uncompressed RGB frame of 8192×4320 takes 101 MiB.
    package static let packetBytes = 128 << 20
    /// The maximum size of a decoded audio frame, all channels together, in bytes.
    static let audioBytes = 32 << 20
    /// The maximum number of streams in a container. A broadcast multiplex has about a hundred.
    package static let streams = 500
    /// The maximum number of chapters to read from a container.
    package static let chapters = 1000
    /// The maximum length of a title or other metadata value, in bytes of UTF-8.
    static let textBytes = 2048
    /// The maximum total number of pixels in the subtitle bitmaps displayed at the same time.
    package static let subtitlePixels = 1 << 24
    /// The memory for all fonts attached to a container, in bytes.
    package static let fontBytes = 64 << 20
    /// The maximum number of fonts to read from a container.
    package static let fonts = 256

    package init(film: Int) { self.film = film }

    /// The budget for this machine: 1 GiB for a film, or a quarter of physical memory if that is less.
    package static let standard: MemoryBudget = {
        let memory = max(0, sysconf(CInt(_SC_PHYS_PAGES))) * max(0, sysconf(CInt(_SC_PAGESIZE)))
        return MemoryBudget(film: memory > 0 ? min(1 << 30, memory / 4) : 1 << 30)
    }()

    /// Makes FFmpeg reject every allocation larger than `allocation`, in the whole process. May be called repeatedly,
    /// and on any thread.
    package static func limitAllocations() { _ = areAllocationsLimited }

    private static let areAllocationsLimited: Bool = {
        av_max_alloc(allocation)
        return true
    }()

    /// Returns the reason to refuse a stream with these parameters, as text for the user; nil if the stream may be
    /// decoded.
    package static func refusal(of parameters: AVCodecParameters) -> String? {
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO where !fits(width: parameters.width, height: parameters.height):
            "video of \(parameters.width)×\(parameters.height) is too large (at most 8192×4320)"
        // FFmpeg sets unknown values to 0.
        case AVMEDIA_TYPE_AUDIO where parameters.sample_rate != 0 || parameters.ch_layout.nb_channels != 0:
            refusal(
                rate: parameters.sample_rate == 0 ? sampleRates.lowerBound : parameters.sample_rate,
                channels: max(1, parameters.ch_layout.nb_channels))
        default: nil
        }
    }

    /// Whether a frame of this size may be decoded. True if the size is still unknown (0).
    package static func fits(width: CInt, height: CInt) -> Bool {
        max(width, height) <= pictureSide && Int(width) * Int(height) <= picturePixels
    }
}

// MARK: - Audio

extension MemoryBudget {
    /// The accepted sample rates, in Hz. Resampling from a much lower rate would take too much memory. Resampling from
    /// a much higher rate could produce no samples at all.
    static let sampleRates: ClosedRange<CInt> = 1000...768_000
    /// The channel counts that libswresample supports.
    package static let channels: ClosedRange<CInt> = 1...64

    /// Returns the reason why audio of this format cannot be resampled, as text for the user; nil if the audio can be
    /// resampled.
    package static func refusal(rate: CInt, channels: CInt) -> String? {
        if !sampleRates.contains(rate) { return "unsupported sample rate (\(rate) Hz)" }
        return Self.channels.contains(channels) ? nil : "unsupported number of channels (\(channels))"
    }

    /// Returns the maximum number of samples per channel in one decoded audio frame. A frame of that size fits in
    /// `audioBytes`, even at 8 bytes per sample.
    static func audioSamples(of parameters: AVCodecParameters) -> Int {
        audioBytes / (8 * max(2, Int(parameters.ch_layout.nb_channels)))
    }
}

// MARK: - Video

extension MemoryBudget {
    /// The usual number of frames in memory without frame threads: a typical decoder's reference frames, and the frames
    /// waiting to be displayed.
    private static let usualPictures = 9

    /// Returns the number of frame threads that fit in memory: at least 1, at most `threads`. Each frame thread needs
    /// memory for one additional frame. Returns `threads` if the frame's size is unknown.
    package func frameThreads(_ threads: Int, for parameters: AVCodecParameters) -> Int {
        // An unknown format is assumed to be 10-bit.
        let format = parameters.format >= 0 ? AVPixelFormat(parameters.format) : AV_PIX_FMT_YUV420P10LE
        let bytes = Int(av_image_get_buffer_size(format, parameters.width, parameters.height, 64))
        guard bytes > 0 else { return threads }
        return max(1, min(threads, pictures / bytes - Self.usualPictures))
    }

    /// Returns the maximum number of pixels per frame while FFmpeg probes a container with `videoStreams` video
    /// streams. During probing, FFmpeg's decoders hold up to three frames per stream, at up to eight bytes per pixel.
    func probedPixels(videoStreams: Int) -> Int {
        min(Self.picturePixels, film / (3 * 8 * max(1, videoStreams)))
    }
}
