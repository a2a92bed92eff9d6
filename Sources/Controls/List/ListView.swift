public import GlissadeGeometry
public import GlissadeGestures
public import GlissadeLayers
public import GlissadeTime

/// A scrolling list of rows.
///
/// Only visible rows have layers. All rows have the same height, except that the first few may differ.
///
/// Threads: main thread. Pure: the time is passed in.
@MainActor public final class ListView {
    /// How far one wheel notch scrolls, in points.
    public static let pointsPerNotch = 80.0

    /// The list's layer; `layout` sets its frame.
    public let layer = Layer()
    /// Provides the rows. Call `reload` after they have changed.
    public weak var source: (any ListSource)?
    /// The heights of the rows, in points. Changing them keeps the scroll offset if possible.
    public var heights: RowHeights { didSet { if heights != oldValue { layoutRows() } } }
    /// The width of the rows' centered content, in points; nil for the full width. Presses and hovering beside the
    /// content are ignored.
    public var contentWidth: Double?
    /// The heights of the areas at the top and bottom that other layers cover, in points. Rows scroll beneath these
    /// areas.
    public var insets = (top: 0.0, bottom: 0.0) { didSet { layoutRows() } }
    /// The scroll position and its movement.
    public private(set) var scroll = ScrollPosition()
    /// The index of the selected row, usually selected by keyboard; nil if no row is selected.
    public private(set) var selection: Int?
    /// Whether the list can scroll, by input or by itself. False while the list's page is being dragged, until the page
    /// has settled.
    public var isScrollEnabled = true { didSet { if !isScrollEnabled { scroll.freeze() } } }
    /// The color of the scroll indicator; transparent for no indicator.
    public var indicatorColor = Color(red: 1, green: 1, blue: 1, alpha: 0.35)

    /// Recognizes a vertical drag, which scrolls the list.
    public private(set) lazy var scrollPan = ScrollPanRecognizer(container: self, name: "list")

    private let pressing = PressRecognizer()
    public private(set) lazy var recognizers: [GestureRecognizer] = [scrollPan, pressing]

    private let content = Layer()
    private let indicator = Layer()
    private var rows: [ListRow] = []
    private var spare: [ListRow] = []
    private var size = Size.zero
    private var hovered: Int?
    private(set) var pressed: Int?
    private var indicatorSince: HostTime?
    private var isDirty = true

    /// Creates an empty list.
    ///
    /// - Parameter rowHeight: The height of all rows, in points; at least 1.
    public init(rowHeight: Double) {
        heights = RowHeights(rowHeight)
        layer.clipsToBounds = true
        layer.add(content)
        layer.add(indicator)
        indicator.isHitTestable = false
        indicator.opacity = 0
        layer.owner = self
        scrollPan.isResampled = true
        scrollPan.onChange = { [weak self] _ in self?.scrollPanChanged() }
        follow(pressing)
    }

    // MARK: - Content

    /// The frame of row `index`, visible or not, in the coordinates of the list's layer.
    public func frame(of index: Int) -> Rect {
        Rect(
            x: 0, y: insets.top - scroll.offset + heights.top(of: index), width: size.width,
            height: heights.height(of: index))
    }

    /// The view of row `index`; nil if the row is out of view.
    public func view(of index: Int) -> ListRow? { rows.first { $0.index == index } }

    /// Reloads all rows. Keeps the scroll offset and the selected index if possible. Cancels a press, because a
    /// different row may now be under the pointer.
    public func reload() {
        pressed = nil
        for row in rows { retire(row) }
        rows.removeAll()
        if let selected = selection, let count = source?.rowCount {
            selection = count == 0 ? nil : min(selected, count - 1)
        }
        layoutRows()
    }

    /// Updates the view of row `index` after its content has changed.
    public func update(_ index: Int) {
        guard let row = rows.first(where: { $0.index == index }) else { return }
        source?.configure(row, at: index)
        isDirty = true
    }

    /// The indices of the rows that are at least partly inside the list's frame, even if `insets` cover them.
    public var visibleRows: Range<Int> {
        guard size.height > 0 else { return 0..<0 }
        let top = scroll.offset - insets.top
        let first = index(before: heights.rows(above: top).rounded(.down))
        return first..<max(first, index(before: heights.rows(above: top + size.height).rounded(.up)))
    }

    /// Converts `place`, a number of rows, to a row index, rounded down and clamped to 0…`rowCount`.
    private func index(before place: Double) -> Int {
        let count = max(0, source?.rowCount ?? 0)
        return place > 0 ? Int(min(place, Double(count))) : 0
    }

