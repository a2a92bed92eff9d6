import CFFmpeg
import Media

/// A source of subtitles, a media stream or a file, with everything needed to render them. A value.
struct SubtitleSource: Sendable {
    /// A font attached to the media.
    struct Font: Sendable {
        var name: String
        var data: [UInt8]
    }

    /// Identifies the source.
    let id: Int
    /// The script header: styles, and the resolution that its coordinates refer to. Nil for pictures.
    var header: String?
    /// Whether the styles are the author's; plain text uses the built-in style.
    var isStyled = false
    var fonts: [Font] = []
    var timeline = SubtitleTimeline()

    /// Whether a codec's lines carry their own styles.
    static func isStyled(_ codec: AVCodecID) -> Bool { codec == AV_CODEC_ID_ASS || codec == AV_CODEC_ID_SSA }

    /// The fonts attached to a container.
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
