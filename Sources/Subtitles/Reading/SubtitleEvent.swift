import Media
import Time

/// Something that subtitles show for a while. A value; any thread.
struct SubtitleEvent: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case line(SubtitleLine)
        case picture(SubtitlePicture)
    }

    /// Nanoseconds on the media's time line; shown from `start` on, and from `end` on no more.
    var start: Int64
    var end: Int64
    let content: Content
    /// Tells an event from all others, as a number: it comes again after a seek. The end of a picture is no part of it, which
    /// is only known when the next one comes.
    let identity: Int

    /// A line whose length nobody says is shown so long.
    static let presumedLength: Int64 = 5_000_000_000
    /// A picture is shown until the next one, but no longer than this.
    static let longestPicture: Int64 = 60_000_000_000

    /// Nil where the times make no sense: a line that ends before it begins, or before the media does by far.
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

    /// What it takes in memory, roughly.
    var byteCount: Int {
        switch content {
        case .line(let line): 160 + line.fields.utf8.count
        case .picture(let picture): 224 + picture.byteCount
        }
    }
}

/// A line of text in the form of Advanced SubStation Alpha's events, which FFmpeg turns every kind of text into.
struct SubtitleLine: Hashable, Sendable {
    /// `Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text`: an event without its number.
    let fields: String
    /// Whether it looks different from one moment to the next while it is shown.
    let isAnimated: Bool

    /// Longer text is cut: nobody reads it, and setting it takes seconds. Drawings are long, though.
    static let longestText = 1 << 16

    /// - Parameter event: with its number in front, as FFmpeg's decoders give it. Nil where it is no such event, or empty.
    init?(event: some StringProtocol) {
        guard let comma = event.utf8.firstIndex(of: UInt8(ascii: ",")) else { return nil }
        let fields = event[event.index(after: comma)...]
        self.init(fields: fields)
    }

    /// Text without any form.
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

    /// The beginning of `text`, of so many bytes at most, up to the end of a sign.
    private static func cut(_ text: Substring, to byteCount: Int) -> Substring {
        guard text.utf8.count > byteCount else { return text }
        let end = text.utf8.index(text.startIndex, offsetBy: byteCount)
        return text[..<text.unicodeScalars.index(before: end)]
    }

    /// The last two fields; the text may hold commas of its own.
    private static func parts(of fields: Substring) -> (effect: Substring, text: Substring)? {
        let parts = fields.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
        return parts.count == 8 ? (parts[6], parts[7]) : nil
    }

    /// What is to be read of it, without tags and drawings; lines are separated by a line feed. Of a very long text, its
    /// beginning.
    var plainText: String {
        Self.parts(of: fields[...]).map { AssMarkup(Self.cut($0.text, to: Self.longestPlainText)).plain } ?? ""
    }

    private static let longestPlainText = 1 << 13
}
