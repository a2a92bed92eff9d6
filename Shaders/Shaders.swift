/// The GLSL ES 3.00 sources in `GLSL/`, embedded in the binary so that the program runs from any folder.
///
/// They have no `#version` line: the caller prepends it, together with the `#define`s of the program variant.
package enum ShaderSource {
    /// The vertex shader of all programs, which draws a rectangle. With `PICTURE`, it also computes positions in the
    /// planes of a frame. With `AREA`, it also computes positions in the whole rectangle, which may be drawn only in
    /// part.
    package static var quadVertex: String { text(PackageResources.quad_vert) }
    /// Draws a frame from Y'CbCr or gray planes.
    package static var videoFragment: String { text(PackageResources.video_frag) }
    /// Draws an RGB frame.
    package static var rgbFragment: String { text(PackageResources.rgb_frag) }
    /// Draws one color.
    package static var fillFragment: String { text(PackageResources.fill_frag) }
    /// Draws a raster image, text or an icon.
    package static var rasterFragment: String { text(PackageResources.raster_frag) }
    /// Draws a gradient.
    package static var boxFragment: String { text(PackageResources.box_frag) }
    /// Draws the blurred shadow of a rectangle, outside the rectangle itself.
    package static var shadowFragment: String { text(PackageResources.shadow_frag) }
    /// Prepended to all fragment shaders except `fillFragment`. With `ROUNDED`, computes how much of a pixel is inside
    /// a rounded rectangle.
    package static var outline: String { text(PackageResources.outline_glsl) }
    /// Prepended to the fragment shaders of frames. Applies shade, rounded corners and opacity.
    package static var finish: String { text(PackageResources.finish_glsl) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
