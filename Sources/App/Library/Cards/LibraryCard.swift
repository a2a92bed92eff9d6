import Controls
import Geometry
import Layers
import Library
import Picture

/// A library item as a card: a large picture area, which shows the poster or plays the video, above the item's name and
/// details.
///
/// Main thread.
@MainActor class LibraryCard: ListRow {
    /// What a card shows about its item.
    struct Content: Equatable {
        var id: LibraryItem.ID
        var name: String
        var detail: String
        var icon: Icon
        var poster: ImageID?
        /// The poster's size. Only the aspect ratio matters.
        var posterSize: Size
        /// Whether the item is playing and counts as played by the user. If so, its name is highlighted.
        var isPlaying: Bool
        /// The fraction of the file that has been played, 0…1; nil hides the progress bar.
        var played: Double?
    }

    private let highlight = Layer()
    /// The outline of the picture area, visible on the card that will play next.
    private let mark = Layer(content: .color(Theme.accent))
    private let tile = Layer(content: .color(Theme.cardBackground))
    private let image = Layer()
    private let icon = Layer()
    private let box = VideoBox()
    private var isBoxCovered = false
    private let dim = Layer(content: .color(Theme.posterScrim))
    private let badge = Layer(content: .color(Theme.disc))
    private let badgeIcon = Layer(content: .icon(.muted, Theme.mark))
    private let track = Layer(content: .color(Theme.playedTrack))
    private let played = Layer(content: .color(Theme.accent))
    private let title = Layer()
    private let detail = Layer()
    private var content: Content?
    private var size = Size.zero
    /// Whether the card shows its video.
    private(set) var showsFilm = false
    /// Whether any part of the picture area is in view.
    private(set) var isInView = false

