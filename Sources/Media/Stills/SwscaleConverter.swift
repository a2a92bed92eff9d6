package import GlissadeCFFmpeg
import GlissadePicture

/// Converts frames with swscale to formats that the renderers can draw.
///
/// Confined to the video decoder's thread. Reuses swscale's tables for consecutive frames of the same format and size.
package struct SwscaleConverter: ~Copyable {
    private var scaler: OpaquePointer?
    private let budget: ByteBudget

    /// Creates a converter.
    ///
    /// - Parameter budget: The memory budget. Each converted frame counts toward it until the frame is released.
    package init(budget: ByteBudget) { self.budget = budget }

    deinit { glissade_free_scaler(scaler) }

    /// Makes the samples of `frame` writable, by a copy if the decoder still needs them. Returns false, and leaves the
    /// frame as it is, if there is not enough memory or budget.
    package func makeWritable(_ frame: inout CodecFrame) -> Bool {
        if av_frame_is_writable(frame.pointer) > 0 { return true }
        let source = frame.pointer
        let (format, width, height) = (
            AVPixelFormat(source.pointee.format), source.pointee.width, source.pointee.height
        )
        guard let lease = budget.lease(Int(av_image_get_buffer_size(format, width, height, 64))),
            var copy = CodecFrame.picture(format, width: Int(width), height: Int(height)),
            av_frame_copy(copy.pointer, source) >= 0, av_frame_copy_props(copy.pointer, source) >= 0,
            lease.attach(to: copy.pointer)
        else { return false }
        swap(&copy, &frame)
        return true
    }

    /// Converts `source` to a new frame in a format that the renderers can draw. Returns nil if swscale does not
    /// support the source's format, or if there is not enough memory or budget.
    ///
    /// RGB, palette and Bayer formats, and gray whose alpha cannot be blended in its own samples, are converted to 8-bit RGBA. All other formats are converted to gray or planar
    /// YUV with the source's matrix and range. The frame is scaled down if its longer side exceeds `sizeLimit` pixels.
    ///
    /// - Parameter reducesDepth: Whether to reduce gray and YUV samples of more than 8 bits to 8 bits, for devices
    ///   without 16-bit textures. If false, gray samples of more than 8 bits are converted to 16 bits, and YUV samples
    ///   of more than 8 bits to 10 bits.
    package mutating func convert(
        _ source: UnsafeMutablePointer<AVFrame>, sizeLimit: Int, reducesDepth: Bool
    ) -> CodecFrame? {
        let sourceFormat = AVPixelFormat(source.pointee.format)
        guard let descriptor = av_pix_fmt_desc_get(sourceFormat)?.pointee else { return nil }
        var width = Int(source.pointee.width)
        var height = Int(source.pointee.height)
        if max(width, height) > sizeLimit {
            let scale = Double(sizeLimit) / Double(max(width, height))
            width = max(1, Int(Double(width) * scale))
            height = max(1, Int(Double(height) * scale))
        }
        // Gray with alpha that cannot be blended as it is, too: it is blended afterwards.
        let keepsAlpha = descriptor.nb_components == 2 && AlphaBlending.needsConversion(sourceFormat)
        let isRGB = keepsAlpha || PixelFormat.isRGB(sourceFormat)
        let isDeep = descriptor.comp.0.depth > 8 && !reducesDepth
        let target =
            isRGB
            ? AV_PIX_FMT_RGBA
            : descriptor.nb_components <= 2
                ? (isDeep ? AV_PIX_FMT_GRAY16LE : AV_PIX_FMT_GRAY8)
                : descriptor.log2_chroma_h > 0
                    ? (isDeep ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P)
                    : (isDeep ? AV_PIX_FMT_YUV444P10LE : AV_PIX_FMT_YUV444P)

        scaler = glissade_scaler(
            scaler, source.pointee.width, source.pointee.height, sourceFormat, CInt(width), CInt(height), target,
            glissade_scale_bilinear | glissade_scale_accurate_rounding | glissade_scale_full_chroma)
        guard let scaler else { return nil }
        // Keep the range of YUV samples, since the shader converts it.
        let range: CInt = PixelFormat.range(of: source, sourceFormat) == .full ? 1 : 0
        glissade_set_scaler_colors(scaler, SWS_CS_DEFAULT, range, SWS_CS_DEFAULT, isRGB ? 1 : range)

        guard let lease = budget.lease(Int(av_image_get_buffer_size(target, CInt(width), CInt(height), 64))) else {
            return nil
        }
        guard let frame = CodecFrame.picture(target, width: width, height: height),
            glissade_scale_frame(scaler, frame.pointer, source) >= 0,
            av_frame_copy_props(frame.pointer, source) >= 0, lease.attach(to: frame.pointer)
        else { return nil }
        let converted = frame.pointer
        converted.pointee.color_range = range == 1 ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        // Set the matrix explicitly, so that it is not guessed from the reduced size.
        converted.pointee.colorspace = PixelFormat.colorSpace(of: source)
        return frame
    }
}
