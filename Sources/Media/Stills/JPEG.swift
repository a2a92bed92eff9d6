import GlissadeCFFmpeg
public import GlissadeGeometry
public import GlissadePicture

/// Encodes and decodes small JPEG images in memory with FFmpeg's codecs.
///
/// Both functions block, and may be called on any thread.
public enum JPEG {
    /// Encodes `bitmap` as JPEG data. Nil if FFmpeg lacks the encoder, rejects the size, or runs out of memory.
    public static func encode(_ bitmap: Bitmap) -> [UInt8]? {
        guard let codec = avcodec_find_encoder(AV_CODEC_ID_MJPEG),
            let scaler = glissade_scaler(
                nil, CInt(bitmap.size.width), CInt(bitmap.size.height), AV_PIX_FMT_BGRA, CInt(bitmap.size.width),
                CInt(bitmap.size.height), AV_PIX_FMT_YUVJ444P,
                glissade_scale_bilinear | glissade_scale_accurate_rounding)
        else { return nil }
        defer { glissade_free_scaler(scaler) }
        guard let owner = CodecFrame.picture(AV_PIX_FMT_YUVJ444P, width: bitmap.size.width, height: bitmap.size.height),
            let allocated = avcodec_alloc_context3(codec)
        else { return nil }
        let frame = owner.pointer
        let context = CodecContext(allocated)
        frame.pointee.color_range = AVCOL_RANGE_JPEG
        frame.pointee.quality = quality
        let settings = context.pointer
        settings.pointee.width = frame.pointee.width
        settings.pointee.height = frame.pointee.height
        settings.pointee.pix_fmt = AV_PIX_FMT_YUVJ444P
        settings.pointee.color_range = AVCOL_RANGE_JPEG
        settings.pointee.time_base = AVRational(num: 1, den: 1)
        settings.pointee.flags |= AV_CODEC_FLAG_QSCALE
        settings.pointee.global_quality = quality
        settings.pointee.thread_count = 1
        guard avcodec_open2(settings, codec, nil) >= 0 else { return nil }
        bitmap.withPicture { view in
            _ = glissade_scale_rows(
                scaler, view[plane: 0].base.assumingMemoryBound(to: UInt8.self), CInt(view[plane: 0].stride),
                CInt(bitmap.size.height), frame)
        }
        guard let packet = try? Packet(), avcodec_send_frame(settings, frame) >= 0,
            avcodec_send_frame(settings, nil) >= 0, avcodec_receive_packet(settings, packet.pointer) >= 0
        else { return nil }
        return Array(UnsafeBufferPointer(start: packet.pointer.pointee.data, count: Int(packet.pointer.pointee.size)))
    }

    /// The quality, in libavcodec's lambda units. It corresponds to 3 on the quantizer scale from 2 (best) to 31.
    private static let quality = 3 * CInt(FF_QP2LAMBDA)

    /// The maximum number of pixels in an image to decode. A damaged header may give an absurdly large size.
    private static let mostPixels: Int64 = 1 << 24

    /// Decodes JPEG data to an upright bitmap, scaled down if it exceeds `limit`. Nil if the data cannot be decoded.
    public static func decode(_ bytes: some Collection<UInt8>, fitting limit: PixelSize) -> Bitmap? {
        guard !bytes.isEmpty, let codec = avcodec_find_decoder(AV_CODEC_ID_MJPEG) else { return nil }
        guard let frame = CodecFrame(), let packet = try? Packet(), let allocated = avcodec_alloc_context3(codec) else {
            return nil
        }
        let context = CodecContext(allocated)
        context.pointer.pointee.thread_count = 1
        context.pointer.pointee.max_pixels = mostPixels
        guard avcodec_open2(context.pointer, codec, nil) >= 0,
            av_new_packet(packet.pointer, CInt(clamping: bytes.count)) >= 0, let data = packet.pointer.pointee.data
        else { return nil }
        for (index, byte) in bytes.prefix(Int(packet.pointer.pointee.size)).enumerated() { data[index] = byte }
        guard avcodec_send_packet(context.pointer, packet.pointer) >= 0,
            avcodec_send_packet(context.pointer, nil) >= 0, avcodec_receive_frame(context.pointer, frame.pointer) >= 0
        else { return nil }
        var scaler = BitmapScaler()
        let geometry = (Orientation(of: frame.pointer) ?? .upright).geometry(pixelAspect: nil)
        return scaler.bitmap(frame.pointer, geometry: geometry, over: .black, fitting: limit)
    }
}
