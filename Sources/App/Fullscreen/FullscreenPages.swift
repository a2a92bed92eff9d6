import Geometry
import Navigation

/// All pages together, as what grows to the whole window and back: the film's page has no other place than its window.
@MainActor final class FullscreenPages: FullscreenElement {
    /// Where the pages are seen, in the window's points; nil where nothing moves them.
    private(set) var frame: Rect?
    /// How far the film on them is turned, in quarter turns.
    private(set) var turn = 0.0
    private let home: @MainActor () -> Size
    private let picture: @MainActor () -> Size?

    /// - Parameters:
    ///   - home: how large the pages are where the window is not fullscreen.
    ///   - picture: the upright size of the film that is seen on them.
    init(home: @escaping @MainActor () -> Size, picture: @escaping @MainActor () -> Size?) {
        self.home = home
        self.picture = picture
    }

    var inlinePlace: InlinePlace? { InlinePlace(frame: Rect(origin: .zero, size: home()), cornerRadius: 0) }
    var pictureSize: Size? { picture() }
    func willLeavePlace() {}

    func show(_ figure: FullscreenGeometry) {
        turn = figure.turn
        frame = figure.covered
    }

    func didReturn(isGone: Bool) {
        frame = nil
        turn = 0
    }
}

extension FullscreenGeometry {
    /// What the element covers: a film is turned, and not its page, which is as wide and high as the film then is.
    var covered: Rect {
        let size = frame.size
        let width = size.width + (size.height - size.width) * turn
        let height = size.height + (size.width - size.height) * turn
        return Rect(
            x: frame.minX + (size.width - width) / 2, y: frame.minY + (size.height - height) / 2, width: width,
            height: height)
    }
}

extension Rect {
    /// The same with its edges on whole device pixels.
    func onPixels(scale: Double) -> Rect {
        let pixels = PixelRect(
            rounding: Rect(x: minX * scale, y: minY * scale, width: size.width * scale, height: size.height * scale))
        return Rect(
            x: Double(pixels.minX) / scale, y: Double(pixels.minY) / scale, width: Double(pixels.width) / scale,
            height: Double(pixels.height) / scale)
    }
}
