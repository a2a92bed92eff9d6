import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadePicture

/// A row of the library with a picture area, which shows an item's poster or plays the item's video.
///
/// Main thread.
@MainActor class InlineVideoRow: ListRow {
    /// The sizes of the parts of a picture area, in points.
    struct Metrics {
        /// The corner radius of the picture area.
        var cornerRadius: Double
        /// The distance of the progress bar from the sides of the picture area.
        var barInset: Double
        /// The distance of the progress bar's top from the lower edge of the picture area.
        var barRise: Double
        var barHeight: Double
        /// The side of the badge of a video without audio.
        var badgeSide: Double
        /// The distance of the badge from the edges of the picture area.
        var badgeInset: Double
        /// The width of the outline of the row that will play next.
        var markWidth: Double
        /// The corner radius of the highlight behind the row.
        var highlightRadius: Double
    }

    /// What a row shows about its item.
    struct Content: Equatable {
        /// The item whose video the row can play in place; nil if it cannot.
        var id: LibraryItem.ID?
        var name: String
        var detail: String
        var icon: Icon
        var poster: ImageID?
        /// The poster's size. Only the aspect ratio matters.
        var posterSize: Size
        /// Whether the row has a chevron. Cards have none.
        var isFolder = false
        /// Whether the item is playing and counts as played by the user. If so, its name is highlighted.
        var isPlaying: Bool
        /// The fraction of the file that has been played, 0…1; nil hides the progress bar.
        var played: Double?
        /// Whether a line separates the row from the row below it. Cards have none.
        var hasLine = false
    }

    private let metrics: Metrics
    let highlight = Layer()
    /// The outline of the picture area, visible on the row that will play next.
    private let mark = Layer(content: .color(Theme.accent))
    /// The background of the picture area.
    let tile = Layer()
    let image = Layer()
    let icon = Layer()
    private let box = VideoBox()
    private var isBoxCovered = false
    private let dim = Layer(content: .color(Theme.posterScrim))
    private let badge = Layer(content: .color(Theme.disc))
    private let badgeIcon = Layer(content: .icon(.muted, Theme.mark))
    private let track = Layer(content: .color(Theme.playedTrack))
    private let played = Layer(content: .color(Theme.accent))
    let title = Layer()
    let detail = Layer()
    /// What the row shows; nil before the first item.
    private(set) var content: Content?
    /// Whether the row shows its video.
    private(set) var showsFilm = false
    /// Whether any part of the picture area is in view.
    private(set) var isInView = false

    /// - Parameters:
    ///   - overPoster: The layers between the poster and the icon, from back to front.
    ///   - front: The layers above everything else.
    init(_ metrics: Metrics, overPoster: [Layer] = [], front: [Layer] = []) {
        self.metrics = metrics
        super.init()
        highlight.cornerRadius = metrics.highlightRadius
        mark.cornerRadius = metrics.cornerRadius + metrics.markWidth
        for part in [tile, box.layer, dim] { part.cornerRadius = metrics.cornerRadius }
        let poster = [highlight, mark, tile, image] + overPoster + [icon]
        for part in poster + [box.layer, dim, track, played, badge, badgeIcon, title, detail] + front {
            part.isHitTestable = false
            layer.add(part)
        }
        for part in [mark, box.layer, dim, badge, badgeIcon] { part.isHidden = true }
    }

    override func setState(_ state: State) {
        highlight.content =
            state.contains(.selected)
            ? .color(Theme.selection)
            : state.contains(.pressed) ? .color(Theme.press) : state.contains(.hovered) ? .color(Theme.hover) : .none
    }

    // MARK: - The poster

    /// Shows an item. If the row showed another item, hides that item's video and marks. Subclasses show the name and
    /// the icon.
    func show(_ content: Content) {
        let old = self.content?.id
        if let old, old != content.id { noteVisibility(.didDisappear, of: old) }
        if content.id != old {
            hideFilm()
            setMarked(false)
            setDimmed(false)
        }
        self.content = content
        image.content = content.poster.map { .image($0) } ?? .none
        detail.content = content.detail.isEmpty ? .none : .text(TextContent(content.detail, style: Theme.rowDetail))
    }

