import GlissadeControls
import GlissadeGeometry
import GlissadeLayers

/// An item of the library as a list row: a poster or an icon beside the item's name and details. Main thread.
@MainActor final class LibraryRow: InlineVideoRow {
    private let scrim = Layer(content: .color(Theme.posterScrim))
    private let chevron = Layer(content: .icon(.chevronRight, Theme.posterIcon))
    private let line = Layer(content: .color(Theme.separator))
    /// The maximum width of the row's contents, in points. They are centered in a wider row.
    var contentWidth = Theme.readableWidth { didSet { if contentWidth != oldValue { layout(size: size) } } }
    private var size = Size.zero

    init() {
        super.init(
            Metrics(
                cornerRadius: Theme.posterRadius, barInset: 6, barRise: 8, barHeight: 3, badgeSide: 20, badgeInset: 4,
                markWidth: 2, highlightRadius: 10),
            overPoster: [scrim], front: [chevron, line])
        tile.content = .color(Theme.posterBackground)
    }

    override func show(_ content: Content) {
        super.show(content)
        title.content = .text(
            TextContent(
                content.name, style: content.isPlaying ? Theme.playingRowTitle : Theme.rowTitle, truncation: .middle))
        let symbol = content.isPlaying ? Icon.play : content.icon
        let hasPoster = content.poster != nil
        icon.content = .icon(
            symbol, !content.isPlaying ? Theme.posterIcon : hasPoster ? Theme.mark : Theme.accent)
        icon.isHidden = hasPoster && !content.isPlaying
        scrim.isHidden = !hasPoster || !content.isPlaying
        line.isHidden = !content.hasLine
        chevron.isHidden = !content.isFolder
        placePoster()
    }

    /// Returns the frame of the poster in a row of size `size`.
    ///
    /// - Parameter contentWidth: The maximum width of the row's contents, in points.
    static func posterFrame(in size: Size, contentWidth: Double = Theme.readableWidth) -> Rect {
        Rect(
            x: (size.width - min(size.width, contentWidth)) / 2 + Theme.margin,
            y: (size.height - Theme.posterSize.height) / 2, width: Theme.posterSize.width,
            height: Theme.posterSize.height)
    }

    override func layout(size: Size) {
        self.size = size
        let width = min(size.width, contentWidth)
        let left = (size.width - width) / 2 + Theme.margin
        let right = (size.width + width) / 2 - Theme.margin
        highlight.frame = Rect(x: left - 8, y: 2, width: right - left + 16, height: size.height - 4)
        let poster = Self.posterFrame(in: size, contentWidth: contentWidth)
        let side = 28.0
        icon.frame = Rect(
            x: poster.minX + (poster.size.width - side) / 2, y: poster.minY + (poster.size.height - side) / 2,
            width: side, height: side)
        let start = poster.maxX + Theme.margin
        chevron.frame = Rect(x: right - 20, y: (size.height - 20) / 2, width: 20, height: 20)
        let width2 = max(0, right - start - 28)
        title.frame = Rect(x: start, y: size.height / 2 - 23, width: width2, height: 23)
        detail.frame = Rect(x: start, y: size.height / 2 + 2, width: width2, height: 20)
        placePoster()
    }

    /// Lays out the poster, and the separator below it.
    private func placePoster() {
        let poster = Self.posterFrame(in: size, contentWidth: contentWidth)
        layoutPicture(poster, aspect: content?.posterSize ?? .zero)
        line.frame = Rect(
            x: poster.minX, y: size.height - 1, width: max(0, title.frame.maxX + 28 - poster.minX), height: 1)
        scrim.frame = image.frame
        scrim.cornerRadius = image.cornerRadius
    }

    /// Dims or undims the poster, unless it is already dimmed beneath the icon of a playing item.
    override func setDimmed(_ isDimmed: Bool) { super.setDimmed(isDimmed && scrim.isHidden) }
}
