/// The GLSL ES 3.00 sources in `GLSL/`, embedded in the program so that it runs from any folder.
///
/// None has a `#version` line: whoever compiles one puts that and the `#define`s of the variant before it.
public enum ShaderSource {
    /// A rectangle's corners, with `PICTURE` the positions in a picture's planes, with `AREA` those in the whole.
    public static var quadVertex: String { text(PackageResources.quad_vert) }
    /// Y'CbCr planes to RGB.
    public static var videoFragment: String { text(PackageResources.video_frag) }
    /// An RGB picture.
    public static var rgbFragment: String { text(PackageResources.rgb_frag) }
    /// One color.
    public static var fillFragment: String { text(PackageResources.fill_frag) }
    /// A still image, text or an icon.
    public static var rasterFragment: String { text(PackageResources.raster_frag) }
    /// A gradient.
    public static var boxFragment: String { text(PackageResources.box_frag) }
    /// A rectangle's shadow.
    public static var shadowFragment: String { text(PackageResources.shadow_frag) }
    /// Before every fragment shader: with `ROUNDED`, how much of a pixel round corners leave.
    public static var outline: String { text(PackageResources.outline_glsl) }
    /// Before the fragment shaders of pictures: shade, corners and opacity.
    public static var finish: String { text(PackageResources.finish_glsl) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
