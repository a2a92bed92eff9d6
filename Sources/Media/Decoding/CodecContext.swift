package import GlissadeCFFmpeg

/// An open decoder, with the objects that it uses. Confined to the decoder's thread.
package struct CodecContext: ~Copyable {
    package let pointer: UnsafeMutablePointer<AVCodecContext>
    /// The link to the decoding device; nil for software decoders.
    package let link: HardwareLink?
    /// The pool that provides memory for frames; nil for hardware and audio decoders.
    package let pool: FramePool?
    /// The decoder's worker threads; nil if unknown.
    package let threads: CodecThreads?

    package init(
        _ pointer: UnsafeMutablePointer<AVCodecContext>, link: HardwareLink? = nil, pool: FramePool? = nil,
        threads: CodecThreads? = nil
    ) {
        self.pointer = pointer
        self.link = link
        self.pool = pool
        self.threads = threads
    }

    /// FFmpeg's name for the decoder; nil if it has none.
    package var name: String? { pointer.pointee.codec.map { String(cString: $0.pointee.name) } }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&pointer)
        pool?.end()
    }
}

/// Sends a packet to a decoder, and receives all frames that are ready. A nil packet means the end of the stream.
///
/// - Parameters:
///   - isCurrent: Called before each frame. Returns whether the frames are still wanted. If not, the remaining frames
///     are left in the decoder.
///   - failed: Called with FFmpeg's code if the packet or a frame cannot be decoded.
///   - receive: Receives one frame and returns FFmpeg's code.
package func decode(
    _ packet: UnsafePointer<AVPacket>?, with context: UnsafeMutablePointer<AVCodecContext>, isCurrent: () -> Bool,
    failed: (CInt) -> Void, receive: () -> CInt
) {
    var isPending = true
    while isPending {
        let sent = avcodec_send_packet(context, packet)
        isPending = sent == glissade_averror_again()
        if sent < 0, !isPending, sent != glissade_averror_eof() {
            failed(sent)
        }
        while isCurrent() {
            let received = receive()
            if received == glissade_averror_again() || received == glissade_averror_eof() { break }
            if received < 0 {
                failed(received)
                break
            }
        }
        // Frames become unwanted after a seek, which also flushes the decoder.
        if !isCurrent() { return }
    }
}
