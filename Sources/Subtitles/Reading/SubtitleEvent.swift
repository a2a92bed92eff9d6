import GlissadeMedia
import GlissadeTime

/// A subtitle, either text or a picture, and when it is shown.
struct SubtitleEvent: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case line(SubtitleLine)
        case picture(SubtitlePicture)
    }

    /// When the event is shown, from `start` until just before `end`, in nanoseconds on the source's timeline.
    var start: Int64
    var end: Int64
    let content: Content
    /// A hash that identifies the event when its packet repeats after a seek. For a picture, the hash does not depend
    /// on `end`, which may change when the next picture arrives.
    let identity: Int

    /// How long to show text of unknown duration, in nanoseconds.
    static let presumedLength: Int64 = 5_000_000_000
    /// How long to show a picture of unknown duration, in nanoseconds. The next picture may end it earlier.
    static let longestPicture: Int64 = 60_000_000_000

    /// Creates an event. Returns nil if the duration is not positive, or if the start is beyond
    /// ±`PacketTimeline.farthest`.
    init?(start: Int64, duration: Int64, content: Content) {
        guard duration > 0, PacketTimeline.sane(start) != nil else { return nil }
        self.start = start
        end = start + min(duration, PacketTimeline.farthest)
        self.content = content
        var hasher = Hasher()
        hasher.combine(start)
        hasher.combine(content)
        if case .line = content { hasher.combine(end) }
        identity = hasher.finalize()
    }

    func hash(into hasher: inout Hasher) { hasher.combine(identity) }

    var isPicture: Bool { if case .picture = content { true } else { false } }

    /// The approximate memory use, in bytes.
    var byteCount: Int {
        switch content {
        case .line(let line): 160 + line.fields.utf8.count
        case .picture(let picture): 224 + picture.byteCount
        }
    }
}

/// The text of a subtitle, as an event of Advanced SubStation Alpha. FFmpeg converts all text subtitles to this format.
struct SubtitleLine: Hashable, Sendable {
    /// The event's fields without its read order: `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`.
    let fields: String
    /// Whether the text's appearance changes while it is shown.
    let isAnimated: Bool

    /// The maximum length of `fields`, in bytes. Longer text is truncated, since it would take seconds to render.
    static let longestText = 1 << 16
    /// The maximum number of lines of a text that is laid out.
    static let mostLines = 1024

    /// Creates a line from an event returned by an FFmpeg decoder. Such an event starts with the read order. Returns
    /// nil if the event is malformed or has no text.
    init?(event: some StringProtocol) {
        guard let comma = event.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let fields = event[event.index(after: comma)...]
        self.init(fields: fields)
    }

    /// Creates a line from plain text. Returns nil if the text is empty.
    init?(text: String) {
        let escaped = text.replacing("\r\n", with: "\\N").replacing("\n", with: "\\N").replacing("{", with: "\\{")
        self.init(fields: "0,Default,,0,0,0,,\(escaped)")
    }

    private init?(fields: some StringProtocol) {
        let kept = Self.cut(Substring(fields), to: Self.longestText)
        guard let parts = Self.parts(of: kept), !parts.text.isEmpty else { return nil }
        isAnimated = !parts.effect.isEmpty || AssMarkup(parts.text).isAnimated
        self.fields = String(kept)
    }

    /// Returns a prefix of `text` that takes at most `byteCount` bytes and does not split a Unicode scalar.
    private static func cut(_ text: Substring, to byteCount: Int) -> Substring {
        guard text.utf8.count > byteCount else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: byteCount)
        return text[..<text.unicodeScalars.index(before: end)]
    }

    /// Returns the last two of the eight fields; nil if there are fewer than eight. Only the last field, the text, may
    /// contain commas.
    private static func parts(of fields: Substring) -> (effect: Substring, text: Substring)? {
        let parts = fields.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
        return parts.count == 8 ? (parts[6], parts[7]) : nil
    }

    /// The text without tags and drawings, with line feeds between its lines. Very long text is truncated.
    var plainText: String {
        Self.parts(of: fields[...]).map { AssMarkup(Self.cut($0.text, to: Self.longestPlainText)).plain } ?? ""
    }

    private static let longestPlainText = 1 << 13
}
