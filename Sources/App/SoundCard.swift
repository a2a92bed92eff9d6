import Library
import Motion
import Playback
import Stage

/// What the player's page shows of a media that is heard: a place for its cover, or a sign where it has none, and its title.
@MainActor final class SoundCard {
    let layer = Layer()
    private let tile = Layer(content: .color(Theme.posterBackground))
    private let sign = Layer(content: .icon(.music, Theme.posterIcon))
    private let title = Layer()
    private let detail = Layer()

    private static let titleHeight = 34.0
    private static let detailHeight = 24.0
    private static let gap = 24.0

    init() {
        tile.cornerRadius = Theme.coverRadius
        for part in [layer, tile, sign, title, detail] {
            part.isHitTestable = false
            if part !== layer { layer.add(part) }
        }
        layer.isHidden = true
    }

    /// Lays the card out over `bounds`, where `player` plays sound without moving pictures.
    ///
    /// - Returns: where the cover belongs; nil where a film plays, or nothing is known yet.
    func layout(_ bounds: Rect, for player: Player, title text: String) -> Rect? {
        guard let info = player.info, info.audioTrack != nil, !player.hasVideo || info.isStill else {
            layer.isHidden = true
            return nil
        }
        let hasCover = player.hasVideo
        layer.isHidden = false
        layer.frame = bounds
        let lines = Self.gap + Self.titleHeight + Self.detailHeight
        let limit = hasCover ? Theme.coverSide : Theme.coverSignSide
        let room = min(bounds.size.width - 2 * Theme.margin, bounds.size.height - 2 * Theme.barHeight - lines)
        let side = max(0, min(limit, room)).rounded()
        let top = ((bounds.size.height - side - lines) / 2).rounded()
        let place = Rect(x: ((bounds.size.width - side) / 2).rounded(), y: top, width: side, height: side)
        tile.isHidden = hasCover
        sign.isHidden = hasCover
        tile.frame = place
        let inset = (side * 0.3).rounded()
        sign.frame = Rect(
            x: place.minX + inset, y: place.minY + inset, width: side - 2 * inset, height: side - 2 * inset)
        let width = max(0, min(bounds.size.width, Theme.readableWidth) - 2 * Theme.margin)
        let left = ((bounds.size.width - width) / 2).rounded()
        title.frame = Rect(x: left, y: place.maxY + Self.gap, width: width, height: Self.titleHeight)
        detail.frame = Rect(x: left, y: title.frame.maxY, width: width, height: Self.detailHeight)
        title.content = .text(
            TextContent(text, style: Theme.coverTitle, alignment: .center, truncation: .middle))
        detail.content =
            info.duration.map {
                .text(TextContent(MediaText.length($0), style: Theme.coverDetail, alignment: .center))
            } ?? .none
        return place
    }
}
