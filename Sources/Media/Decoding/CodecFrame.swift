package import GlissadeCFFmpeg

/// An `AVFrame` with a single owner: a decoder fills it, and its buffers are released with it.
///
/// Threads: may be passed from thread to thread. One owner at a time.
package struct CodecFrame: ~Copyable, @unchecked Sendable {
    // @unchecked: there is only one owner, and FFmpeg's buffer references are atomic.
    package let pointer: UnsafeMutablePointer<AVFrame>

    /// Creates an empty frame for FFmpeg to fill; nil if memory runs out.
    package init?() {
        guard let pointer = av_frame_alloc() else { return nil }
        self.pointer = pointer
    }

    /// Returns a video frame with buffers of its own, whose contents are undefined. Nil if memory runs out, or if FFmpeg
    /// rejects the size.
    package static func picture(_ format: AVPixelFormat, width: Int, height: Int) -> CodecFrame? {
        guard let width = CInt(exactly: width), let height = CInt(exactly: height), let frame = CodecFrame() else {
            return nil
        }
        frame.pointer.pointee.format = format.rawValue
        (frame.pointer.pointee.width, frame.pointer.pointee.height) = (width, height)
        guard av_frame_get_buffer(frame.pointer, 0) >= 0 else { return nil }
        return frame
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&pointer)
    }

    /// Returns the frame's contents, and leaves an empty frame in its place. Nil if memory runs out; the contents
    /// then stay.
    package mutating func take() -> CodecFrame? {
        guard var taken = CodecFrame() else { return nil }
        swap(&taken, &self)
        return taken
    }
}
