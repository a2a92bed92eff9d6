import Geometry
import Picture

/// A still image in the form that a renderer draws: on the GPU, or in memory. Main thread.
class RasterImage {
    let size: PixelSize
    /// What it takes, with its smaller copies, where it may have some.
    let bytes: Int

    init(size: PixelSize, bytes: Int) {
        self.size = size
        self.bytes = bytes
    }
}

/// Makes bitmaps what a renderer draws. Main thread.
@MainActor protocol ImageFactory {
    /// The widest and highest still, in pixels.
    var sizeLimit: Int { get }
    /// - Parameter mayShrink: whether it is to be drawn at less than half its size, too.
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`.
    func make(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) -> RasterImage
}

/// Stills as textures, made in the context that is current.
struct ImageTextureFactory: ImageFactory {
    let sizeLimit: Int

    func make(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) -> RasterImage {
        try ImageTexture(bitmap, mayShrink: mayShrink, limit: sizeLimit)
    }
}
