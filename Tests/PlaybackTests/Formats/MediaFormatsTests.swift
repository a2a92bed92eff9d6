import GlissadeCFFmpeg
import Foundation
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia

/// What is played, and what is not, though FFmpeg knows it.
@MainActor @Suite("Supported formats", .serialized) struct MediaFormatsTests {
    private func failure(_ path: String) -> String? {
        let harness = PlaybackHarness(path)
        harness.runToEnd()
        if case .failed(let error) = harness.player.state { return error.description }
        return nil
    }

    private static let picture = ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.04", "-frames:v", "1"]

    @Test(
        "A file name extension does not make a still image a video",
        arguments: ["exr", "tiff", "dpx", "ppm", "sgi", "pcx"])
    func stills(kind: String) throws {
        let picture = try Clips.file("still.\(kind)", ffmpeg: Self.picture)
        let path = try Clips.file("still-\(kind).mkv", data: Clips.bytes(picture))
        let reason = try #require(failure(path))
        #expect(reason == "unsupported format (\(kind)_pipe)")
        #expect(throws: PlaybackError.self) { try MediaInfo(opening: path) }
    }

    @Test("A list of files is reported as referring to other files, not as unknown")
    func lists() throws {
        let path = try Clips.file("films.ffconcat", data: Data("ffconcat version 1.0\nfile film.ts\n".utf8))
        #expect(failure(path)?.hasPrefix("only refers to other files") == true)
    }

    @Test("An unsupported codec is neither decoded to probe the file nor played")
    func codecs() throws {
        let path = try Clips.file(
            "tiff.mov", ffmpeg: ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=25:d=0.2", "-c:v", "tiff"])
        let info = try MediaInfo(opening: path)
        #expect(info.tracks.first?.codec == "tiff" && info.tracks.first?.sampleFormat == nil)
        #expect(failure(path) == "unsupported codec (tiff)")
        #expect(throws: PlaybackError.self) { _ = try ThumbnailSource(location: path, isInterrupted: { false }) }
    }

    @Test(
        "Still images are shown, and animated ones are played",
        arguments: ["png", "bmp", "webp", "gif", "apng"])
    func pictures(kind: String) throws {
        let path = try Clips.file("shown.\(kind)", ffmpeg: Self.picture)
        #expect(PlaybackHarness(path).nextFrame() != nil)
    }

    @Test(
        "Common video containers and codecs are played",
        arguments: [
            ("mkv", "libx264"), ("mp4", "libx265"), ("mov", "prores"), ("webm", "libvpx-vp9"), ("avi", "mpeg4"),
            ("wmv", "wmv2"), ("flv", "flv"), ("mpg", "mpeg2video"), ("m2ts", "mpeg2video"), ("ogv", "libtheora"),
            ("mxf", "mpeg2video"), ("nut", "ffv1"), ("y4m", "wrapped_avframe"), ("ivf", "libvpx"), ("h264", "libx264"),
            ("hevc", "libx265"), ("m1v", "mpeg1video"), ("m4v", "mpeg4"), ("mjpeg", "mjpeg"),
        ])
    func films(kind: String, codec: String) throws {
        let path = try Clips.file(
            "film-\(codec).\(kind)",
            ffmpeg: ["-f", "lavfi", "-i", "testsrc2=s=176x144:r=25:d=0.4"]
                + (codec == "wrapped_avframe" ? [] : ["-c:v", codec]))
        #expect(PlaybackHarness(path).nextFrame() != nil)
    }

    @Test(
        "Common audio containers and codecs are played",
        arguments: [
            ("mp3", "libmp3lame"), ("flac", "flac"), ("wav", "pcm_s24le"), ("w64", "pcm_s16le"), ("aiff", "pcm_s16be"),
            ("au", "pcm_mulaw"), ("caf", "alac"), ("m4a", "aac"), ("aac", "aac"), ("opus", "libopus"),
            ("ogg", "libvorbis"), ("wma", "wmav2"), ("ac3", "ac3"), ("eac3", "eac3"), ("mp2", "mp2"), ("tta", "tta"),
            ("wv", "wavpack"), ("mka", "pcm_s16le"), ("dts", "dca"), ("thd", "truehd"),
        ])
    func audio(kind: String, codec: String) throws {
        let path = try Clips.file(
            "sound-\(codec).\(kind)",
            ffmpeg: ["-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=0.3"]
                + ["-c:a", codec, "-strict", "-2"])
        let harness = PlaybackHarness(path, audio: .silent)
        #expect(harness.open() != nil && harness.player.hasAudio)
    }

    @Test("The format lists name only formats of this FFmpeg, but for those of other versions and builds")
    func names() {
        // A word that is misspelt would leave out what it is for.
        let containers = (MediaFormats.ofFiles + "," + MediaFormats.ofAddresses).split(separator: ",")
        let unknown = Set(containers.filter { av_find_input_format(String($0)) == nil })
        #expect(unknown.isSubset(of: ["vvc", "dash", "live_flv", "rtp", "rtsp"]))
        let decoders = MediaFormats.decoders.split(separator: ",")
        let missing = Set(decoders.filter { avcodec_find_decoder_by_name(String($0)) == nil && !$0.hasPrefix("lib") })
        #expect(missing.isSubset(of: ["ayuv", "rv60", "vvc", "webp_anim"]))
    }

    @Test("Neither format list contains formats that open other files, programs or devices")
    func neverOpened() {
        for name in [
            "image2", "concat", "lavfi", "sdp", "vobsub", "imf", "libopenmpt", "libgme", "svg_pipe", "x11grab",
        ] {
            #expect(!MediaFormats.contains(name, in: MediaFormats.ofFiles), "\(name)")
            #expect(!MediaFormats.contains(name, in: MediaFormats.ofAddresses), "\(name)")
        }
        for name in ["hls", "dash"] { #expect(!MediaFormats.contains(name, in: MediaFormats.ofFiles), "\(name)") }
        #expect(MediaFormats.contains("mov,mp4,m4a,3gp,3g2,mj2", in: MediaFormats.ofFiles))
    }
}
