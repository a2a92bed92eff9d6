import Geometry
import Picture

/// A raster image in the form that a renderer draws: on the GPU, or in memory. Main thread.
class RasterImage {
    let size: PixelSize
    /// Its memory, including smaller copies if it can have any.
    let bytes: Int

    init(size: PixelSize, bytes: Int) {
        self.size = size
        self.bytes = bytes
    }
}

/// Makes raster images from bitmaps. Main thread.
protocol ImageFactory {
    /// The largest width or height, in pixels.
    var sizeLimit: Int { get }
    /// - Parameter mayShrink: Whether it will also be drawn at less than half its size.
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`.
    func make(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) -> RasterImage
}

/// Makes textures in the current context.
struct ImageTextureFactory: ImageFactory {
    let sizeLimit: Int

    func make(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) -> RasterImage {
        try ImageTexture(bitmap, mayShrink: mayShrink, limit: sizeLimit)
    }
}