    /// Lays out the picture area.
    ///
    /// - Parameters:
    ///   - picture: The frame of the picture area.
    ///   - aspect: The size of the poster, of which only the aspect ratio matters; empty if there is no poster.
    func layoutPicture(_ picture: Rect, aspect: Size) {
        let width = metrics.markWidth
        mark.frame = Rect(
            x: picture.minX - width, y: picture.minY - width, width: picture.size.width + 2 * width,
            height: picture.size.height + 2 * width)
        tile.frame = picture
        dim.frame = picture
        image.frame = aspect.isEmpty ? picture : picture.fitting(aspect: aspect)
        image.cornerRadius = radius(of: image.frame)
        let side = metrics.badgeSide
        badge.frame = Rect(
            x: picture.maxX - side - metrics.badgeInset, y: picture.minY + metrics.badgeInset, width: side,
            height: side)
        badge.cornerRadius = side / 2
        let gap = (side * 7 / 32).rounded()
        badgeIcon.frame = Rect(
            x: badge.frame.minX + gap, y: badge.frame.minY + gap, width: side - 2 * gap, height: side - 2 * gap)
        if !showsFilm { showFraction(content?.played) }
    }

    /// Returns the corner radius of a poster or video whose frame is `inner`: that of the picture area, less the width
    /// of the gap between the two frames.
    private func radius(of inner: Rect) -> Double {
        let outer = tile.frame
        let gap = max(outer.size.width - inner.size.width, outer.size.height - inner.size.height) / 2
        return max(0, metrics.cornerRadius - max(0, gap))
    }

    /// Shows the played fraction, 0…1, in a bar along the lower edge of the picture area. Nil hides the bar.
    private func showFraction(_ fraction: Double?) {
        track.isHidden = fraction == nil
        played.isHidden = fraction == nil
        guard let fraction else { return }
        let height = metrics.barHeight
        let bar = Rect(
            x: tile.frame.minX + metrics.barInset, y: tile.frame.maxY - metrics.barRise,
            width: max(0, tile.frame.size.width - 2 * metrics.barInset), height: height)
        if track.frame != bar { track.frame = bar }
        played.frame = Rect(
            x: bar.minX, y: bar.minY, width: max(height, bar.size.width * min(fraction, 1)), height: height)
        track.cornerRadius = height / 2
        played.cornerRadius = height / 2
    }

    /// Shows or hides the outline, which marks the row that will play when the list stops scrolling.
    func setMarked(_ isMarked: Bool) { mark.isHidden = !isMarked }

    /// Dims or undims the picture area. It is dimmed while its video is fullscreen or in a floating window.
    func setDimmed(_ isDimmed: Bool) { dim.isHidden = !isDimmed }

    // MARK: - Visibility

    /// Notes a change in the visibility of an item's picture area. Does nothing if the row now shows another item.
    /// Also does nothing if the row is out of view, unless the change is `willAppear`.
    final func noteVisibility(_ change: RowVisibility<LibraryItem.ID>.Change, of id: LibraryItem.ID) {
        guard id == content?.id, isInView || change == .willAppear else { return }
        isInView = change != .didDisappear
        visibilityChanged(change)
    }

    /// Handles a change in the visibility of the picture area. A row that is reused while in view first gets
    /// `didDisappear` for its previous item.
    func visibilityChanged(_ change: RowVisibility<LibraryItem.ID>.Change) {
        // Rows out of view show no video.
        guard change == .didDisappear else { return }
        setMarked(false)
        hideFilm()
    }

    // MARK: - The video

    /// Lays out a video with the aspect ratio of `aspect` in the picture area. Returns the video's size in device
    /// pixels.
    func placeFilm(aspect: Size, scale: Double) -> PixelSize {
        box.layout(
            tile.frame, aspect: aspect, cornerRadius: radius(of: tile.frame.fitting(aspect: aspect)), scale: scale)
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
