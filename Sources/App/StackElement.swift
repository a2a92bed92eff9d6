import Motion
import Navigation

/// All pages together, as what grows to the whole window and back: the film's page has no other place than its window.
@MainActor final class StackElement: FullscreenElement {
    /// Where the pages are seen, in the window's points; nil where nothing moves them.
    private(set) var frame: Rect?
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
    func show(_ figure: FullscreenFigure) { frame = figure.frame }
    func didReturn(isGone: Bool) { frame = nil }
}