    /// The index of the row at `point`, in the coordinates of the list's layer. Nil if there is no row, or if the
    /// point is in the `insets` or beside the content.
    public func row(at point: Point) -> Int? {
        guard point.y >= insets.top, point.y < size.height - insets.bottom, point.x >= 0, point.x < size.width,
            point.y.isFinite
        else { return nil }
        if let contentWidth, abs(point.x - size.width / 2) > contentWidth / 2 { return nil }
        let place = heights.rows(above: point.y + scroll.offset - insets.top)
        guard place >= 0, place < Double(source?.rowCount ?? 0) else { return nil }
        return Int(place)
    }

    // MARK: - Layout and time

    /// Places the list in `frame`, in its parent's coordinates. Ignores a frame whose size is not finite.
    public func layout(_ frame: Rect) {
        guard frame.size.width.isFinite, frame.size.height.isFinite else { return }
        layer.frame = frame
        guard size != frame.size else { return }
        size = frame.size
        for row in rows { row.layer.frame = .zero }
        layoutRows()
    }

    /// Whether the user is dragging the list, or the list is moving by itself.
    public var isScrolling: Bool { scroll.isHeld || isAnimating }

    /// Whether the list is moving by itself.
    public var isAnimating: Bool { isScrollEnabled && scroll.isMoving }

    /// When `advance` must be called next to hide the scroll indicator. Nil if the indicator is hidden, and while the
    /// list is moving or being dragged.
    public var nextWake: HostTime? {
        isAnimating || scroll.isHeld ? nil : indicatorSince.map { $0 + Self.indicatorRest }
    }

    /// Advances the list to `now`. Returns whether it must be redrawn.
    public func advance(to now: HostTime) -> Bool {
        var changed = isDirty
        isDirty = false
        if isScrollEnabled, scroll.advance(to: now) {
            showIndicator(now)
            placeRows()
            isDirty = false
            changed = true
        }
        if let since = indicatorSince, !isAnimating, !scroll.isHeld, now - since >= Self.indicatorRest {
            indicatorSince = nil
            indicator.opacity = 0
            changed = true
        }
        return changed
    }

    /// How long the scroll indicator stays visible after a movement.
    static let indicatorRest = Duration.milliseconds(800)

    private func layoutRows() {
        let count = source?.rowCount ?? 0
        scroll.setLengths(content: heights.top(of: count), viewport: size.height - insets.top - insets.bottom)
        placeRows()
    }

    /// Gives each visible row a view, and places the views.
    private func placeRows() {
        isDirty = true
        let visible = visibleRows
        rows.removeAll { row in
            if let index = row.index, visible.contains(index) { return false }
            retire(row)
            return true
        }
        content.translation = Point(x: 0, y: insets.top - scroll.offset)
        content.frame = Rect(origin: .zero, size: size)
        for index in visible where !rows.contains(where: { $0.index == index }) {
            guard let row = spareRow(for: index) ?? source?.makeRow(at: index) else { return }
            row.index = index
            source?.configure(row, at: index)
            row.setState(state(of: index))
            content.add(row.layer)
            rows.append(row)
        }
        for row in rows {
            let index = row.index ?? 0
            let frame = Rect(x: 0, y: heights.top(of: index), width: size.width, height: heights.height(of: index))
            guard row.layer.frame != frame else { continue }
            let isResized = row.layer.frame.size != frame.size
            row.layer.frame = frame
            if isResized { row.layout(size: frame.size) }
        }
        placeIndicator()
    }

    private func spareRow(for index: Int) -> ListRow? {
        guard let place = spare.lastIndex(where: { source?.canShow(index, in: $0) ?? false }) else { return nil }
        return spare.remove(at: place)
    }

    private func retire(_ row: ListRow) {
        row.layer.removeFromSuperlayer()
        row.index = nil
        spare.append(row)
    }

    // MARK: - Scroll indicator

    private func showIndicator(_ now: HostTime) {
        indicatorSince = now
        indicator.opacity = 1
    }

    private func placeIndicator() {
        let length = scroll.viewportLength
        guard scroll.limit > 0, length > 0, indicatorColor.alpha > 0 else {
            indicator.isHidden = true
            return
        }
        indicator.isHidden = false
        indicator.content = .color(indicatorColor)
        indicator.cornerRadius = 2
        let fraction = length / scroll.contentLength
        let thumb = max(32, length * fraction)
        let place = min(max(scroll.offset / scroll.limit, 0), 1) * (length - thumb - 8)
        indicator.frame = Rect(x: size.width - 7, y: insets.top + 4 + place, width: 4, height: thumb)
    }

