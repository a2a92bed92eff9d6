package import CFFmpeg
import Glibc

/// How much memory one media may take. Every limit is asked before the memory is taken: a file may claim any size.
///
/// What is beyond a limit is refused or left out: a film says so in one line, a poster is missing. FFmpeg is given the limits
/// that it knows (`max_pixels`, `max_samples`, `max_streams`, `av_max_alloc`); the rest is asked where memory is taken for
/// pictures (`FramePool`, `SwscaleConverter`), packets (`MediaInput.read`), text and chapters (`MediaInfo`), subtitles
/// (`SubtitleDecoder`) and sound (`Resampler`).
package struct MemoryBudget: Hashable, Sendable {
    /// The pictures of a film that are decoded or converted, and its packets: 1 GiB, or a quarter of the machine's memory
    /// where that is less.
    var film: Int
    /// Of it, for all pictures of a film that there are at a time; the rest is for packets.
    package var pictures: Int { max(film / 2, film - Self.packets) }
    /// For the index of a container, of all its streams, beside that: 12 hours of 60 pictures a second with two tracks of
    /// sound take half as much. Never less than 40 hours of AAC have, for a machine with little memory.
    var indexEntries: Int { max(6 << 20, film / 2 / MP4Tables.bytesPerEntry) }
    /// The same for a poster or a preview, which takes one picture and what its decoder refers to for it.
    var smallPictures: Int { film / 2 }

    /// Packets: those that wait to be decoded, and those that are kept of other sound tracks and of subtitles.
    package static let packets = waitingPackets + keptAudioPackets + keptSubtitlePackets
    /// Those that wait to be decoded.
    package static let waitingPackets = 64 << 20
    /// Those of the audio tracks that are not heard.
    package static let keptAudioPackets = 32 << 20
    /// Those of the subtitle tracks that are not seen.
    package static let keptSubtitlePackets = 32 << 20

    /// Of one decoded picture: 8192×4320, which codecs take in blocks of up to 64; upright as well.
    static let picturePixels = 8192 * 4352
    /// Of one side of it: what OpenGL's textures have.
    static let pictureSide = 16384
    /// One allocation of FFmpeg's: a picture of that size with 16 bits for each of red, green, blue and alpha, and its
    /// padding.
    static let allocation = picturePixels * 8 + 1 << 24
    /// Of one packet. An uncompressed picture of 8K in RGB takes 101 MiB.
    package static let packetBytes = 128 << 20
    /// Of one decoded piece of sound, in all channels. Most have some thousand samples.
    static let audioBytes = 32 << 20
    /// No more streams are looked at. A broadcast's whole multiplex has some hundred, as has a film with all of its fonts.
    package static let streams = 500
    package static let chapters = 1000
    /// Of a title or any other text about the media, in UTF-8.
    static let textBytes = 2048
    /// Of all pictures of one moment of subtitles; a canvas of 4K has 8.8 million.
    package static let subtitlePixels = 1 << 24
    /// Fonts that come with a media.
    package static let fontBytes = 64 << 20
    package static let fonts = 256

    package init(film: Int) { self.film = film }

    /// Of this machine.
    package static let standard: MemoryBudget = {
        let memory = max(0, sysconf(CInt(_SC_PHYS_PAGES))) * max(0, sysconf(CInt(_SC_PAGESIZE)))
        return MemoryBudget(film: memory > 0 ? min(1 << 30, memory / 4) : 1 << 30)
    }()

    /// Has FFmpeg refuse larger pieces of memory, in the whole process, from now on. Any thread, any number of times.
    package static func limitAllocations() { _ = areAllocationsLimited }

    private static let areAllocationsLimited: Bool = {
        av_max_alloc(allocation)
        return true
    }()

    /// Why a stream is not decoded, by what its header says; nil where nothing speaks against it.
    package static func refusal(of parameters: AVCodecParameters) -> String? {
        switch parameters.codec_type {
        case AVMEDIA_TYPE_VIDEO where !fits(width: parameters.width, height: parameters.height):
            "its pictures of \(parameters.width)×\(parameters.height) are too large (at most 8192×4320 pixels)"
        // What is not known yet is 0.
        case AVMEDIA_TYPE_AUDIO where parameters.sample_rate != 0 || parameters.ch_layout.nb_channels != 0:
            refusal(
                rate: parameters.sample_rate == 0 ? sampleRates.lowerBound : parameters.sample_rate,
                channels: max(1, parameters.ch_layout.nb_channels))
        default: nil
        }
    }

    /// Whether a picture of a size may be decoded; true where the size is not known yet.
    package static func fits(width: CInt, height: CInt) -> Bool {
        max(width, height) <= pictureSide && Int(width) * Int(height) <= picturePixels
    }
}

// MARK: - Sound

extension MemoryBudget {
    /// The sample rates that there are, telephones' and converters' included. From others, converted sound would take
    /// hundreds of times the memory of what it is made from, or none.
    static let sampleRates: ClosedRange<CInt> = 1000...768_000
    /// What libswresample can convert.
    package static let channels: ClosedRange<CInt> = 1...64

    /// Why sound is not converted; nil where it can be.
    package static func refusal(rate: CInt, channels: CInt) -> String? {
        if !sampleRates.contains(rate) { return "its sample rate is \(rate) Hz" }
        return Self.channels.contains(channels) ? nil : "it has \(channels) channels"
    }

    /// How many samples a decoded piece of sound may have in each channel.
    static func audioSamples(of parameters: AVCodecParameters) -> Int {
        audioBytes / (8 * max(2, Int(parameters.ch_layout.nb_channels)))
    }
}

// MARK: - Pictures

extension MemoryBudget {
    /// How many pictures a film's decoder refers to and how many wait to be shown, where nothing is said of them.
    private static let usualPictures = 9

    /// How many of `threads` frame threads, each of which holds one more picture, a film of such pictures may have. Where
    /// that is one alone, several may still work at the same picture.
    package func frameThreads(_ threads: Int, for parameters: AVCodecParameters) -> Int {
        // What is not known may as well be 10 bits.
        let format = parameters.format >= 0 ? AVPixelFormat(parameters.format) : AV_PIX_FMT_YUV420P10LE
        let bytes = Int(av_image_get_buffer_size(format, parameters.width, parameters.height, 64))
        guard bytes > 0 else { return threads }
        return max(1, min(threads, pictures / bytes - Self.usualPictures))
    }

    /// The pixels that a video stream's pictures may have while FFmpeg looks into the media: its decoders hold up to three
    /// pictures of each stream then, of up to eight bytes a pixel.
    func probedPixels(videoStreams: Int) -> Int {
        min(Self.picturePixels, film / (3 * 8 * max(1, videoStreams)))
    }
}
