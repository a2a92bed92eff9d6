import Media
import Time

/// Subtitle content that is shown for a time. A value; any thread.
struct SubtitleEvent: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case line(SubtitleLine)
        case picture(SubtitlePicture)
    }

    /// Nanoseconds on the media timeline, a half-open range.
    var start: Int64
    var end: Int64
    let content: Content
    /// A hash that identifies the event, since packets repeat after a seek. A picture's end is left out, since it is
    /// only known when the next picture comes.
    let identity: Int

    /// How long to show a line of unknown duration.
    static let presumedLength: Int64 = 5_000_000_000
    /// How long to show a picture if no other one follows.
    static let longestPicture: Int64 = 60_000_000_000

    /// Nil if the times are implausible: a duration that is not positive, or a start out of range.
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

    /// Approximate bytes in memory.
    var byteCount: Int {
        switch content {
        case .line(let line): 160 + line.fields.utf8.count
        case .picture(let picture): 224 + picture.byteCount
        }
    }
}

/// A line of text as an Advanced SubStation Alpha event, the format that FFmpeg converts all text subtitles to.
struct SubtitleLine: Hashable, Sendable {
    /// `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`: an event without its read order.
    let fields: String
    /// Whether its appearance changes while it is shown.
    let isAnimated: Bool

    /// Longer text is truncated: it is unreadable and takes seconds to render. The limit is large because drawings are
    /// long.
    static let longestText = 1 << 16

    /// - Parameter event: an event with its read order in front, as from FFmpeg's decoders. Nil if malformed or empty.
    init?(event: some StringProtocol) {
        guard let comma = event.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let fields = event[event.index(after: comma)...]
        self.init(fields: fields)
    }

    /// Creates a line of plain text.
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

    /// The start of `text`, at most `byteCount` bytes, cut between Unicode scalars.
    private static func cut(_ text: Substring, to byteCount: Int) -> Substring {
        guard text.utf8.count > byteCount else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: byteCount)
        return text[..<text.unicodeScalars.index(before: end)]
    }

    /// The last two fields; the text may contain commas.
    private static func parts(of fields: Substring) -> (effect: Substring, text: Substring)? {
        let parts = fields.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
        return parts.count == 8 ? (parts[6], parts[7]) : nil
    }

    /// The readable text without tags and drawings, lines separated by line feeds. Very long text is truncated.
    var plainText: String {
        Self.parts(of: fields[...]).map { AssMarkup(Self.cut($0.text, to: Self.longestPlainText)).plain } ?? ""
    }

    private static let longestPlainText = 1 << 13
}
