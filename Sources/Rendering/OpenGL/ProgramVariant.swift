import GlissadePicture
import GlissadeShaders

/// Identifies a shader program by the features of the display items that it draws.
struct ProgramVariant: Hashable {
    enum Kind: Hashable {
        case fill, box, shadow, raster
        /// Frames, by the layout of their samples.
        case rgb, planar, semiPlanar, gray
    }

    let kind: Kind
    /// Whether the item has rounded corners or is rotated. A frame is then drawn with premultiplied alpha.
    var isRounded = false
    /// Whether a frame is rotated (`SurfacePlacement.quarterTurns` is not 0). Its edges are then antialiased like
    /// rounded corners.
    var isRotated = false
    /// Whether a frame is darkened by a shade.
    var isShaded = false
    /// Whether an RGB frame has a brightness offset. For other frames, the color conversion includes the offset.
    var hasBrightnessOffset = false

    /// Whether a shadow is so soft that the rounded corners of its caster make no visible difference to the blur.
    var isSoft = false

    init(_ kind: Kind, isRounded: Bool = false, isSoft: Bool = false) {
        self.kind = kind
        self.isRounded = isRounded
        self.isSoft = isSoft
    }

    init(
        _ layout: PlaneLayout, isRounded: Bool, isShaded: Bool, hasBrightnessOffset: Bool = false,
        isRotated: Bool = false
    ) {
        switch layout {
        case .planar: kind = .planar
        case .semiPlanar: kind = .semiPlanar
        case .gray: kind = .gray
        case .rgb: kind = .rgb
        }
        self.isRounded = isRounded || isRotated
        self.isRotated = isRotated
        self.isShaded = isShaded
        self.hasBrightnessOffset = hasBrightnessOffset && kind == .rgb
    }

    var name: String {
        "\(kind)\(isRounded ? " rounded" : "")\(isShaded ? " shaded" : "")\(isSoft ? " soft" : "")\(hasBrightnessOffset ? " offset" : "")\(isRotated ? " rotated" : "")"
    }

    private var defines: [String] {
        var defines: [String]
        switch kind {
        case .fill: defines = []
        case .box, .shadow: defines = ["AREA"]
        case .raster, .rgb: defines = ["PICTURE"]
        case .planar: defines = ["PICTURE", "PLANAR"]
        case .semiPlanar: defines = ["PICTURE", "SEMI_PLANAR"]
        case .gray: defines = ["PICTURE", "GRAY"]
        }
        if isRounded {
            defines.append("ROUNDED")
            if !defines.contains("AREA") { defines.append("AREA") }
        }
        if isShaded { defines.append("SHADED") }
        if isSoft { defines.append("SOFT") }
        if hasBrightnessOffset { defines.append("OFFSET") }
        if isRotated { defines.append("ROTATED") }
        return defines
    }

    var vertexText: String { prefix + ShaderSource.quadVertex }

    var fragmentText: String {
        let (before, main) =
            switch kind {
            case .fill: ("", ShaderSource.fillFragment)
            case .box: (ShaderSource.outline, ShaderSource.boxFragment)
            case .shadow: (ShaderSource.outline, ShaderSource.shadowFragment)
            case .raster: (ShaderSource.outline, ShaderSource.rasterFragment)
            case .rgb: (ShaderSource.outline + ShaderSource.finish, ShaderSource.rgbFragment)
            case .planar, .semiPlanar, .gray: (ShaderSource.outline + ShaderSource.finish, ShaderSource.videoFragment)
            }
        return prefix + before + "#line 1\n" + main
    }

    /// The lines before a shader's source: the GLSL version, default precisions and defines. A final `#line` makes the
    /// line numbers in the driver's log match those of the source.
    private var prefix: String {
        "#version 300 es\nprecision highp float;\nprecision highp int;\n"
            + defines.map { "#define \($0)\n" }.joined() + "#line 1\n"
    }
}
