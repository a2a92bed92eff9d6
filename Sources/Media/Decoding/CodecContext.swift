package import CFFmpeg

/// An open decoder, on its decoder's thread.
package struct CodecContext: ~Copyable {
    package let pointer: UnsafeMutablePointer<AVCodecContext>
    /// To the device that decodes; nil for a decoder in software.
    package let link: HardwareLink?
    /// Where its frames' memory comes from; nil for a decoder on a device, and for sound.
    package let pool: FramePool?
    /// Those that work for it; nil where nobody knows.
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

    /// What FFmpeg calls the decoder.
    package var name: String? { pointer.pointee.codec.map { String(cString: $0.pointee.name) } }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&pointer)
        pool?.end()
    }
}

/// Gives a decoder a packet, or the end where it is nil, and takes out every frame that it has then.
///
/// - Parameters:
///   - isCurrent: whether what comes out is still wanted; asked before each frame.
///   - failed: told FFmpeg's code where a packet, or what comes of it, cannot be decoded.
///   - receive: takes one frame out and answers with FFmpeg's code.
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
        // A seek has come: what is in the decoder will be flushed.
        if !isCurrent() { return }
    }
}
