package import CFFmpeg
import Glibc

/// The memory limits for one media file. Each limit is checked before memory is allocated, since a file may claim any
/// size.
///
/// Content that exceeds a limit is rejected or skipped. During playback, the user gets a one-line message; in the
/// library, the poster is simply missing. FFmpeg enforces the limits that it has options for (`max_pixels`,
/// `max_samples`, `max_streams`, `av_max_alloc`). The other limits are checked where the memory is allocated: for
/// frames (`FramePool`, `SwscaleConverter`), packets (`MediaInput.read`), metadata and chapters (`MediaInfo`),
/// subtitles (`SubtitleDecoder`) and audio (`Resampler`).
package struct MemoryBudget: Hashable, Sendable {
    /// The memory for the packets and frames of a film during playback, in bytes. Includes both a decoded frame and its
    /// converted copy, if it has one.
    var film: Int
    /// The part of `film` for all frames in memory at the same time, in bytes. The rest is for packets.
    package var pictures: Int { max(film / 2, film - Self.packets) }
    /// The maximum number of index entries in a container, all streams together. Their memory is not part of `film`. If
    /// `film` is 1 GiB, a container of 12 hours at 60 frames per second, with two audio tracks, needs half of the
    /// limit. The smallest limit, for machines with little memory, is enough for 40 hours of AAC at 44.1 kHz.
    var indexEntries: Int { max(6 << 20, film / 2 / MP4Tables.bytesPerEntry) }
    /// The memory for the frames of one poster or preview, in bytes. A poster needs one frame and the frames that it
    /// references.
    var smallPictures: Int { film / 2 }

    /// The memory for all packets of a film, in bytes: those waiting to be decoded and those cached.
    package static let packets = waitingPackets + keptAudioPackets + keptSubtitlePackets
    /// The memory for packets waiting to be decoded, in bytes.
    package static let waitingPackets = 64 << 20
    /// The memory for cached audio packets, in bytes: recently decoded ones, and those of unselected tracks.
    package static let keptAudioPackets = 32 << 20
    /// The memory for cached packets of all subtitle tracks, in bytes.
    package static let keptSubtitlePackets = 32 << 20

    /// The maximum number of pixels in a decoded frame: 8192×4320 padded to multiples of 64, in either orientation.
    static let picturePixels = 8192 * 4352
    /// The maximum length of a frame's side, in pixels: OpenGL's usual maximum texture size.
    static let pictureSide = 16384
    /// The largest single allocation by FFmpeg, in bytes: a frame of `picturePixels` with four 16-bit channels, plus
    /// padding.
    static let allocation = picturePixels * 8 + 1 << 24
    /// The maximum size of a packet, in bytes. An uncompressed RGB frame of 8192×4320 takes 101 MiB.
    package static let packetBytes = 128 << 20
    /// The maximum size of a decoded audio frame, all channels together, in bytes. Most frames have about a thousand
    /// samples per channel.
    static let audioBytes = 32 << 20
    /// The maximum number of streams in a container. A whole broadcast multiplex has about a hundred, as does a film
    /// with many attached fonts.
    package static let streams = 500
    /// The maximum number of chapters to read from a container.
    package static let chapters = 1000
    /// The maximum length of a title or other metadata value, in bytes of UTF-8.
    static let textBytes = 2048
    /// The maximum number of pixels in all subtitle bitmaps shown at once. A 4K canvas has 8.8 million pixels.
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

    /// Makes FFmpeg reject single allocations larger than `allocation`, from now on and in the whole process. May be
    /// called on any thread; repeated calls have no effect.
    package static func limitAllocations() { _ = areAllocationsLimited }

    private static let areAllocationsLimited: Bool = {
        av_max_alloc(allocation)
        return true
    }()

    /// Returns the reason to refuse a stream with these parameters, as text for the user; nil if it may be decoded.
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
    /// The accepted sample rates, in Hz: everything from telephony to high-rate DACs, with a margin below. Resampling
    /// from a much lower rate would take hundreds of times the memory of the source. Resampling from a much higher rate
    /// could reduce a frame to no samples at all.
    static let sampleRates: ClosedRange<CInt> = 1000...768_000
    /// The channel counts that libswresample supports.
    package static let channels: ClosedRange<CInt> = 1...64

    /// Returns the reason why audio of this format cannot be resampled, as text for the user; nil if it can be
    /// resampled.
    package static func refusal(rate: CInt, channels: CInt) -> String? {
        if !sampleRates.contains(rate) { return "unsupported sample rate (\(rate) Hz)" }
        return Self.channels.contains(channels) ? nil : "unsupported number of channels (\(channels))"
    }

    /// Returns the maximum number of samples per channel in one decoded audio frame. With this limit, all channels
    /// together fit in `audioBytes` at 8 bytes per sample.
    static func audioSamples(of parameters: AVCodecParameters) -> Int {
        audioBytes / (8 * max(2, Int(parameters.ch_layout.nb_channels)))
    }
}

// MARK: - Video

extension MemoryBudget {
    /// The usual number of frames in memory if there are no frame threads: the reference frames of a typical decoder,
    /// and the frames waiting to be displayed.
    private static let usualPictures = 9

    /// Returns the number of frame threads for which there is memory, at most `threads`. Each frame thread holds one
    /// more frame. If the result is 1, several threads may still decode slices of the same frame.
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
