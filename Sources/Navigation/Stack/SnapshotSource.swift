public import GlissadeGeometry
public import GlissadeLayers

/// Takes snapshots of pages for transitions. Holds one snapshot at a time: a new one replaces the previous one.
@MainActor public protocol SnapshotSource: AnyObject {
    /// Takes a snapshot of `layer` and its sublayers. The snapshot shows the area of `size` points at the layer's
    /// top-left corner.
    ///
    /// - Returns: Content for a layer of that size. Nil if no snapshot is possible, in which case the page is drawn
    ///   live.
    func capture(_ layer: Layer, size: Size) -> Layer.Content?

    /// Releases the current snapshot. Called when the transition ends, or when the page is drawn live instead.
    func releaseSnapshot()
}
