/// The GLSL ES 3.00 sources in `GLSL/`, embedded in the binary so that the program runs from any folder.
///
/// They have no `#version` line: the caller prepends it, together with the `#define`s of the program variant.
public enum ShaderSource {
    /// The vertex shader of all programs, which draws a rectangle. With `PICTURE`, it also computes positions in the
    /// planes of a frame. With `AREA`, it also computes positions in the whole rectangle, which may be drawn only in
    /// part.
    public static var quadVertex: String { text(PackageResources.quad_vert) }
    /// Draws a frame from Y'CbCr or gray planes.
    public static var videoFragment: String { text(PackageResources.video_frag) }
    /// Draws an RGB frame.
    public static var rgbFragment: String { text(PackageResources.rgb_frag) }
    /// Draws one color.
    public static var fillFragment: String { text(PackageResources.fill_frag) }
    /// Draws a raster image, text or an icon.
    public static var rasterFragment: String { text(PackageResources.raster_frag) }
    /// Draws a gradient.
    public static var boxFragment: String { text(PackageResources.box_frag) }
    /// Draws the blurred shadow of a rectangle, outside the rectangle itself.
    public static var shadowFragment: String { text(PackageResources.shadow_frag) }
    /// Prepended to all fragment shaders except `fillFragment`. With `ROUNDED`, computes how much of a pixel is inside
    /// a rounded rectangle.
    public static var outline: String { text(PackageResources.outline_glsl) }
    /// Prepended to the fragment shaders of frames. Applies shade, rounded corners and opacity.
    public static var finish: String { text(PackageResources.finish_glsl) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
