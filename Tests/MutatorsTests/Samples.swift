import GlissadeTestSupport

/// Small media files, as bytes.
enum Samples {
    /// Half a second of video and audio, in the container that `ending` names.
    static func media(_ ending: String, _ options: [String] = []) throws -> [UInt8] {
        let codecs =
            ending == "ogg"
            ? ["-c:a", "libvorbis", "-vn"]
            : ["-c:v", "mpeg4", "-c:a", "aac", "-metadata", "title=A title"]
        return try FFmpeg.bytes(
            ["-f", "lavfi", "-i", "testsrc2=s=64x48:r=10", "-f", "lavfi", "-i", "sine=r=48000", "-t", "0.5"] + codecs
                + options, ending: ending)
    }
}
