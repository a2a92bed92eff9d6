/// Makes text that fonts, terminals, lists or parsers may handle badly.
enum HostileText {
    static func bytes(after old: [UInt8], using random: inout SeededRandom) -> [UInt8] {
        switch random.below(7) {
        case 0: return []
        case 1: return Array(random.pick(names).utf8)
        case 2:
            let piece = Array(
                random.pick(["a", "\u{301}", "\u{1F468}\u{200D}", "\u{202E}", "\n", "{\\p1}", "%s"]).utf8)
            return Array(repeatElement(piece, count: 1 << random.below(13)).joined())
        case 3: return Array("\u{1B}]0;title\u{7}\u{1B}[2J\r\n\u{9B}31m".utf8) + old
        case 4: return old + [0xFF, 0xC0, 0x80, 0xED, 0xA0, 0x80, 0xF8] + old
        default:
            var new = old
            ByteChanges.change(&new, using: &random)
            return new
        }
    }

    /// Names of codecs, document types, languages and tags that demuxers and players act on.
    private static let names = [
        "V_MPEG4/ISO/AVC", "V_MPEGH/ISO/HEVC", "V_VP9", "V_AV1", "V_MS/VFW/FOURCC", "V_UNCOMPRESSED", "V_PRORES",
        "V_MJPEG", "V_THEORA", "V_REAL/RV40", "V_QUICKTIME", "A_AAC", "A_OPUS", "A_VORBIS", "A_FLAC", "A_AC3", "A_DTS",
        "A_PCM/INT/LIT", "A_PCM/FLOAT/IEEE", "A_MS/ACM", "A_TRUEHD", "A_TTA1", "A_WAVPACK4", "A_ALAC", "A_MPEG/L3",
        "S_TEXT/UTF8", "S_TEXT/ASS", "S_TEXT/WEBVTT", "S_HDMV/PGS", "S_DVBSUB", "S_VOBSUB", "S_KATE", "webm",
        "matroska",
        "und", "de-AT", "eng", "application/x-truetype-font", "image/png", "cover.jpg", "../../etc/passwd", "title",
        "DURATION", "00:00:99999999999.0", "alpha_mode", "stereo_mode", "rotate",
    ]
}