    override init() {
        super.init()
        highlight.cornerRadius = Theme.cardRadius + 8
        mark.cornerRadius = Theme.cardRadius + 3
        for part in [tile, box.layer, dim] { part.cornerRadius = Theme.cardRadius }
        for part in [
            highlight, mark, tile, image, icon, box.layer, dim, track, played, badge, badgeIcon, title, detail,
        ] {
            part.isHitTestable = false
            layer.add(part)
        }
        for part in [mark, box.layer, dim, badge, badgeIcon] { part.isHidden = true }
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

    func show(_ content: Content) {
        if let old = self.content?.id, old != content.id { noteVisibility(.didDisappear, of: old) }
        if content.id != self.content?.id {
            hideFilm()
            setMarked(false)
            setDimmed(false)
        }
        self.content = content
        title.content = .text(
            TextContent(
                content.name, style: content.isPlaying ? Theme.playingCardTitle : Theme.cardTitle,
                truncation: .middle))
        detail.content = content.detail.isEmpty ? .none : .text(TextContent(content.detail, style: Theme.rowDetail))
        image.content = content.poster.map { .image($0) } ?? .none
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
        mark.frame = Rect(
            x: picture.minX - 3, y: picture.minY - 3, width: picture.size.width + 6, height: picture.size.height + 6)
        tile.frame = picture
        dim.frame = picture
        let side = min(56, picture.size.height / 2)
        icon.frame = Rect(
            x: picture.minX + (picture.size.width - side) / 2, y: picture.minY + (picture.size.height - side) / 2,
            width: side, height: side)
        icon.isHidden = content?.poster != nil
        let shape = content?.posterSize ?? .zero
        image.frame = shape.isEmpty ? picture : picture.fitting(aspect: shape)
        image.cornerRadius = Self.radius(of: image.frame, in: picture)
        let badgeSide = 32.0
        badge.frame = Rect(
            x: picture.maxX - badgeSide - 12, y: picture.minY + 12, width: badgeSide, height: badgeSide)
        badge.cornerRadius = badgeSide / 2
        badgeIcon.frame = Rect(x: badge.frame.minX + 7, y: badge.frame.minY + 7, width: 18, height: 18)
        let text = picture.maxY + Self.gap
        title.frame = Rect(x: picture.minX + 2, y: text, width: picture.size.width - 4, height: Self.titleHeight)
        detail.frame = Rect(
            x: picture.minX + 2, y: text + Self.titleHeight, width: picture.size.width - 4, height: Self.detailHeight)
        showFraction(content?.played)
    }

    /// Returns the corner radius of a poster or video whose frame is `inner`, in a picture area whose frame is `outer`.
    /// The radius is that of the area, less the width of the gap between the two frames.
    private static func radius(of inner: Rect, in outer: Rect) -> Double {
        let gap = max(outer.size.width - inner.size.width, outer.size.height - inner.size.height) / 2
        return max(0, Theme.cardRadius - max(0, gap))
    }

    /// Shows the played fraction, 0…1, in a bar along the lower edge of the picture area. Nil hides the bar.
    private func showFraction(_ fraction: Double?) {
        track.isHidden = fraction == nil
        played.isHidden = fraction == nil
        guard let fraction else { return }
        let bar = Rect(
            x: tile.frame.minX + Theme.cardRadius, y: tile.frame.maxY - 12,
            width: max(0, tile.frame.size.width - 2 * Theme.cardRadius), height: 4)
        if track.frame != bar { track.frame = bar }
        played.frame = Rect(x: bar.minX, y: bar.minY, width: max(4, bar.size.width * min(fraction, 1)), height: 4)
        track.cornerRadius = 2
        played.cornerRadius = 2
    }

    override func setState(_ state: State) {
        highlight.content =
            state.contains(.selected)
            ? .color(Theme.selection)
            : state.contains(.pressed) ? .color(Theme.press) : state.contains(.hovered) ? .color(Theme.hover) : .none
    }

    /// Shows or hides the outline, which marks the card that will play when the list stops scrolling.
    func setMarked(_ isMarked: Bool) { mark.isHidden = !isMarked }

    /// Dims or undims the card. A card is dimmed while its video is fullscreen or in a floating window.
    func setDimmed(_ isDimmed: Bool) { dim.isHidden = !isDimmed }

    // MARK: - Visibility

    /// Notes a change in the visibility of an item's picture area. Does nothing if the card now shows another item.
    /// Also does nothing if the card is out of view, unless the change is `willAppear`.
    final func noteVisibility(_ change: RowVisibility<LibraryItem.ID>.Change, of id: LibraryItem.ID) {
        guard id == content?.id, isInView || change == .willAppear else { return }
        isInView = change != .didDisappear
        visibilityChanged(change)
    }

    /// Handles a change in the visibility of the picture area. A card that is reused while in view first gets
    /// `didDisappear` for its previous item.
    func visibilityChanged(_ change: RowVisibility<LibraryItem.ID>.Change) {
        // Cards out of view show no video.
        guard change == .didDisappear else { return }
        setMarked(false)
        hideFilm()
    }

    // MARK: - The video

    /// Lays out a video with the aspect ratio of `aspect` in the picture area. Returns the video's size in device
    /// pixels.
    func placeFilm(aspect: Size, scale: Double) -> PixelSize {
        box.layout(
            tile.frame, aspect: aspect,
            cornerRadius: Self.radius(of: tile.frame.fitting(aspect: aspect), in: tile.frame), scale: scale)
        // A video that covers the box needs no black behind it. The black would be drawn in every frame, but be visible
        // only at the rounded corners.
        let (film, room) = (box.pictureFrame, tile.frame.size)
        let isCovered = film.minX <= 0 && film.minY <= 0 && film.maxX >= room.width && film.maxY >= room.height
        if isCovered != isBoxCovered {
            isBoxCovered = isCovered
            box.layer.content = isCovered ? .none : .color(.black)
        }
        return box.pixelSize
    }

    /// Shows the video instead of the poster; `.none` shows the poster.
    ///
    /// - Parameters:
    ///   - fraction: The playback position as a fraction of the video's length; nil if the length is unknown, which
    ///     hides the progress bar.
    ///   - isSilenced: Whether the audio is off until the user opens the video. A badge indicates this.
    func showFilm(_ film: Layer.Content, fraction: Double?, isSilenced: Bool) {
        showsFilm = film != .none
        // The box covers the poster, which need not be drawn.
        image.isHidden = showsFilm
        tile.isHidden = showsFilm
        box.layer.isHidden = !showsFilm
        box.show(film)
        badge.isHidden = !showsFilm || !isSilenced
        badgeIcon.isHidden = badge.isHidden
        if showsFilm { showFraction(fraction) }
    }

    /// Shows the poster instead of the video.
    func hideFilm() {
        guard showsFilm else { return }
        showFilm(.none, fraction: nil, isSilenced: false)
        showFraction(content?.played)
    }
}
