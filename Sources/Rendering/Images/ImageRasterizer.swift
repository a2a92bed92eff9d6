public import Geometry
public import Layers
public import Picture

/// Rasterizes text and icons. Each instance is used only on the thread on which it was made.
public protocol ImageRasterizer: AnyObject {
    /// Rasterizes `source`, a text or an icon, into a box of `size` pixels; empty if nothing is visible.
    func bitmap(of source: ImagePlacement.Source, box size: PixelSize, scale: Double) -> Bitmap
}
