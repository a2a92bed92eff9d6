/// The GLSL ES 3.00 sources in `GLSL/`, embedded in the program so that it runs from any folder.
///
/// None has a `#version` line: whoever compiles one puts that and the `#define`s of the variant before it.
public enum ShaderSource {
    /// A rectangle's corners, and with `PICTURE` the positions in a picture's planes.
    public static var quadVertex: String { text(PackageResources.quad_vert) }
    /// Y'CbCr planes to RGB.
    public static var videoFragment: String { text(PackageResources.video_frag) }
    /// An RGB picture.
    public static var imageFragment: String { text(PackageResources.image_frag) }
    /// One colour.
    public static var fillFragment: String { text(PackageResources.fill_frag) }

    private static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
