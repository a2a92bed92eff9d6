import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadeTime

/// The floating video with its subtitles. The window keeps the video's aspect ratio. Main thread.
@MainActor final class VideoElement: FloatingElement {
    let layer = Layer(content: .color(.black))
    private(set) var title: String
    private(set) var aspect: Size?
    private(set) var preferredSize: Size
    let redrawInterval: Duration? = nil
    var onNeedsDisplay: (@MainActor () -> Void)?

    private let box = VideoBox()
    private weak var subtitles: SubtitleView?
    /// Returns the current session; nil if there is none.
    var playing: (@MainActor () -> PlaybackSession?)?
    private var size = Size.zero
    private var scale = 1.0

    /// The initial width of the window, in points, for a landscape video. For a portrait video, the initial height is
    /// three quarters of `width`.
    static let width = 480.0

    init(title: String, aspect: Size?) {
        self.title = title
        preferredSize = .zero
        follow(title: title, aspect: aspect)
        layer.isHitTestable = false
        box.layer.isHitTestable = false
        layer.add(box.layer)
    }

    /// Sets the title, the aspect ratio and the initial size. If the aspect ratio is unknown (nil), 16:9 is used.
    func follow(title: String, aspect: Size?) {
        self.title = title
        let shape = aspect.flatMap { $0.isEmpty ? nil : $0 } ?? Size(width: 16, height: 9)
        self.aspect = shape
        let ratio = shape.width / shape.height
        preferredSize =
            ratio >= 1
            ? Size(width: Self.width, height: (Self.width / ratio).rounded())
            : Size(width: (Self.width * 0.75 * ratio).rounded(), height: Self.width * 0.75)
        setNeedsDisplay()
    }

    /// Moves the subtitle view of the player's page into this element, in front of the video.
    func take(_ subtitles: SubtitleView) {
        self.subtitles = subtitles
        layer.add(subtitles.layer)
        // The page hides it while the page's video is rotated.
        subtitles.layer.isHidden = false
    }

    /// Whether the window's size or scale has changed since frames were last prepared for the window.
    private(set) var needsPicture = false

    func layout(size: Size, scale: Double) {
        if size != self.size || scale != self.scale { needsPicture = true }
        (self.size, self.scale) = (size, scale)
        guard let playing = playing?() else { return box.show(.none) }
        let film = playing.film
        box.layout(Rect(origin: .zero, size: size), aspect: film.displaySize, scale: scale)
        box.show(box.pixelSize.isEmpty ? .none : film.content)
        guard let subtitles, subtitles.layer.superlayer === layer else { return }
        subtitles.layout(
            picture: box.pictureFrame, height: size.height, scale: scale, for: playing.subtitles.subtitles,
            frameRate: film.player.info?.frameRate)
    }

    /// Prepares video frames for the window's size. Does nothing if nothing is playing.
    func place() {
        guard let playing = playing?(), !size.isEmpty else { return }
        needsPicture = false
        box.layout(Rect(origin: .zero, size: size), aspect: playing.film.displaySize, scale: scale)
        if box.pixelSize.isEmpty { return }
        playing.film.place(destination: box.pixelSize, isSmall: true)
    }

    func advance(to now: HostTime) -> Bool { false }
    func nextWake(now: HostTime) -> HostTime? { nil }
}
