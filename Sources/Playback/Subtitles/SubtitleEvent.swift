import Motion

/// Something that subtitles show for a while. A value; any thread.
struct SubtitleEvent: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case line(SubtitleLine)
        case picture(SubtitlePicture)
    }

    /// Nanoseconds on the media's time line; shown from `start` on, and from `end` on no more.
    var start: Int64
    var end: Int64
    var content: Content

    /// 70 years, in nanoseconds: sums of times within it cannot overflow.
    static let farthestTime: Int64 = 1 << 61
    /// A line whose length nobody says is shown so long.
    static let presumedLength: Int64 = 5_000_000_000
    /// A picture is shown until the next one, but no longer than this.
    static let longestPicture: Int64 = 60_000_000_000

    /// Nil where the times make no sense: a line that ends before it begins, or before the media does by far.
    init?(start: Int64, duration: Int64, content: Content) {
        guard duration > 0, (-Self.farthestTime...Self.farthestTime).contains(start) else { return nil }
        self.start = start
        end = start + min(duration, Self.farthestTime)
        self.content = content
    }

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
        var kept = Substring(fields)
        if kept.utf8.count > Self.longestText {
            let end = kept.utf8.index(kept.startIndex, offsetBy: Self.longestText)
            kept = kept[..<kept.unicodeScalars.index(before: end)]
        }
        guard let parts = Self.parts(of: kept), !parts.text.isEmpty else { return nil }
        isAnimated = !parts.effect.isEmpty || AssText(parts.text).isAnimated
        self.fields = String(kept)
    }

    /// The last two fields; the text may hold commas of its own.
    private static func parts(of fields: Substring) -> (effect: Substring, text: Substring)? {
        let parts = fields.split(separator: ",", maxSplits: 7, omittingEmptySubsequences: false)
        return parts.count == 8 ? (parts[6], parts[7]) : nil
    }

    /// What is to be read of it, without tags and drawings; lines are separated by a line feed.
    var plainText: String { Self.parts(of: fields[...]).map { AssText($0.text).plain } ?? "" }
}

/// A picture in up to 256 colours on a canvas of the film's proportions.
struct SubtitlePicture: Hashable, Sendable {
    /// One rectangle of it.
    struct Part: Hashable, Sendable {
        var x: Int
        var y: Int
        var size: PixelSize
        /// An index into `colors` each, rows from the top.
        var indices: [UInt8]
        /// Premultiplied blue, green, red, alpha, as little-endian numbers; 256 of them.
        var colors: [UInt32]
    }

    var canvas: PixelSize
    var parts: [Part]

    var byteCount: Int { parts.reduce(0) { $0 + $1.indices.count + $1.colors.count * 4 } }
}
