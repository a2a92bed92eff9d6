import CFFmpeg

/// An open decoder, on its decoder's thread.
struct CodecContext: ~Copyable {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    /// Those that work for it; nil where nobody knows.
    let threads: CodecThreads?

    init(_ pointer: UnsafeMutablePointer<AVCodecContext>, threads: CodecThreads? = nil) {
        self.pointer = pointer
        self.threads = threads
    }

    /// What FFmpeg calls the decoder.
    var name: String? { pointer.pointee.codec.map { String(cString: $0.pointee.name) } }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&pointer)
    }
}

/// Gives a decoder a packet, or the end where it is nil, and takes out every frame that it has then.
///
/// - Parameters:
///   - isCurrent: whether what comes out is still wanted; asked before each frame.
///   - receive: takes one frame out and answers with FFmpeg's code.
func decode(
    _ packet: UnsafePointer<AVPacket>?, with context: UnsafeMutablePointer<AVCodecContext>, isCurrent: () -> Bool,
    report: (PlaybackProblem) -> Void, receive: () -> CInt
) {
    var isPending = true
    while isPending {
        let sent = avcodec_send_packet(context, packet)
        isPending = sent == glissade_averror_again()
        if sent < 0, !isPending, sent != glissade_averror_eof() {
            report(.damagedData(reason: describe(code: sent)))
        }
        while isCurrent() {
            let received = receive()
            if received == glissade_averror_again() || received == glissade_averror_eof() { break }
            if received < 0 {
                report(.damagedData(reason: describe(code: received)))
                break
            }
        }
        // A seek has come: what is in the decoder will be flushed.
        if !isCurrent() { return }
    }
}
