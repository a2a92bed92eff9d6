import Motion

/// The scrolling content that a pop has stilled, and how it is to be when that is over.
struct StilledScrolling {
    private struct Entry {
        weak var container: (any ScrollContainer)?
        var wasEnabled: Bool
        var offset: Point
    }

    private var entries: [Entry] = []

    /// Stops `container` where it is; nothing where that has been done.
    mutating func hold(_ container: any ScrollContainer) {
        guard !entries.contains(where: { $0.container === container }) else { return }
        entries.append(
            Entry(container: container, wasEnabled: container.isScrollEnabled, offset: container.contentOffset))
        container.isScrollEnabled = false
    }

    /// Gives back to each what it had.
    mutating func release() {
        for entry in entries {
            guard let container = entry.container else { continue }
            if container.contentOffset != entry.offset { container.contentOffset = entry.offset }
            container.isScrollEnabled = entry.wasEnabled
        }
        entries.removeAll()
    }
}
