import GlissadeCFFmpeg
public import GlissadeGeometry
import Glibc
public import GlissadePicture
import GlissadePlatform

/// The reason why an image could not be encoded or written. `description` is text for the user.
public enum ImageWriteError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The image could not be encoded, for the given reason.
    case encoder(String)
    /// The file could not be written, for the given reason.
    case file(String)

    public var description: String {
        switch self {
        case .encoder(let reason): "PNG: \(reason)"
        case .file(let reason): reason
        }
    }
}

/// Writes an image to a PNG file with FFmpeg's encoder. Blocks the calling thread. Do not call it from the frame loop
/// during playback.
///
/// - Parameters:
///   - rgba: Four bytes per pixel, top row first, no padding. Alpha is dropped.
///   - path: The file to write. An existing file is replaced.
public func writePNG(rgba: [UInt8], size: PixelSize, to path: String) throws(ImageWriteError) {
    let data = try encodePNG(rgba, size: size, order: .rgba)
    do throws(OutputFile.Failure) { try OutputFile.write(data, to: BytePath(location: path)) } catch {
        throw .file(error.description)
    }
}

/// Encodes an image as PNG data with FFmpeg's encoder. Blocks the calling thread, which may be any thread.
///
/// - Parameters:
///   - pixels: Four bytes per pixel in `order`, top row first, no padding. The fourth byte is ignored.
/// - Throws: `ImageWriteError.encoder`.
public func encodePNG(_ pixels: [UInt8], size: PixelSize, order: PixelOrder) throws(ImageWriteError) -> [UInt8] {
    guard !size.isEmpty, max(size.width, size.height) <= 1 << 20, pixels.count >= size.width * size.height * 4 else {
        throw .encoder("empty image")
    }
    guard let codec = avcodec_find_encoder(AV_CODEC_ID_PNG), var context = Optional(avcodec_alloc_context3(codec))
    else { throw .encoder("no encoder") }
    var packet = av_packet_alloc()
    defer {
        avcodec_free_context(&context)
        av_packet_free(&packet)
    }
    guard let context, let packet else { throw .encoder("out of memory") }
    context.pointee.width = CInt(size.width)
    context.pointee.height = CInt(size.height)
    context.pointee.pix_fmt = AV_PIX_FMT_RGB24
    context.pointee.time_base = AVRational(num: 1, den: 1)
    func check(_ code: CInt) throws(ImageWriteError) { if code < 0 { throw .encoder(describe(code: code)) } }
    try check(avcodec_open2(context, codec, nil))
    guard let owner = CodecFrame.picture(AV_PIX_FMT_RGB24, width: size.width, height: size.height) else {
        throw .encoder("out of memory")
    }
    let frame = owner.pointer
    guard let bytes = frame.pointee.data.0 else { throw .encoder("out of memory") }
    let stride = Int(frame.pointee.linesize.0)
    let (red, blue) = order == .rgba ? (0, 2) : (2, 0)
    for y in 0..<size.height {
        for x in 0..<size.width {
            let (from, to) = ((y * size.width + x) * 4, y * stride + x * 3)
            bytes[to] = pixels[from + red]
            bytes[to + 1] = pixels[from + 1]
            bytes[to + 2] = pixels[from + blue]
        }
    }
    try check(avcodec_send_frame(context, frame))
    try check(avcodec_send_frame(context, nil))
    try check(avcodec_receive_packet(context, packet))
    return Array(UnsafeBufferPointer(start: packet.pointee.data, count: Int(packet.pointee.size)))
}
