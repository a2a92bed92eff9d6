import GlissadeAnimation
import GlissadeControls
import GlissadeGeometry
import GlissadeLayers
import GlissadeTime

/// The popover above the progress bar: the time, chapter and thumbnail for the pointer's position.
@MainActor final class SeekPreviewView {
    let layer = Layer(content: .color(Theme.popover))
    private let picture = Layer()
    private let time = Label(style: Theme.previewTime, alignment: .center)
    private let chapter = Label(style: Theme.previewChapter, alignment: .center)
    private var pictureSize = Size.zero
    private static let fade = Duration.milliseconds(100)

    init() {
        layer.cornerRadius = 8
        layer.shadow = Theme.popoverShadow
        layer.isHitTestable = false
        layer.isHidden = true
        picture.cornerRadius = 5
        for part in [picture, time.layer, chapter.layer] {
            part.isHitTestable = false
            layer.add(part)
        }
    }

    var isShown: Bool { !layer.isHidden && layer.opacity > 0 }

    struct Content {
        var time: String
        var chapter: String?
        /// The thumbnail and its size in points. If it is nil and the file has video, the previous thumbnail stays
        /// visible. Before the first thumbnail, a plain rectangle is shown.
        var image: (id: ImageID, size: Size)?
        /// Whether the file has video. Without video, the preview has no thumbnail.
        var hasPictures: Bool
    }

    /// The height of a thumbnail below which it is not made smaller, in points.
    private static let smallest = 45.0

    /// Shows the preview above a point on the progress bar.
    ///
    /// - Parameters:
    ///   - center: The point on the bar's upper edge, in the parent layer's coordinates. The preview is centered above
    ///     it.
    ///   - bounds: The area, in the same coordinates, to keep inside: the thumbnail is smaller where it would be too high.
    func show(_ content: Content, at center: Point, in bounds: Rect, now: HostTime) {
        let name = content.chapter
        time.text = content.time
        chapter.text = name ?? ""
        if let image = content.image {
            picture.content = .image(image.id)
            pictureSize = image.size
        } else if !content.hasPictures {
            picture.content = .none
            pictureSize = .zero
        } else if pictureSize.isEmpty {
            pictureSize = Size(width: 160, height: 90)
            picture.content = .color(Theme.posterBackground)
        }
        let inset = 6.0
        let chapterHeight = name == nil ? 0.0 : 18
        let room = center.y - 10 - bounds.minY - (2 * inset + 4 + 20 + chapterHeight)
        let scale = min(1, max(Self.smallest, room) / max(1, self.pictureSize.height))
        let pictureSize = Size(
            width: (self.pictureSize.width * scale).rounded(), height: (self.pictureSize.height * scale).rounded())
        let width = max(pictureSize.width, name == nil ? 64 : 160) + 2 * inset
        let top = pictureSize.isEmpty ? inset : pictureSize.height + inset + 4
        let height = top + 20 + chapterHeight + inset
        picture.isHidden = pictureSize.isEmpty
        picture.frame = Rect(
            x: ((width - pictureSize.width) / 2).rounded(), y: inset, width: pictureSize.width,
            height: pictureSize.height)
        time.layout(Rect(x: inset, y: top, width: width - 2 * inset, height: 20))
        chapter.layout(Rect(x: inset, y: top + 20, width: width - 2 * inset, height: chapterHeight))
        let left = min(max(bounds.minX, (center.x - width / 2).rounded()), max(bounds.minX, bounds.maxX - width))
        layer.frame = Rect(x: left, y: center.y - height - 10, width: width, height: height)
        fade(to: 1, now: now)
    }

    /// Removes the current thumbnail, so that it is not shown for another file.
    func forget() {
        picture.content = .none
        pictureSize = .zero
    }

    func hide(now: HostTime) { fade(to: 0, now: now) }

    private func fade(to opacity: Double, now: HostTime) {
        guard layer.isHidden ? opacity > 0 : layer.opacity != opacity else { return }
        if layer.isHidden { layer.opacity = 0 }
        layer.isHidden = false
        layer.animatedOpacity.animate(
            to: opacity, now: LocalTime(now), duration: Self.fade, curve: .easeOut
        ) { [weak layer] isFinished in
            if isFinished, opacity == 0 { layer?.isHidden = true }
        }
    }
}
