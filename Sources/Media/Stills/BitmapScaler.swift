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

    /// Converts `frame` to an upright, opaque bitmap with square pixels, scaled down if it exceeds `limit`. Nil if the
    /// frame or `limit` is empty, if swscale does not support the frame's format, or if memory or `budget` runs out.
    ///
    /// - Parameters:
    ///   - frame: The frame. If it is transparent, it is made opaque.
    ///   - backdrop: What is seen through the transparent parts of the frame.
    ///   - ignoresZeroAlpha: Whether a frame without any opacity counts as opaque.
    ///   - budget: What a converted frame of the full size is taken from; nil for no limit.
    mutating func bitmap(
        _ frame: UnsafeMutablePointer<AVFrame>, geometry: PixelGeometry, over backdrop: Backdrop,
        ignoresZeroAlpha: Bool = false, budget: ByteBudget? = nil, fitting limit: PixelSize
    ) -> Bitmap? {
        switch AlphaBlending.need(of: frame, ignoresZero: ignoresZeroAlpha) {
        case .nothing: break
        case .blending:
            guard av_frame_make_writable(frame) >= 0 else { return nil }
            AlphaBlending.blend(frame, over: backdrop)
        case .conversion:
            let bytes = av_image_get_buffer_size(AV_PIX_FMT_RGBA, frame.pointee.width, frame.pointee.height, 64)
            let lease = budget?.lease(Int(bytes))
            defer { withExtendedLifetime(lease) {} }
            guard budget == nil || lease != nil, let colors = Self.rgba(frame) else { return nil }
            if AlphaBlending.need(of: colors.pointer, ignoresZero: ignoresZeroAlpha) == .blending {
                AlphaBlending.blend(colors.pointer, over: backdrop)
            }
            return opaqueBitmap(colors.pointer, geometry: geometry, fitting: limit)
        }
        return opaqueBitmap(frame, geometry: geometry, fitting: limit)
    }

    /// Returns `frame` in RGBA at its own size; nil if swscale does not support its format, or if memory runs out.
    private static func rgba(_ frame: UnsafeMutablePointer<AVFrame>) -> CodecFrame? {
        let (width, height) = (frame.pointee.width, frame.pointee.height)
        let scaler = glissade_scaler(
            nil, width, height, AVPixelFormat(frame.pointee.format), width, height, AV_PIX_FMT_RGBA,
            glissade_scale_bilinear | glissade_scale_accurate_rounding | glissade_scale_full_chroma)
        guard let scaler else { return nil }
        defer { glissade_free_scaler(scaler) }
        guard let colors = CodecFrame.picture(AV_PIX_FMT_RGBA, width: Int(width), height: Int(height)),
            glissade_scale_frame(scaler, colors.pointer, frame) >= 0
        else { return nil }
        return colors
    }

    /// Converts a frame as `bitmap` does, regardless of its alpha.
    private mutating func opaqueBitmap(
        _ frame: UnsafeMutablePointer<AVFrame>, geometry: PixelGeometry, fitting limit: PixelSize
    ) -> Bitmap? {
        let format = AVPixelFormat(frame.pointee.format)
        let coded = PixelSize(width: Int(frame.pointee.width), height: Int(frame.pointee.height))
        guard !coded.isEmpty, !limit.isEmpty else { return nil }
        let size = Self.scaledSize(geometry, coded, fitting: limit)
        let isRGB = PixelFormat.isRGB(format)
        let matrix = PixelFormat.matrix(of: frame)
        // A matrix that swscale does not have is applied afterwards.
        let keepsPlanes = !isRGB && matrix.weights == nil
        let target = keepsPlanes ? AV_PIX_FMT_YUV444P : AV_PIX_FMT_BGRA
        scaler = glissade_scaler(
            scaler, frame.pointee.width, frame.pointee.height, format, CInt(size.width), CInt(size.height), target,
            glissade_scale_area | glissade_scale_accurate_rounding | glissade_scale_full_chroma)
        guard let scaler else { return nil }
        let range = PixelFormat.range(of: frame, format)
        let isFull: CInt = range == .full ? 1 : 0
        if let weights = matrix.weights, !isRGB {
            setMatrix(scaler, weights, isFull)
        } else {
            // swscale scales RGB as luma and chroma, too: by one matrix there and back.
            glissade_set_scaler_colors(scaler, SWS_CS_DEFAULT, isFull, SWS_CS_DEFAULT, keepsPlanes ? isFull : 1)
        }

        guard let owner = CodecFrame.picture(target, width: size.width, height: size.height),
            glissade_scale_frame(scaler, owner.pointer, frame) >= 0,
            let pixels = Self.pixels(
                owner.pointer,
                keepsPlanes
                    ? RowColorConversion(PixelFormat(size: size, layout: .gray, matrix: matrix, range: range)) : nil)
        else { return nil }
        return Bitmap(size: size, pixels: pixels).upright(geometry)
    }

    /// Has `scaler` convert Y'CbCr with luma `weights` to RGB.
    private func setMatrix(_ scaler: OpaquePointer, _ weights: (red: Double, blue: Double), _ isFull: CInt) {
        let (red, blue, green) = (weights.red, weights.blue, 1 - weights.red - weights.blue)
        var coefficients = [
            2 * (1 - red), 2 * (1 - blue), 2 * blue * (1 - blue) / green, 2 * red * (1 - red) / green,
        ].map { CInt(($0 * 65536 * 255 / 224).rounded()) }
        glissade_set_scaler_matrix(scaler, &coefficients, isFull)
    }

    /// Returns the pixels of a BGRA frame or, with a `conversion`, of planes of full resolution. Nil if the frame has no
    /// memory.
    private static func pixels(
        _ frame: UnsafeMutablePointer<AVFrame>, _ conversion: RowColorConversion?
    ) -> [UInt8]? {
        let (width, height) = (Int(frame.pointee.width), Int(frame.pointee.height))
        let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
        guard let first = data.0 else { return nil }
        return [UInt8](unsafeUninitializedCapacity: width * height * 4) { pixels, count in
            guard let base = pixels.baseAddress else { return }
            for y in 0..<height {
                let row = base + y * width * 4
                if let conversion, let u = data.1, let v = data.2 {
                    conversion.convert(
                        y: first + y * Int(strides.0), u: u + y * Int(strides.1), v: v + y * Int(strides.2), to: row,
                        count: width)
                } else {
                    row.update(from: first + y * Int(strides.0), count: width * 4)
                }
            }
            count = width * height * 4
        }
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
