public import GlissadeGeometry
public import GlissadeTime

/// A viewer's comment that is shown over the video at a certain time (danmaku).
public struct MovingComment: Hashable, Sendable {
    /// How a comment appears.
    public enum Kind: Hashable, Sendable, CaseIterable {
        /// Crosses the video from right to left.
        case leftward
        /// Crosses the video from left to right.
        case rightward
        /// Rests at the top of the video, centered.
        case top
        /// Rests at the bottom of the video, centered.
        case bottom

        /// Whether the comment crosses the video.
        public var isMoving: Bool { self == .leftward || self == .rightward }
    }

    /// When the comment appears, on the media timeline.
    public var time: MediaTime
    /// How the comment appears.
    public var kind: Kind
    /// The whole text. Line breaks count as spaces.
    public var text: String
    /// The font size as a multiple of the usual font size.
    public var size: Double
    /// The color of the text.
    public var color: Color
    /// Identifies the comment's author within its file; empty if unknown.
    public var user: String

    public init(
        time: MediaTime, kind: Kind = .leftward, text: String, size: Double = 1,
        color: Color = Color(red: 1, green: 1, blue: 1), user: String = ""
    ) {
        self.time = time
        self.kind = kind
        self.text = text
        self.size = size
        self.color = color
        self.user = user
    }

    /// The maximum length of `line`, in Unicode scalars.
    public static let longestLine = 100

    /// The text that is shown over the video. Longer text ends with an ellipsis.
    public var line: String {
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: Self.longestLine, limitedBy: scalars.endIndex),
            end != scalars.endIndex
        else { return text }
        return String(scalars[..<scalars.index(before: end)]) + "…"
    }

    /// The estimated width of `line`, as a multiple of the font size. The estimate does not depend on a font, so
    /// comments have the same lanes on every machine.
    ///
    /// East Asian characters count as slightly more than one font size, and emoji as 1.3 font sizes. Characters
    /// without a width of their own, such as combining marks, count as 0. All other characters count as a typical
    /// fraction of the font size.
    public var estimatedWidth: Double {
        var width = 0.0
        for scalar in line.unicodeScalars { width += Self.estimatedWidth(of: scalar) }
        return width
    }

    private static func estimatedWidth(of scalar: Unicode.Scalar) -> Double {
        switch scalar.value {
        case 0..<0x20, 0x300..<0x370, 0x200B...0x200F, 0xFE00...0xFE0E, 0x1F3FB...0x1F3FF: 0
        // Turns the symbol before it into an emoji.
        case 0xFE0F: 0.5
        case 0x20, 0x21, 0x27, 0x28, 0x29, 0x2C, 0x2E, 0x3A, 0x3B, 0x49, 0x69, 0x6A, 0x6C, 0x7C: 0.36
        case 0x40, 0x4D, 0x57, 0x6D, 0x77: 1
        case 0x41...0x5A: 0.76
        case 0x21...0x2FF: 0.64
        case 0x370..<0x1100: 0.76
        // Two of these form one flag.
        case 0x1F1E6...0x1F1FF: 0.65
        case 0x2000..<0x2E80 where scalar.properties.isEmojiPresentation, 0x1F000..<0x20000: 1.3
        case 0x1100..<0x2000, 0x2E80..<0xFF61, 0x20000...: 1.04
        default: 0.8
        }
    }
}
