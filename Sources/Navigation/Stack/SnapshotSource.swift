public import Geometry
public import Layers

/// Takes snapshots of pages. Holds one at a time: a new snapshot replaces the previous one.
@MainActor public protocol SnapshotSource: AnyObject {
    /// Takes a snapshot of `layer` and its sublayers, over `size` points from the top-left corner.
    ///
    /// - Returns: Content for a layer of that size. Nil if no snapshot is possible; the page is then drawn live.
    func capture(_ layer: Layer, size: Size) -> Layer.Content?

    /// Releases the snapshot.
    func releaseSnapshot()
}
