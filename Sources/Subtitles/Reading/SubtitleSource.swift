import GlissadeCFFmpeg
import GlissadeMedia

/// The subtitles of a stream or file, and everything needed to render them.
struct SubtitleSource: Sendable {
    /// A font attached to the media file.
    struct Font: Sendable {
        var name: String
        var data: [UInt8]
    }

    /// The subtitle tracks of a file.
    struct Tracks: Sendable {
        var all: [MediaInfo.Track] = []
        /// The `index` of the one that has been read.
        var selected: Int?
    }

    /// A number that distinguishes the sources of a `SubtitlePipeline`.
    let id: Int
    /// The script header, which contains the styles and the resolution for the script's coordinates. Nil for picture
    /// subtitles.
    var header: String?
    /// Whether the lines have their own styles. Otherwise, `SubtitleStyle` is used.
    var isStyled = false
    var fonts: [Font] = []
    /// The tracks of a file, if it may have several.
    var tracks = Tracks()
    var timeline = SubtitleTimeline()

    /// Returns a copy with another `id`.
    func numbered(_ id: Int) -> SubtitleSource {
        SubtitleSource(id: id, header: header, isStyled: isStyled, fonts: fonts, tracks: tracks, timeline: timeline)
    }

    /// Whether the codec is SubStation Alpha, whose lines have their own styles.
    static func isStyled(_ codec: AVCodecID) -> Bool { codec == AV_CODEC_ID_ASS || codec == AV_CODEC_ID_SSA }

    /// Returns the fonts attached to a container, within the limits of `MemoryBudget`.
    static func fonts(in format: UnsafePointer<AVFormatContext>) -> [Font] {
        var fonts: [Font] = []
        var byteCount = 0
        for index in 0..<Int(format.pointee.nb_streams) {
            guard let stream = format.pointee.streams[index], let parameters = stream.pointee.codecpar,
                parameters.pointee.codec_type == AVMEDIA_TYPE_ATTACHMENT, isFont(stream),
                let data = parameters.pointee.extradata
            else { continue }
            let size = Int(parameters.pointee.extradata_size)
            guard size > 0, byteCount + size <= MemoryBudget.fontBytes, fonts.count < MemoryBudget.fonts else {
                continue
            }
            byteCount += size
            let name = text("filename", of: stream) ?? "font-\(index)"
            fonts.append(Font(name: name, data: Array(UnsafeBufferPointer(start: data, count: size))))
        }
        return fonts
    }

    private static func isFont(_ stream: UnsafePointer<AVStream>) -> Bool {
        let id = stream.pointee.codecpar.pointee.codec_id
        if id == AV_CODEC_ID_TTF || id == AV_CODEC_ID_OTF { return true }
        if text("mimetype", of: stream)?.lowercased().contains("font") == true { return true }
        let name = text("filename", of: stream)?.lowercased() ?? ""
        return [".ttf", ".otf", ".ttc"].contains { name.hasSuffix($0) }
    }

    private static func text(_ key: String, of stream: UnsafePointer<AVStream>) -> String? {
        metadata(key, in: stream.pointee.metadata)
    }
}
