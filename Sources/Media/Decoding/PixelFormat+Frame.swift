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

    /// Returns the color matrix of a frame. If the matrix is unspecified or unknown, the result depends on the size:
    /// BT.709 for more than 576 rows or at least 1280 columns, and BT.601 for smaller frames.
    package static func matrix(of frame: UnsafePointer<AVFrame>) -> ColorMatrix {
        switch frame.pointee.colorspace {
        case AVCOL_SPC_BT709: .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M, AVCOL_SPC_FCC: .bt601
        case AVCOL_SPC_BT2020_NCL, AVCOL_SPC_BT2020_CL: .bt2020
        default: frame.pointee.width >= 1280 || frame.pointee.height > 576 ? .bt709 : .bt601
        }
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
