public import GlissadeGeometry

// The pixel format of a decoded frame: its memory layout and colors. Decoding and rendering share it, so that neither
// depends on the other.

/// The resolution of chroma compared with that of luma.
public enum ChromaSubsampling: Hashable, Sendable {
    /// 4:2:0: half the resolution in both directions.
    case quarter
    /// 4:2:2: half the resolution horizontally, the full resolution vertically.
    case halfAcross
    /// 4:4:4: the full resolution.
    case full

    /// The number of bits by which the luma width is shifted right to get the chroma width. The result is rounded up,
    /// so that chroma covers the last column of an odd width.
    public var horizontalShift: Int { self == .full ? 0 : 1 }
    /// The number of bits by which the luma height is shifted right to get the chroma height. The result is rounded up.
    public var verticalShift: Int { self == .quarter ? 1 : 0 }
}

/// The byte order of an RGB pixel in memory.
public enum PixelOrder: Hashable, Sendable {
    /// Red, green, blue, alpha.
    case rgba
    /// Blue, green, red, alpha: the order that most window systems use.
    case bgra
}

/// The arrangement of samples in planes.
public enum PlaneLayout: Hashable, Sendable {
    /// Three planes: Y, U (Cb), V (Cr).
    case planar(ChromaSubsampling)
    /// Two planes: Y, and interleaved U and V at 4:2:0. In NV12, U comes first; in NV21, V comes first.
    case semiPlanar(vFirst: Bool)
    /// One plane of Y.
    case gray
    /// One plane of four bytes per pixel, in the given order. The alpha byte of a video frame is ignored.
    case rgb(PixelOrder)
}

/// The matrix from luma and chroma to R'G'B'. The coefficients are those of ITU-T H.273, table 4.
public enum ColorMatrix: Hashable, Sendable {
    /// Kr = 0.299, Kb = 0.114.
    case bt601
    /// Kr = 0.2126, Kb = 0.0722.
    case bt709
    /// Kr = 0.2627, Kb = 0.0593, non-constant luminance.
    case bt2020
    /// Kr = 0.30, Kb = 0.11: NTSC of 1953 (US 47 CFR 73.682).
    case fcc
    /// Kr = 0.212, Kb = 0.087: SMPTE ST 240, early HDTV.
    case smpte240
    /// Weights that follow from the film's primaries, non-constant luminance. Weights that leave nothing for green
    /// count as those of BT.709.
    case derived(red: Double, blue: Double)
    /// YCgCo. The chroma planes are Cg and Co. Luma is a quarter of red and blue, and half of green.
    case yCgCo
    /// None: the planes are green, blue and red.
    case identity

    /// The matrices from luma and chroma that have a name of their own.
    public static let allCases: [ColorMatrix] = [.bt601, .bt709, .bt2020, .fcc, .smpte240, .yCgCo]

    /// The luma weights of red and blue. The weight of green is the remainder to 1. Nil if the chroma planes are not
    /// differences of blue and red to luma.
    public var weights: (red: Double, blue: Double)? {
        switch self {
        case .bt601: return (0.299, 0.114)
        case .bt709: return (0.2126, 0.0722)
        case .bt2020: return (0.2627, 0.0593)
        case .fcc: return (0.30, 0.11)
        case .smpte240: return (0.212, 0.087)
        case .derived(let red, let blue):
            return red >= 0 && blue >= 0 && red + blue <= 0.9 ? (red, blue) : (0.2126, 0.0722)
        case .yCgCo, .identity: return nil
        }
    }
}

/// The sample values of black and white.
public enum ColorRange: Hashable, Sendable, CaseIterable {
    /// Luma 16…235, chroma 16…240 (at 8 bits).
    case limited
    /// 0…255 (at 8 bits).
    case full
}

/// The position of a chroma sample relative to its luma samples (H.273, figure 1).
public enum ChromaSiting: Hashable, Sendable {
    /// In the left luma column, halfway between two rows: MPEG-2, H.264, and limited-range files that do not specify a
    /// position.
    case left
    /// At the center of its luma samples: MPEG-1, JPEG, and full-range files that do not specify a position.
    case center
    /// At the top-left luma sample: BT.2020 4:2:0.
    case topLeft
}

/// The size, memory layout and meaning of a frame's samples.
public struct PixelFormat: Hashable, Sendable {
    /// The size of the frame in pixels. The luma plane has the same size.
    public var size: PixelSize
    /// The arrangement of the samples in planes.
    public var layout: PlaneLayout
    /// The number of significant bits in a sample, 8…16. Samples of more than 8 bits are little-endian 16-bit words.
    public var bitDepth: Int
    /// Whether the significant bits are the high ones of the word (P010) rather than the low ones (yuv420p10le).
    /// Ignored at 8 bits.
    public var isHighAligned: Bool
    /// The matrix from Y'CbCr to R'G'B'; ignored for RGB.
    public var matrix: ColorMatrix
    /// The sample values of black and white.
    public var range: ColorRange
    /// The position of chroma samples relative to luma samples.
    public var siting: ChromaSiting

    public init(
        size: PixelSize, layout: PlaneLayout, bitDepth: Int = 8, isHighAligned: Bool = false,
        matrix: ColorMatrix = .bt709, range: ColorRange = .limited, siting: ChromaSiting = .left
    ) {
        self.size = size
        self.layout = layout
        self.bitDepth = bitDepth
        self.isHighAligned = isHighAligned
        self.matrix = matrix
        self.range = range
        self.siting = siting
    }

    /// The number of bytes in a sample: 1 or 2.
    public var bytesPerSample: Int { bitDepth > 8 ? 2 : 1 }

    /// The number of planes, 1…3.
    public var planeCount: Int {
        switch layout {
        case .planar: 3
        case .semiPlanar: 2
        case .gray, .rgb: 1
        }
    }

    /// The size of `plane`, in texels. A texel of an interleaved plane contains both chroma samples.
    public func planeSize(_ plane: Int) -> PixelSize {
        guard plane > 0 else { return size }
        switch layout {
        case .planar(let chroma):
            return PixelSize(
                width: Self.shiftUp(size.width, chroma.horizontalShift),
                height: Self.shiftUp(size.height, chroma.verticalShift))
        case .semiPlanar:
            return PixelSize(width: Self.shiftUp(size.width, 1), height: Self.shiftUp(size.height, 1))
        case .gray, .rgb:
            return size
        }
    }

    /// The number of bytes in a texel of `plane`.
    public func texelBytes(_ plane: Int) -> Int {
        switch layout {
        case .rgb: 4
        case .semiPlanar where plane == 1: 2 * bytesPerSample
        default: bytesPerSample
        }
    }

    private static func shiftUp(_ value: Int, _ shift: Int) -> Int { (value + (1 << shift) - 1) >> shift }
}
