/// Where a cue of WebVTT is placed (section 3.3 of the standard). Percentages are of the video's width or height.
struct CueSettings {
    private enum Anchor { case start, center, end }

    private enum Row {
        case automatic
        /// A line counted from the top, or, if negative, from the bottom.
        case number(Int)
        case percentage(Double, Anchor)
    }

    private var row = Row.automatic
    private var position: Double?
    private var positionAnchor: Anchor?
    private var size = 100.0
    private var alignment = Anchor.center
    private var region: Substring?

    /// How a line of SubStation Alpha says where it is, in the coordinates of the built-in style. A margin of 0 is that
    /// of the style.
    struct Place: Equatable {
        var marginLeft = 0
        var marginRight = 0
        var marginVertical = 0
        var tags = ""
    }

    /// A part of the video in which cues are shown, from the bottom up.
    struct Region {
        var width = 100.0
        var lineCount = 3
        var anchor = (x: 0.0, y: 100.0)
        var viewportAnchor = (x: 0.0, y: 100.0)
    }

    /// Parses a list of settings. Leaves out what is invalid.
    init(_ text: Substring) {
        for word in text.split(whereSeparator: { $0 == " " || $0 == "\t" }) {
            guard let colon = word.firstIndex(of: ":") else { continue }
            let values = word[word.index(after: colon)...].split(separator: ",", omittingEmptySubsequences: false)
            guard let value = values.first else { continue }
            let anchor = values.count > 1 ? Self.anchor(values[1]) : nil
            switch word[..<colon] {
            case "line":
                if let percentage = Self.percentage(value) {
                    row = .percentage(percentage, anchor ?? .start)
                } else if let number = Double(value), (-1000...1000).contains(number) {
                    row = .number(Int((number + 0.5).rounded(.down)))
                }
            case "position":
                if let percentage = Self.percentage(value) { (position, positionAnchor) = (percentage, anchor) }
            case "size": if let percentage = Self.percentage(value), percentage > 0 { size = percentage }
            case "align": alignment = Self.anchor(value) ?? alignment
            case "region": region = value
            default: break
            }
        }
    }

    private static func anchor(_ text: Substring) -> Anchor? {
        switch text {
        case "start", "left", "line-left": .start
        case "center", "middle": .center
        case "end", "right", "line-right": .end
        default: nil
        }
    }

    static func percentage(_ text: some StringProtocol) -> Double? {
        guard text.last == "%", let value = Double(text.dropLast()), (0...100).contains(value) else { return nil }
        return value
    }

    // MARK: - Placing

    /// The resolution of the built-in style's script, in which margins are given.
    private static let resolution = (width: 384.0, height: 288.0)
    /// The height of a line, in percent.
    private static let lineHeight = SubtitleStyle.lineHeight * 100
    /// The style's own margin at the top and bottom, in percent.
    private static let margin = SubtitleStyle.bottomMargin * 100
    /// The least distance from a side, in percent.
    private static let edge = 1.0

    /// Whether a region applies: not to a cue that has a line or a size of its own (section 6.3 of the standard).
    private var isInRegion: Bool { if case .automatic = row { size == 100 } else { false } }

    func place(lineCount: Int, regions: [Substring: Region]) -> Place {
        var place = Place()
        let region = isInRegion ? region.flatMap { regions[$0] } : nil
        // The box in which the text is aligned.
        let offset = position ?? (alignment == .start ? 0 : alignment == .end ? 100 : 50)
        let anchor = positionAnchor ?? alignment
        let widest = anchor == .start ? 100 - offset : anchor == .end ? offset : 2 * min(offset, 100 - offset)
        let width = min(size, widest)
        var left = anchor == .start ? offset : anchor == .end ? offset - width : offset - width / 2
        var right = left + width
        if let region {
            let start = region.viewportAnchor.x - region.anchor.x * region.width / 100
            (left, right) = (start + left * region.width / 100, start + right * region.width / 100)
        }
        if position != nil || size < 100 || region != nil {
            place.marginLeft = Self.margin(left, of: Self.resolution.width)
            place.marginRight = Self.margin(100 - right, of: Self.resolution.width)
        }
        let column = alignment == .start ? 1 : alignment == .center ? 2 : 3

        func atBottom(_ percentage: Double?) {
            if let percentage { place.marginVertical = Self.margin(percentage, of: Self.resolution.height) }
            // The style's own alignment needs no tag.
            if column != 2 { place.tags = "{\\an\(column)}" }
        }
        func atTop(_ percentage: Double?) {
            // Text that would leave the video at the bottom stays in it.
            let bottom = (percentage ?? Self.margin) + Double(lineCount) * Self.lineHeight
            guard bottom <= 100 else { return atBottom(nil) }
            if let percentage { place.marginVertical = Self.margin(percentage, of: Self.resolution.height) }
            place.tags = "{\\an\(column + 6)}"
        }
        if let region {
            let height = Double(region.lineCount) * Self.lineHeight
            atBottom(100 - (region.viewportAnchor.y + (1 - region.anchor.y / 100) * height))
            return place
        }
        switch row {
        case .automatic, .number(-1): atBottom(nil)
        case .number(0): atTop(nil)
        case .number(let number) where number > 0: atTop(Self.margin + Double(number) * Self.lineHeight)
        case .number(let number): atBottom(Self.margin + Double(-1 - number) * Self.lineHeight)
        case .percentage(let percentage, .start): atTop(percentage)
        case .percentage(let percentage, .end): atBottom(100 - percentage)
        case .percentage(let percentage, .center):
            let x = alignment == .start ? left : alignment == .end ? right : (left + right) / 2
            let (horizontal, vertical) = (x / 100 * Self.resolution.width, percentage / 100 * Self.resolution.height)
            place.tags = "{\\an\(column + 3)\\pos(\(Int(horizontal)),\(Int(vertical)))}"
        }
        return place
    }

    /// Returns a percentage of the width as a margin on the left or right.
    static func horizontalMargin(_ percentage: Double) -> Int { margin(percentage, of: resolution.width) }

    /// Returns a percentage of the height as a margin at the top or bottom.
    static func verticalMargin(_ percentage: Double) -> Int { margin(percentage, of: resolution.height) }

    /// Returns percentages of the width and height as a position.
    static func position(x: Double, y: Double) -> (x: Int, y: Int) {
        (Int(min(100, max(0, x)) / 100 * resolution.width), Int(min(100, max(0, y)) / 100 * resolution.height))
    }

    /// Returns a percentage of a length as a margin, which is at least `edge`, since 0 stands for the style's.
    private static func margin(_ percentage: Double, of length: Double) -> Int {
        max(1, Int((min(100, max(edge, percentage)) / 100 * length).rounded()))
    }
}
