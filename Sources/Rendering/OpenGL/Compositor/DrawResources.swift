public import Layers

/// Provides the frames of the surfaces in a display list.
@MainActor public protocol DrawResources {
    /// The frame of a surface; nil draws it black.
    func texture(for surface: SurfaceID) -> VideoTexture?
}
