package import GlissadeCFFmpeg
import GlissadeGeometry
package import GlissadePicture

extension PixelFormat {
    /// Describes the memory layout and color properties of an FFmpeg frame; nil if the frame cannot be drawn without
    /// conversion.
    package init?(_ frame: UnsafePointer<AVFrame>) {
        let pixelFormat = AVPixelFormat(frame.pointee.format)
        guard let descriptor = av_pix_fmt_desc_get(pixelFormat)?.pointee else { return nil }
        let refused = AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER
        guard descriptor.flags & UInt64(refused) == 0 else { return nil }
        let luma = descriptor.comp.0
        let depth = Int(luma.depth)
        guard depth >= 8, depth <= 16, depth == 8 || descriptor.flags & UInt64(AV_PIX_FMT_FLAG_BE) == 0 else {
            return nil
        }
        guard Self.stridesAreForward(frame) else { return nil }
        let sampleBytes = depth > 8 ? 2 : 1

        let layout: PlaneLayout
        if pixelFormat == AV_PIX_FMT_RGBA || pixelFormat == AV_PIX_FMT_RGB0 {
            layout = .rgb(.rgba)
        } else if descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB) != 0 {
            return nil
        } else if descriptor.nb_components == 1 {
            guard Int(luma.step) == sampleBytes else { return nil }
            layout = .gray
        } else if descriptor.flags & UInt64(AV_PIX_FMT_FLAG_PLANAR) != 0, descriptor.nb_components >= 3 {
            let (u, v) = (descriptor.comp.1, descriptor.comp.2)
            let shifts = (descriptor.log2_chroma_w, descriptor.log2_chroma_h)
            if u.plane == 1, v.plane == 2, Int(u.step) == sampleBytes {
                switch shifts {
                case (1, 1): layout = .planar(.quarter)
                case (1, 0): layout = .planar(.halfAcross)
                case (0, 0): layout = .planar(.full)
                default: return nil
                }
            } else if u.plane == 1, v.plane == 1, shifts == (1, 1), Int(u.step) == 2 * sampleBytes {
                layout = .semiPlanar(vFirst: v.offset < u.offset)
            } else {
                return nil
            }
        } else {
            return nil
        }
        self.init(
            size: PixelSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height)), layout: layout,
            bitDepth: depth, isHighAligned: depth > 8 && luma.shift > 0, matrix: Self.matrix(of: frame),
            range: Self.range(of: frame, pixelFormat), siting: Self.siting(of: frame, pixelFormat))
    }

    private static func stridesAreForward(_ frame: UnsafePointer<AVFrame>) -> Bool {
        let strides = frame.pointee.linesize
        return strides.0 > 0 && strides.1 >= 0 && strides.2 >= 0
    }

    /// Returns the color matrix of a frame. Without a matrix, or with one that is unknown or impossible, the result
    /// depends on the size: BT.709 for more than 576 rows or at least 1280 columns, and BT.601 for smaller frames.
    ///
    /// Constant luminance and ICtCp need transfer functions, which no conversion here has. They are shown with the
    /// nearest matrix that needs none.
    package static func matrix(of frame: UnsafePointer<AVFrame>) -> ColorMatrix {
        matrix(colorSpace(of: frame), frame.pointee.color_primaries)
    }

    /// Returns the color matrix of the frames that a stream declares, as that of a frame; nil if they are RGB.
    static func matrix(of parameters: UnsafePointer<AVCodecParameters>) -> ColorMatrix? {
        let parameters = parameters.pointee
        let format = AVPixelFormat(parameters.format)
        if isRGB(format) { return nil }
        let space = colorSpace(parameters.color_space, format, parameters.width, parameters.height)
        return matrix(space, parameters.color_primaries)
    }

    private static func matrix(_ space: AVColorSpace, _ primaries: AVColorPrimaries) -> ColorMatrix {
        switch space {
        case AVCOL_SPC_RGB: .identity
        case AVCOL_SPC_BT709: .bt709
        case AVCOL_SPC_FCC: .fcc
        case AVCOL_SPC_SMPTE240M: .smpte240
        case AVCOL_SPC_YCGCO: .yCgCo
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL, AVCOL_SPC_ICTCP: .bt2020
        case AVCOL_SPC_CHROMA_DERIVED_NCL, AVCOL_SPC_CHROMA_DERIVED_CL:
            ColorMatrix(primaries: primaries)
        default: .bt601
        }
    }

    /// Returns what names the color matrix of a frame, as in `matrix(of:)`: the frame's own color space or, without a
    /// valid one, the one for its size.
    package static func colorSpace(of frame: UnsafePointer<AVFrame>) -> AVColorSpace {
        colorSpace(
            frame.pointee.colorspace, AVPixelFormat(frame.pointee.format), frame.pointee.width, frame.pointee.height)
    }

    private static func colorSpace(
        _ space: AVColorSpace, _ format: AVPixelFormat, _ width: CInt, _ height: CInt
    ) -> AVColorSpace {
        switch space {
        case AVCOL_SPC_BT709, AVCOL_SPC_FCC, AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_SMPTE240M,
            AVCOL_SPC_YCGCO, AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL, AVCOL_SPC_ICTCP, AVCOL_SPC_CHROMA_DERIVED_NCL,
            AVCOL_SPC_CHROMA_DERIVED_CL:
            return space
        case AVCOL_SPC_RGB where hasFullChroma(format):
            // Planes of colors have the same size (H.273, table 4).
            return space
        default:
            return width >= 1280 || height > 576 ? AVCOL_SPC_BT709 : AVCOL_SPC_SMPTE170M
        }
    }

    private static func hasFullChroma(_ pixelFormat: AVPixelFormat) -> Bool {
        guard let descriptor = av_pix_fmt_desc_get(pixelFormat)?.pointee else { return false }
        return descriptor.log2_chroma_w == 0 && descriptor.log2_chroma_h == 0
    }

    /// Whether a pixel format has colors or a palette of colors, which no matrix applies to.
    package static func isRGB(_ pixelFormat: AVPixelFormat) -> Bool {
        guard let descriptor = av_pix_fmt_desc_get(pixelFormat)?.pointee else { return false }
        return descriptor.flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL | AV_PIX_FMT_FLAG_BAYER) != 0
    }

    /// Returns the color range of a frame. If the frame specifies no range, gray and FFmpeg's "J" formats have full
    /// range, as in swscale. All other formats have limited range.
    package static func range(of frame: UnsafePointer<AVFrame>, _ pixelFormat: AVPixelFormat) -> ColorRange {
        switch frame.pointee.color_range {
        case AVCOL_RANGE_JPEG: return .full
        case AVCOL_RANGE_MPEG: return .limited
        default: break
        }
        switch pixelFormat {
        case AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_YUVJ411P, AV_PIX_FMT_YUVJ440P:
            return .full
        default:
            return av_pix_fmt_desc_get(pixelFormat).map { $0.pointee.nb_components <= 2 } ?? false ? .full : .limited
        }
    }

    /// Returns the chroma siting of a frame. If the frame specifies no siting, the result is center for full range, as
    /// in JPEG, and left for limited range, as in H.264 and MPEG-2.
    package static func siting(of frame: UnsafePointer<AVFrame>, _ pixelFormat: AVPixelFormat) -> ChromaSiting {
        switch frame.pointee.chroma_location {
        case AVCHROMA_LOC_LEFT, AVCHROMA_LOC_BOTTOMLEFT: .left
        case AVCHROMA_LOC_CENTER, AVCHROMA_LOC_TOP, AVCHROMA_LOC_BOTTOM: .center
        case AVCHROMA_LOC_TOPLEFT: .topLeft
        default: range(of: frame, pixelFormat) == .full ? .center : .left
        }
    }
}

