import GlissadeGeometry
import GlissadeNavigation

/// All pages together as one fullscreen element, which grows from the window's size to the screen's size and later
/// shrinks back. Main thread.
@MainActor final class FullscreenPages: FullscreenElement {
    /// The frame of the pages, in window points; nil outside of fullscreen and its transitions.
    private(set) var frame: Rect?
    /// The clockwise rotation of the video, in quarter turns.
    private(set) var quarterTurns = 0.0
    private let home: @MainActor () -> Size
    private let picture: @MainActor () -> Size?

    /// - Parameters:
    ///   - home: Returns the size of the pages outside of fullscreen, in points.
    ///   - picture: Returns the size of the upright video, in any unit; nil if unknown.
    init(home: @escaping @MainActor () -> Size, picture: @escaping @MainActor () -> Size?) {
        self.home = home
        self.picture = picture
    }

    var inlinePlace: InlinePlace? { InlinePlace(frame: Rect(origin: .zero, size: home()), cornerRadius: 0) }
    var pictureSize: Size? { picture() }
    func willLeavePlace() {}

    func show(_ figure: FullscreenGeometry) {
        quarterTurns = figure.quarterTurns
        frame = figure.covered
    }

    func didReturn(isGone: Bool) {
        frame = nil
        quarterTurns = 0
    }
}

extension PlaybackSession {
    /// The size of the upright video, by which fullscreen chooses the rotation; nil if unknown. Also nil for music, whose
    /// cover art stays upright.
    var fullscreenSize: Size? { isSong ? nil : film.displaySize }
}

extension FullscreenGeometry {
    /// The axis-aligned rectangle that a page fills while its video rotates. The page itself stays upright. The
    /// rectangle has the same center as `frame`, and its width and height are gradually swapped during the rotation.
    var covered: Rect {
        let size = frame.size
        let width = size.width + (size.height - size.width) * quarterTurns
        let height = size.height + (size.width - size.height) * quarterTurns
        return Rect(
            x: frame.minX + (size.width - width) / 2, y: frame.minY + (size.height - height) / 2, width: width,
            height: height)
    }
}

extension Rect {
    /// Returns the rectangle with its edges rounded to whole device pixels.
    func onPixels(scale: Double) -> Rect {
        let pixels = PixelRect(
            rounding: Rect(x: minX * scale, y: minY * scale, width: size.width * scale, height: size.height * scale))
        return Rect(
            x: Double(pixels.minX) / scale, y: Double(pixels.minY) / scale, width: Double(pixels.width) / scale,
            height: Double(pixels.height) / scale)
    }
}
