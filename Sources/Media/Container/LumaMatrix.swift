import GlissadeCFFmpeg

/// A matrix from R'G'B' to luma and chroma, of those that subtitle scripts name (ITU-T H.273, table 4).
public enum LumaMatrix: Hashable, Sendable, CaseIterable {
    case bt601, bt709, smpte240, fcc

    /// The luma weights of red and blue. The weight of green is the remainder to 1.
    public var weights: (red: Double, blue: Double) {
        switch self {
        case .bt601: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .smpte240: (0.212, 0.087)
        case .fcc: (0.30, 0.11)
        }
    }

    /// The matrix of a video stream; nil if it has another one, or none. Unspecified means BT.709 for more than 576 rows
    /// or at least 1280 columns, and BT.601 for smaller pictures.
    init?(_ stream: UnsafePointer<AVStream>) {
        guard let parameters = stream.pointee.codecpar?.pointee else { return nil }
        let flags = av_pix_fmt_desc_get(AVPixelFormat(parameters.format)).map { $0.pointee.flags } ?? 0
        guard flags & UInt64(AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL) == 0 else { return nil }
        switch parameters.color_space {
        case AVCOL_SPC_BT709: self = .bt709
        case AVCOL_SPC_BT470BG, AVCOL_SPC_SMPTE170M: self = .bt601
        case AVCOL_SPC_SMPTE240M: self = .smpte240
        case AVCOL_SPC_FCC: self = .fcc
        case AVCOL_SPC_UNSPECIFIED, AVCOL_SPC_RESERVED:
            self = parameters.width >= 1280 || parameters.height > 576 ? .bt709 : .bt601
        default: return nil
        }
    }
}
