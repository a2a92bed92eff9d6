public import Geometry
public import Layers
public import Picture

/// Makes the bitmaps of text and icons. Each is used on one thread only, the one that it was made on.
public protocol ImageRasterizer: AnyObject {
    /// `source`, which is text or an icon, set into a box of `size` pixels; empty where there is nothing to see.
    func bitmap(of source: ImagePlacement.Source, box size: PixelSize, scale: Double) -> Bitmap
}
