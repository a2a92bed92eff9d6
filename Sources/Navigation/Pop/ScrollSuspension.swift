import Geometry
import Gestures

/// The scrolling content that a pop has disabled, and its previous state.
///
/// A class, because a container that is disabled or restored may call back to the recognizer that holds this.
final class ScrollSuspension {
    private struct Entry {
        weak var container: (any ScrollContainer)?
        var wasEnabled: Bool
        var offset: Point
    }

    private var entries: [Entry] = []

    /// Stops and disables `container`; does nothing if that was already done.
    func hold(_ container: any ScrollContainer) {
        guard !entries.contains(where: { $0.container === container }) else { return }
        entries.append(
            Entry(container: container, wasEnabled: container.isScrollEnabled, offset: container.contentOffset))
        container.isScrollEnabled = false
    }

    /// Restores the previous state of each container.
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
