import GlissadeGeometry
import GlissadePicture

/// A raster image in the form that a renderer draws: on the GPU or in memory. Used on the same threads as
/// `ImageCache`.
class RasterImage {
    let size: PixelSize
    /// The memory that the image takes up, in bytes, including any smaller copies.
    let bytes: Int

    init(size: PixelSize, bytes: Int) {
        self.size = size
        self.bytes = bytes
    }
}

/// Makes raster images from bitmaps. Used on the same threads as `ImageCache`.
protocol ImageFactory {
    /// The largest width or height of an image, in pixels.
    var sizeLimit: Int { get }
    /// Makes a raster image from `bitmap`.
    ///
    /// - Parameter mayShrink: Whether the image will also be drawn at less than half its size.
    /// - Throws: `emptyPicture`, `tooLarge` or `allocation`.
    func make(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) -> RasterImage
}

/// Makes textures in the current context.
struct ImageTextureFactory: ImageFactory {
    let sizeLimit: Int

    func make(_ bitmap: Bitmap, mayShrink: Bool) throws(RenderingError) -> RasterImage {
        try GLContext.use { () throws(RenderingError) in
            try ImageTexture(bitmap, mayShrink: mayShrink, limit: sizeLimit)
        }
    }
}
