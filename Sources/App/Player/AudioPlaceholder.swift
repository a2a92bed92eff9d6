import GlissadeGeometry
import GlissadeLayers
import GlissadeLibrary
import GlissadePlayback
import GlissadeRendering

/// The icon, title and details that the player's page shows for audio, or for a file that cannot be played.
@MainActor final class AudioPlaceholder {
    let layer = Layer()
    private let tile = Layer(content: .color(Theme.posterBackground))
    private let sign = Layer()
    private let title = Layer()
    private let detail = Layer()
    /// The image in the audio file's folder, if the file has no cover art of its own.
    private let cover = Layer()
    private var image: ImageID?
    /// The art that `show` was last called with, whether or not it could be shown.
    private weak var lastArt: CoverArt?
    private var hadImage = false

    private static let titleHeight = 34.0
    private static let detailHeight = 24.0
    /// The height of a two-line error message, in points.
    private static let reasonHeight = 44.0
    private static let gap = 24.0
    /// The height of the controls at the page's lower edge, in points.
    private static let controlsHeight = 88.0

    init() {
        tile.cornerRadius = Theme.coverRadius
        cover.cornerRadius = Theme.coverRadius
        cover.isHidden = true
        for part in [layer, tile, sign, cover, title, detail] {
            part.isHitTestable = false
            if part !== layer { layer.add(part) }
        }
        layer.isHidden = true
    }

    /// Lays out the placeholder in `bounds` for the state of `player`, unless the page must show the video instead.
    ///
    /// - Returns: What the page must show.
    func layout(_ bounds: Rect, for player: Player, title text: String) -> PlayerPage.Showing {
        let content = Self.content(of: player)
        guard content != .film else { return .film }
        var hasCover = false
        var detailHeight = Self.reasonHeight
        if case .audio(let isCovered, _) = content { (hasCover, detailHeight) = (isCovered, Self.detailHeight) }
        layer.frame = bounds
        let lines = Self.gap + Self.titleHeight + detailHeight
        let limit = hasCover || image != nil ? Theme.coverSide : Theme.coverSignSide
        // The space between the title bar and the controls.
        let (ceiling, floor) = (Theme.barHeight, max(bounds.size.height - Self.controlsHeight, 0))
        let room = min(bounds.size.width - 2 * Theme.margin, floor - ceiling - lines)
        let side = max(0, min(limit, room)).rounded()
        let top = max(((floor + ceiling - side - lines) / 2).rounded(), 0)
        let place = Rect(x: ((bounds.size.width - side) / 2).rounded(), y: top, width: side, height: side)
        tile.isHidden = hasCover
        sign.isHidden = hasCover
        tile.frame = place
        let inset = (side * 0.3).rounded()
        cover.isHidden = hasCover || image == nil
        cover.frame = coverFrame(in: place)
        if !cover.isHidden { (tile.isHidden, sign.isHidden) = (true, true) }
        sign.frame = Rect(
            x: place.minX + inset, y: place.minY + inset, width: side - 2 * inset, height: side - 2 * inset)
        let width = max(0, min(bounds.size.width, Theme.readableWidth) - 2 * Theme.margin)
        let left = ((bounds.size.width - width) / 2).rounded()
        title.frame = Rect(x: left, y: place.maxY + Self.gap, width: width, height: Self.titleHeight)
        detail.frame = Rect(x: left, y: title.frame.maxY, width: width, height: detailHeight)
        title.content = .text(
            TextContent(text, style: Theme.coverTitle, alignment: .center, truncation: .middle))
        sign.content = .icon(Self.icon(of: content), Theme.posterIcon)
        detail.content = .text(
            TextContent(Self.detail(of: content), style: Theme.coverDetail, alignment: .center, lineLimit: 2))
        return hasCover ? .cover(place) : .placeholder
    }

    private var aspect = Size(width: 1, height: 1)

    private func coverFrame(in place: Rect) -> Rect { place.fitting(aspect: aspect) }

    /// Shows the image in the audio file's folder, if `art` has found one; nil shows none. Returns whether the image has
    /// changed.
    func show(_ art: CoverArt?, images: ImageCache) -> Bool {
        let wanted = art?.found?.image
        guard art !== lastArt || (wanted != nil) != hadImage else { return false }
        (lastArt, hadImage) = (art, wanted != nil)
        let previous = image
        if let previous { images.remove(previous) }
        image = nil
        if let wanted {
            let id = images.newID()
            // Without memory for the image, the icon stays.
            if (try? images.set(id, wanted)) != nil {
                image = id
                aspect = Size(width: Double(wanted.size.width), height: Double(wanted.size.height))
                cover.content = .image(id)
            }
        }
        return previous != nil || image != nil
    }

    /// Shows the image again if it is among `missing`, the images that the cache has dropped.
    func restore(_ missing: [ImageID], images: ImageCache) {
        guard let image, missing.contains(image), let picture = lastArt?.found?.image else { return }
        try? images.set(image, picture)
    }

    // MARK: - Contents

    private enum Content: Equatable {
        case film
        /// An audio file. The details are its artist, album and length.
        case audio(isCovered: Bool, details: String)
        case failure(String)
        /// The connection was lost, for the reason in the associated value. The user can try again.
        case loss(String)
    }

    private static func content(of player: Player) -> Content {
        switch player.state {
        case .failed(.connectionLost(let reason)): return .loss(reason)
        case .failed(let error): return .failure("\(error)")
        default: break
        }
        guard let info = player.info, info.audioTrack != nil, !player.hasVideo || info.isStill else { return .film }
        let names = [info.artist, info.album].compactMap { $0 }.joined(separator: " – ")
        let details = [names, info.duration.map(MediaFormatter.length) ?? ""].filter { !$0.isEmpty }
        return .audio(isCovered: player.hasVideo, details: details.joined(separator: " · "))
    }

    private static func icon(of content: Content) -> Icon {
        switch content {
        case .failure, .loss: .broken
        case .film, .audio: .music
        }
    }

    private static func detail(of content: Content) -> String {
        switch content {
        case .film: ""
        case .audio(_, let details): details
        case .failure(let reason): "Cannot play this file: \(reason)"
        case .loss(let reason): "Connection lost: \(reason). Press play to try again."
        }
    }
}
