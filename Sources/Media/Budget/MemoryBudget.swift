package import CFFmpeg
import Glibc

/// Memory limits for one media file. Each limit is checked before memory is allocated, since a file may claim any size.
///
/// Content beyond a limit is rejected or left out: for a film this is reported in one line, a poster is simply missing.
/// FFmpeg enforces the limits that it has options for (`max_pixels`, `max_samples`, `max_streams`, `av_max_alloc`). The
/// others are checked where memory is allocated: for frames (`FramePool`, `SwscaleConverter`), packets
/// (`MediaInput.read`), metadata and chapters (`MediaInfo`), subtitles (`SubtitleDecoder`) and audio (`Resampler`).
package struct MemoryBudget: Hashable, Sendable {
    /// Bytes for a film's decoded and converted frames and its packets: 1 GiB, or a quarter of physical memory if that
    /// is less.
    var film: Int
    /// The share of `film` for all frames alive at one time; the rest is for packets.
    package var pictures: Int { max(film / 2, film - Self.packets) }
    /// Index entries of all of a container's streams, in addition to `film`. 12 hours at 60 frames per second with two
    /// audio tracks need half as many. The minimum, for machines with little memory, is enough for 40 hours of AAC.
    var indexEntries: Int { max(6 << 20, film / 2 / MP4Tables.bytesPerEntry) }
    /// The share for a poster or preview, which needs one frame and its reference frames.
    var smallPictures: Int { film / 2 }

    /// Packets waiting to be decoded, and packets cached for other audio and subtitle tracks.
    package static let packets = waitingPackets + keptAudioPackets + keptSubtitlePackets
    /// Packets waiting to be decoded.
    package static let waitingPackets = 64 << 20
    /// Packets of audio tracks that are not selected.
    package static let keptAudioPackets = 32 << 20
    /// Packets of subtitle tracks that are not selected.
    package static let keptSubtitlePackets = 32 << 20

    /// Pixels of one decoded frame: 8192×4320 padded to blocks of 64, in either orientation.
    static let picturePixels = 8192 * 4352
    /// The longest side of a frame: OpenGL's usual maximum texture size.
    static let pictureSide = 16384
    /// The largest single FFmpeg allocation: a frame of `picturePixels` with four 16-bit channels, plus padding.
    static let allocation = picturePixels * 8 + 1 << 24
    /// The largest packet. One uncompressed 8K RGB frame takes 101 MiB.
    package static let packetBytes = 128 << 20
    /// One decoded audio frame, all channels together. Most have about a thousand samples per channel.
    static let audioBytes = 32 << 20
    /// The most streams to read. A whole broadcast multiplex has about a hundred, as does a film with all its fonts.
    package static let streams = 500
    package static let chapters = 1000
    /// A title or other metadata text, in UTF-8.
    static let textBytes = 2048
    /// All subtitle bitmaps shown at one time. A 4K canvas has 8.8 million pixels.
    package static let subtitlePixels = 1 << 24
    /// Fonts attached to a container.
    package static let fontBytes = 64 << 20
    package static let fonts = 256

    package init(film: Int) { self.film = film }

    /// The budget for this machine.
    package static let standard: MemoryBudget = {
        let memory = max(0, sysconf(CInt(_SC_PHYS_PAGES))) * max(0, sysconf(CInt(_SC_PAGESIZE)))
        return MemoryBudget(film: memory > 0 ? min(1 << 30, memory / 4) : 1 << 30)
    }()

    /// Makes FFmpeg reject larger allocations in the whole process from now on. Any thread, any number of times.
    package static func limitAllocations() { _ = areAllocationsLimited }

    private static let areAllocationsLimited: Bool = {
        av_max_alloc(allocation)
        return true
    }()

    /// The reason why a stream cannot be decoded, judged by its header; nil if there is none.
    package static func refusal(of parameters: AVCodecParameters) -> String? {
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO where !fits(width: parameters.width, height: parameters.height):
            "video of \(parameters.width)×\(parameters.height) is too large (at most 8192×4320)"
        // Unknown values are 0.
        case AVMEDIA_TYPE_AUDIO where parameters.sample_rate != 0 || parameters.ch_layout.nb_channels != 0:
            refusal(
                rate: parameters.sample_rate == 0 ? sampleRates.lowerBound : parameters.sample_rate,
                channels: max(1, parameters.ch_layout.nb_channels))
        default: nil
        }
    }

    /// Whether a frame of this size may be decoded; true if the size is not known yet.
    package static func fits(width: CInt, height: CInt) -> Bool {
        max(width, height) <= pictureSide && Int(width) * Int(height) <= picturePixels
    }
}

// MARK: - Audio

extension MemoryBudget {
    /// The plausible sample rates, including telephony and high-rate converters. At other rates, resampled audio would
    /// take hundreds of times the memory of its source, or none.
    static let sampleRates: ClosedRange<CInt> = 1000...768_000
    /// The channel counts that libswresample supports.
    package static let channels: ClosedRange<CInt> = 1...64

    /// The reason why audio cannot be resampled; nil if it can.
    package static func refusal(rate: CInt, channels: CInt) -> String? {
        if !sampleRates.contains(rate) { return "unsupported sample rate (\(rate) Hz)" }
        return Self.channels.contains(channels) ? nil : "unsupported number of channels (\(channels))"
    }

    /// The most samples per channel in one decoded audio frame.
    static func audioSamples(of parameters: AVCodecParameters) -> Int {
        audioBytes / (8 * max(2, Int(parameters.ch_layout.nb_channels)))
    }
}

// MARK: - Video

extension MemoryBudget {
    /// The number of frames that a typical film's decoder references and that wait for display.
    private static let usualPictures = 9

    /// The number of frame threads a film may use, at most `threads`, given that each holds one more frame. If the
    /// result is 1, slice threads may still share a frame.
    package func frameThreads(_ threads: Int, for parameters: AVCodecParameters) -> Int {
        // An unknown format is assumed to be 10-bit.
        let format = parameters.format >= 0 ? AVPixelFormat(parameters.format) : AV_PIX_FMT_YUV420P10LE
        let bytes = Int(av_image_get_buffer_size(format, parameters.width, parameters.height, 64))
        guard bytes > 0 else { return threads }
        return max(1, min(threads, pictures / bytes - Self.usualPictures))
    }

    /// The largest frame, in pixels, for each of `videoStreams` streams while FFmpeg probes them. Its decoders then
    /// hold up to three frames per stream, at up to eight bytes per pixel.
    func probedPixels(videoStreams: Int) -> Int {
        min(Self.picturePixels, film / (3 * 8 * max(1, videoStreams)))
    }
}
