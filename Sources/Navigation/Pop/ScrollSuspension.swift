import GlissadeGeometry
import GlissadeGestures

/// The scroll containers that were disabled for a drag of a page, with their previous states.
///
/// This is a class, because disabling or restoring a container may call back into the recognizer that owns the
/// suspension.
final class ScrollSuspension {
    private struct Entry {
        weak var container: (any ScrollContainer)?
        var wasEnabled: Bool
        var offset: Point
    }

    private var entries: [Entry] = []

    /// Disables scrolling of `container` and stores its previous state. Does nothing if the container is already
    /// suspended.
    func hold(_ container: any ScrollContainer) {
        guard !entries.contains(where: { $0.container === container }) else { return }
        entries.append(
            Entry(container: container, wasEnabled: container.isScrollEnabled, offset: container.contentOffset))
        container.isScrollEnabled = false
    }

    /// Restores the scroll offset and `isScrollEnabled` of each suspended container. No container is suspended
    /// afterwards.
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
