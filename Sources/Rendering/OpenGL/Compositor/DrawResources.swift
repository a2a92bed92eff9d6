public import Layers

/// Who knows the pictures that a display list names.
@MainActor public protocol DrawResources {
    /// The picture for a surface of the list; nil draws it black.
    func texture(for surface: SurfaceID) -> VideoTexture?
}
