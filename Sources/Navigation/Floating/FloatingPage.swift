public import GlissadeGeometry
public import GlissadeLayers
public import GlissadeTime

/// A floating element that shows a page, with its bar and bottom view. The page must not be on a stack. The page's
/// appearance functions, such as `willAppear`, are called when the page starts and stops floating.
///
/// Main thread. The owner updates the page over time with the closures `onAdvance`, `onNextWake` and `isAnimatingNow`.
@MainActor public final class FloatingPage: FloatingElement {
    /// The page that the element shows.
    public let page: Page
    public let layer = Layer()
    public let title: String
    public let aspect: Size?
    public let preferredSize: Size
    public let redrawInterval: Duration?
    public var onNeedsDisplay: (@MainActor () -> Void)?
    /// Called by `advance`, once the layout of the page is up to date. Returns whether the page must be redrawn. If
    /// this closure is nil, a page with a redraw interval is redrawn at each `advance`.
    public var onAdvance: (@MainActor (HostTime) -> Bool)?
    /// Returns the result of `nextWake`. If this closure is nil, the redraw interval determines the result.
    public var onNextWake: (@MainActor (HostTime) -> HostTime?)?
    /// Returns the value of `isAnimating`. If this closure is nil, the page never animates.
    public var isAnimatingNow: (@MainActor () -> Bool)?

    private var size: Size?

    /// Creates a floating element for `page`.
    ///
    /// - Throws: `NavigationError.alreadyOnStack` if `page` is on a stack.
    public init(
        _ page: Page, title: String = "", aspect: Size? = nil, preferredSize: Size = Size(width: 320, height: 180),
        redrawInterval: Duration? = nil
    ) throws(NavigationError) {
        guard page.stack == nil else { throw .alreadyOnStack }
        self.page = page
        self.title = title
        self.aspect = aspect
        self.preferredSize = preferredSize
        self.redrawInterval = redrawInterval
    }

    /// Lays the page out in a window of `size` points. Does nothing if `size` is empty, as for a minimized window, or
    /// not finite.
    public func layout(size: Size, scale: Double) {
        guard !size.isEmpty, size.magnitude < .infinity else { return }
        self.size = size
        layer.frame = Rect(origin: .zero, size: size)
        page.layoutIfNeeded(size)
    }

    public func advance(to now: HostTime) -> Bool {
        let isLaidOut = size.map { page.layoutIfNeeded($0) } ?? false
        let hasChanged = onAdvance?(now) ?? (redrawInterval != nil)
        return isLaidOut || hasChanged
    }

    public func nextWake(now: HostTime) -> HostTime? {
        if let onNextWake { return onNextWake(now) }
        return redrawInterval.flatMap { RedrawInterval(length: $0).next(after: now) }
    }

    public var isAnimating: Bool { isAnimatingNow?() ?? false }

    public func floatingStateChanged(to state: FloatingState) {
        switch state {
        case .starting:
            layer.add(page.container)
            page.onNeedsLayout = { [weak self] in self?.setNeedsDisplay() }
            step(to: .appearing)
        case .active:
            step(to: .appearing)
            _ = page.appearance.arrive(at: .shown, page)
        case .stopping: step(to: .disappearing)
        case .idle:
            step(to: .disappearing)
            _ = page.appearance.arrive(at: .hidden, page)
            page.onNeedsLayout = nil
            // The page may already be on a stack.
            if page.container.superlayer === layer { page.container.removeFromSuperlayer() }
        }
    }

    private func step(to state: PageAppearance.State) { _ = page.appearance.step(to: state, page) }
}
