import Geometry
import Gestures

/// The scrolling content that a pop has stilled, and how it is to be when that is over.
///
/// A class: a container that is stilled or released may call back to the recognizer that holds this.
final class ScrollSuspension {
    private struct Entry {
        weak var container: (any ScrollContainer)?
        var wasEnabled: Bool
        var offset: Point
    }

    private var entries: [Entry] = []

    /// Stops `container` where it is; nothing where that has been done.
    func hold(_ container: any ScrollContainer) {
        guard !entries.contains(where: { $0.container === container }) else { return }
        entries.append(
            Entry(container: container, wasEnabled: container.isScrollEnabled, offset: container.contentOffset))
        container.isScrollEnabled = false
    }

    /// Gives back to each what it had.
    func release() {
        let held = entries
        entries.removeAll()
        for entry in held {
            guard let container = entry.container else { continue }
            if container.contentOffset != entry.offset { container.contentOffset = entry.offset }
            container.isScrollEnabled = entry.wasEnabled
        }
    }
}
