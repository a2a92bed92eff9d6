/// The GLSL ES 3.00 sources in `GLSL/`, embedded in the binary so that it runs from any folder.
///
/// They have no `#version` line: the caller prepends it, with the `#define`s of the variant.
public enum ShaderSource {
    /// A rectangle's corners; with `PICTURE` also positions in a frame's planes, with `AREA` positions in the whole
    /// rectangle.
    public static var quadVertex: String { text(PackageResources.quad_vert) }
    /// Y'CbCr planes to RGB.
    public static var videoFragment: String { text(PackageResources.video_frag) }
    /// An RGB frame.
    public static var rgbFragment: String { text(PackageResources.rgb_frag) }
    /// One color.
    public static var fillFragment: String { text(PackageResources.fill_frag) }
    /// A raster image, text or an icon.
    public static var rasterFragment: String { text(PackageResources.raster_frag) }
    /// A gradient.
    public static var boxFragment: String { text(PackageResources.box_frag) }
    /// A rectangle's shadow.
    public static var shadowFragment: String { text(PackageResources.shadow_frag) }
    /// Included in every fragment shader: with `ROUNDED`, the coverage of a pixel by a rounded rectangle.
    public static var outline: String { text(PackageResources.outline_glsl) }
    /// Included in the fragment shaders of frames: shade, corners and opacity.
    public static var finish: String { text(PackageResources.finish_glsl) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