extension ColorMatrix {
    /// Creates the matrix of non-constant luminance that follows from primaries (H.273, equations 32…37); that of
    /// BT.709 for unspecified or unknown primaries.
    init(primaries: AVColorPrimaries) {
        let d65 = (x: 0.3127, y: 0.3290)
        let c = (x: 0.310, y: 0.316)
        typealias Point = (x: Double, y: Double)
        let (red, green, blue, white): (Point, Point, Point, Point)
        switch primaries {
        case AVCOL_PRI_BT470M: (red, green, blue, white) = ((0.67, 0.33), (0.21, 0.71), (0.14, 0.08), c)
        case AVCOL_PRI_BT470BG: (red, green, blue, white) = ((0.64, 0.33), (0.29, 0.60), (0.15, 0.06), d65)
        case AVCOL_PRI_SMPTE170M, AVCOL_PRI_SMPTE240M:
            (red, green, blue, white) = ((0.630, 0.340), (0.310, 0.595), (0.155, 0.070), d65)
        case AVCOL_PRI_FILM: (red, green, blue, white) = ((0.681, 0.319), (0.243, 0.692), (0.145, 0.049), c)
        case AVCOL_PRI_BT2020: (red, green, blue, white) = ((0.708, 0.292), (0.170, 0.797), (0.131, 0.046), d65)
        case AVCOL_PRI_SMPTE431:
            (red, green, blue, white) = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), (0.314, 0.351))
        case AVCOL_PRI_SMPTE432: (red, green, blue, white) = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060), d65)
        case AVCOL_PRI_EBU3213: (red, green, blue, white) = ((0.630, 0.340), (0.295, 0.605), (0.155, 0.077), d65)
        default:
            self = .bt709
            return
        }
        func z(_ point: Point) -> Double { 1 - point.x - point.y }
        func minor(_ a: Point, _ b: Point) -> SIMD3<Double> {
            SIMD3(a.y * z(b) - b.y * z(a), b.x * z(a) - a.x * z(b), a.x * b.y - b.x * a.y)
        }
        let xyz = SIMD3(white.x, white.y, z(white)) / white.y
        let determinant = (SIMD3(red.x, red.y, z(red)) * minor(green, blue)).sum()
        self = .derived(
            red: red.y * (xyz * minor(green, blue)).sum() / determinant,
            blue: blue.y * (xyz * minor(red, green)).sum() / determinant)
    }
}
