import Picture
import Shaders

/// Selects the program that draws an item.
struct ProgramVariant: Hashable {
    enum Kind: Hashable {
        case fill, box, shadow, raster
        /// Frames, by the layout of their samples.
        case rgb, planar, semiPlanar, gray
    }

    let kind: Kind
    /// Whether corners are rounded; the output is then premultiplied.
    var isRounded = false
    /// Whether a frame is rotated about its center by any angle. Its edges are then antialiased like rounded corners.
    var isRotated = false
    /// Whether a frame is darkened.
    var isShaded = false
    /// Whether an RGB frame has a brightness offset. For other frames, the color conversion includes the offset.
    var hasBrightnessOffset = false

    /// Whether a shadow is so soft that the caster's corners are invisible in it.
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

    /// The GLSL version, precisions and defines. `#line` makes the driver's log refer to the line numbers of the
    /// shader's file.
    private var prefix: String {
        "#version 300 es\nprecision highp float;\nprecision highp int;\n"
            + defines.map { "#define \($0)\n" }.joined() + "#line 1\n"
    }
}
