import GlissadeControls
import GlissadeGeometry
import GlissadeLayers

/// A library item as a card: a large picture area above the item's name and details. Main thread.
@MainActor class LibraryCard: InlineVideoRow {
    private var size = Size.zero

    init() {
        super.init(
            Metrics(
                cornerRadius: Theme.cardRadius, barInset: Theme.cardRadius, barRise: 12, barHeight: 4, badgeSide: 32,
                badgeInset: 12, markWidth: 3, highlightRadius: Theme.cardRadius + 8))
    }

    // MARK: - Measures

    private static let top = 12.0
    private static let gap = 12.0
    private static let titleHeight = 24.0
    private static let detailHeight = 20.0
    private static let bottom = 14.0
    private static let chrome = top + gap + titleHeight + detailHeight + bottom
    /// The maximum height of the picture area as a fraction of the list's visible height.
    private static let tallest = 0.84

    /// Returns the height of a card in a list that is `width` points wide and has a visible height of `viewport`
    /// points.
    static func rowHeight(width: Double, viewport: Double) -> Double {
        let widest = min(Theme.cardWidth, width - 2 * Theme.margin, max(0, viewport) * tallest * 16 / 9)
        return (max(Theme.narrowestCard, widest) * 9 / 16).rounded() + chrome
    }

    /// Returns the frame of the picture area in a card of `size`: 16:9, on whole points.
    static func pictureFrame(in size: Size) -> Rect {
        let height = max(0, size.height - chrome)
        let width = (height * 16 / 9).rounded()
        return Rect(x: ((size.width - width) / 2).rounded(), y: top, width: width, height: height)
    }

    // MARK: - Contents

    override func show(_ content: Content) {
        super.show(content)
        title.content = .text(
            TextContent(
                content.name, style: content.isPlaying ? Theme.playingCardTitle : Theme.cardTitle,
                truncation: .middle))
        icon.content = .icon(content.icon, Theme.posterIcon)
        // Black, as behind the video, so that the areas beside the poster do not change when playback starts.
        tile.content = .color(content.poster == nil ? Theme.cardBackground : .black)
        place()
    }

    override func layout(size: Size) {
        self.size = size
        place()
    }

    private func place() {
        let picture = Self.pictureFrame(in: size)
        highlight.frame = Rect(
            x: picture.minX - 10, y: 2, width: picture.size.width + 20, height: max(0, size.height - 4))
        let side = min(56, picture.size.height / 2)
        icon.frame = Rect(
            x: picture.minX + (picture.size.width - side) / 2, y: picture.minY + (picture.size.height - side) / 2,
            width: side, height: side)
        icon.isHidden = content?.poster != nil
        let text = picture.maxY + Self.gap
        title.frame = Rect(x: picture.minX + 2, y: text, width: picture.size.width - 4, height: Self.titleHeight)
        detail.frame = Rect(
            x: picture.minX + 2, y: text + Self.titleHeight, width: picture.size.width - 4, height: Self.detailHeight)
        layoutPicture(picture, aspect: content?.posterSize ?? .zero)
    }
}
