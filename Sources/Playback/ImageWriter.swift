import CFFmpeg
import Glibc
public import Motion

/// Why a picture could not be written.
public enum ImageWriteError: Error, Hashable, Sendable, CustomStringConvertible {
    case encoder(String)
    case file(String)

    public var description: String {
        switch self {
        case .encoder(let reason): "PNG: \(reason)"
        case .file(let reason): reason
        }
    }
}

/// Writes a picture as a PNG file, by FFmpeg's encoder. Blocks: not for the frame loop's steady course.
///
/// - Parameters:
///   - rgba: four bytes a pixel, the top row first, no padding; alpha is dropped.
///   - path: an existing file is replaced.
public func writePNG(rgba: [UInt8], size: PixelSize, to path: String) throws(ImageWriteError) {
    guard !size.isEmpty, rgba.count >= size.width * size.height * 4 else { throw .encoder("an empty picture") }
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_PNG), var context = Optional(avcodec_alloc_context3(codec))
    else { throw .encoder("no encoder") }
    var frame = av_frame_alloc()
    var packet = av_packet_alloc()
    defer {
        avcodec_free_context(&context)
        av_frame_free(&frame)
        av_packet_free(&packet)
    }
    guard let context, let frame, let packet else { throw .encoder("out of memory") }
    context.pointee.width = CInt(size.width)
    context.pointee.height = CInt(size.height)
    context.pointee.pix_fmt = AV_PIX_FMT_RGB24
    context.pointee.time_base = AVRational(num: 1, den: 1)
    frame.pointee.format = AV_PIX_FMT_RGB24.rawValue
    frame.pointee.width = CInt(size.width)
    frame.pointee.height = CInt(size.height)
    func check(_ code: CInt) throws(ImageWriteError) { if code < 0 { throw .encoder(describe(code: code)) } }
    try check(avcodec_open2(context, codec, nil))
    try check(av_frame_get_buffer(frame, 0))
    guard let pixels = frame.pointee.data.0 else { throw .encoder("out of memory") }
    let stride = Int(frame.pointee.linesize.0)
    for y in 0..<size.height {
        for x in 0..<size.width {
            let (from, to) = ((y * size.width + x) * 4, y * stride + x * 3)
            for channel in 0..<3 { pixels[to + channel] = rgba[from + channel] }
        }
    }
    try check(avcodec_send_frame(context, frame))
    try check(avcodec_send_frame(context, nil))
    try check(avcodec_receive_packet(context, packet))

    guard let file = fopen(path, "wb") else { throw .file(String(cString: strerror(errno))) }
    let written = fwrite(packet.pointee.data, 1, Int(packet.pointee.size), file)
    guard fclose(file) == 0, written == Int(packet.pointee.size) else { throw .file(String(cString: strerror(errno))) }
}
