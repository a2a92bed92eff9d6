public import Geometry
public import Layers

/// Makes pictures of pages on the GPU. One at a time: a newer one takes the place of the one before.
@MainActor public protocol SnapshotSource: AnyObject {
    /// A picture of `layer` and all in it as it is now, over an area of `size` points from its top left corner.
    ///
    /// - Returns: what a layer of that size shows it by; nil where there can be none, and the page is drawn live.
    func capture(_ layer: Layer, size: Size) -> Layer.Content?

    /// Frees the picture.
    func releaseSnapshot()
}
