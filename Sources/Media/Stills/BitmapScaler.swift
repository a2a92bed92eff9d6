import GlissadeCFFmpeg
import GlissadeGeometry
import GlissadePicture

/// Scales decoded frames to bitmaps with swscale's area filter.
///
/// Not thread-safe. Reuses swscale's tables for consecutive frames of the same format and size.
struct BitmapScaler: ~Copyable {
    private var scaler: OpaquePointer?

    init() {}

    deinit { glissade_free_scaler(scaler) }

    /// Converts `frame` to an upright bitmap with square pixels, scaled down if it exceeds `limit`. Nil if the frame or
    /// `limit` is empty, if swscale does not support the frame's format, or if memory runs out.
    mutating func bitmap(
        _ frame: UnsafeMutablePointer<AVFrame>, geometry: PixelGeometry, fitting limit: PixelSize
    ) -> Bitmap? {
        let format = AVPixelFormat(frame.pointee.format)
        let coded = PixelSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
        guard !coded.isEmpty, !limit.isEmpty else { return nil }
        let size = Self.scaledSize(geometry, coded, fitting: limit)
        scaler = glissade_scaler(
            scaler, frame.pointee.width, frame.pointee.height, format, CInt(size.width), CInt(size.height),
            AV_PIX_FMT_BGRA, glissade_scale_area | glissade_scale_accurate_rounding | glissade_scale_full_chroma)
        guard let scaler else { return nil }
        let matrix =
            switch PixelFormat.matrix(of: frame) {
            case .bt601: SWS_CS_ITU601
            case .bt709: SWS_CS_ITU709
            case .bt2020: SWS_CS_BT2020
            }
        let range: CInt = PixelFormat.range(of: frame, format) == .full ? 1 : 0
        glissade_set_scaler_colors(scaler, matrix, range, SWS_CS_DEFAULT, 1)

        guard let owner = CodecFrame.picture(AV_PIX_FMT_BGRA, width: size.width, height: size.height),
            glissade_scale_frame(scaler, owner.pointer, frame) >= 0, let data = owner.pointer.pointee.data.0
        else { return nil }
        let stride = Int(owner.pointer.pointee.linesize.0)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(size.width * size.height * 4)
        for y in 0..<size.height {
            pixels += UnsafeBufferPointer(start: data + y * stride, count: size.width * 4)
        }
        return Bitmap(size: size, pixels: pixels).upright(geometry)
    }

    /// Returns the size to which a frame is scaled before it is rotated. The rotated bitmap fits `limit`.
    private static func scaledSize(
        _ geometry: PixelGeometry, _ coded: PixelSize, fitting limit: PixelSize
    ) -> PixelSize {
        let shown = PixelGeometry(pixelAspect: geometry.pixelAspect).displaySize(of: coded)
        let swaps = geometry.rotation.swapsAxes
        let (width, height) = (swaps ? limit.height : limit.width, swaps ? limit.width : limit.height)
        let scale = min(1, Double(width) / shown.width, Double(height) / shown.height)
        return PixelSize(
            width: min(max(1, Int((shown.width * scale).rounded())), width),
            height: min(max(1, Int((shown.height * scale).rounded())), height))
    }
}