    // MARK: - Input

    /// Scrolls by `notches` of the wheel. Positive values scroll up.
    public func wheel(_ notches: Double, now: HostTime) {
        scroll(by: -notches * Self.pointsPerNotch, now: now)
    }

    /// Begins a drag that scrolls the list, and stops any other movement.
    public func beginDrag(now: HostTime) {
        if isScrollEnabled { scroll.beginDrag(now: now) }
    }

    /// Moves the content to `translation` points from its position at the start of the drag. Positive values move the
    /// content down.
    public func drag(translation: Double, now: HostTime) {
        guard scroll.isHeld else { return }
        scroll.drag(translation: translation)
        showIndicator(now)
        placeRows()
    }

    /// Ends the drag. The content keeps moving at `velocity`, in points per second, and slows down. Positive velocities
    /// move the content down.
    public func endDrag(velocity: Double, now: HostTime) {
        guard scroll.isHeld else { return }
        scroll.endDrag(velocity: velocity, now: now)
        showIndicator(now)
    }

    /// Stops the list if it is moving by itself. Content past an end then springs back. Does nothing during a drag.
    public func stopScrolling(now: HostTime) { scroll.stop(now: now) }

    /// Highlights row `index` as pressed; nil for no row.
    public func press(_ index: Int?) {
        let before = pressed
        pressed = index
        for changed in [before, index] { changed.map(updateState) }
    }

    /// Moves the keyboard selection by `distance` rows. If no row is selected, a distance of 1 selects the first
    /// visible row, and a distance of -1 the last visible row.
    public func moveSelection(by distance: Int, now: HostTime) {
        let count = source?.rowCount ?? 0
        guard count > 0 else { return }
        let (sum, overflow) = (selection ?? (distance > 0 ? visibleRows.lowerBound - 1 : visibleRows.upperBound))
            .addingReportingOverflow(distance)
        select(overflow ? (distance > 0 ? count - 1 : 0) : min(max(sum, 0), count - 1), now: now)
    }

    /// Selects row `index`, and scrolls it into view. Clears the selection if `index` is nil or there is no such row.
    public func select(_ index: Int?, now: HostTime) {
        setSelection(index)
        if let selection { reveal(selection, now: now) }
    }

    /// Scrolls row `index` into view, no further than necessary.
    public func reveal(_ index: Int, now: HostTime) {
        guard isScrollEnabled else { return }
        let top = heights.top(of: index)
        scroll.reveal(top...(top + heights.height(of: index)), now: now)
        showIndicator(now)
    }

    /// Selects row `index` without scrolling. Clears the selection if `index` is nil or there is no such row.
    public func setSelection(_ index: Int?) {
        let before = selection
        selection = index.flatMap { (0..<max(0, source?.rowCount ?? 0)).contains($0) ? $0 : nil }
        for changed in [before, index] { changed.map(updateState) }
    }

    /// Scrolls smoothly by `distance` points. Positive values scroll down.
    public func scroll(by distance: Double, now: HostTime) {
        guard isScrollEnabled else { return }
        scroll.glide(by: distance, now: now)
        showIndicator(now)
    }

    /// The number of whole rows of the usual height that fit into the view, at least 1.
    public var rowsPerPage: Int { max(1, Int(scroll.viewportLength / heights.usual)) }

    /// Sets the scroll offset without animation, clamped to the ends. Stops any movement.
    public func jump(to offset: Double) {
        guard offset != scroll.offset || scroll.isMoving else { return }
        scroll.jump(to: offset)
        placeRows()
    }

    /// Scrolls without animation to center row `index`, as far as the ends allow, unless the row is fully visible.
    public func jump(toShow index: Int) {
        let (top, height) = (heights.top(of: index), heights.height(of: index))
        if top < scroll.offset || top + height > scroll.offset + scroll.viewportLength {
            scroll.jump(to: top - (scroll.viewportLength - height) / 2)
            placeRows()
        }
    }

    func setHovered(_ index: Int?) {
        guard index != hovered else { return }
        let before = hovered
        hovered = index
        for changed in [before, index] { changed.map(updateState) }
    }

    private func updateState(_ index: Int) {
        guard let row = rows.first(where: { $0.index == index }) else { return }
        row.setState(state(of: index))
        isDirty = true
    }

    private func state(of index: Int) -> ListRow.State {
        var state: ListRow.State = []
        if index == hovered { state.insert(.hovered) }
        if index == pressed { state.insert(.pressed) }
        if index == selection { state.insert(.selected) }
        return state
    }
}
