package import CFFmpeg
package import Picture

/// An owned `AVFrame`.
///
/// Threads: one owner at a time, on any thread; the samples are no longer written.
package struct DecodedPicture: ~Copyable, @unchecked Sendable {
    // @unchecked: the owner is unique, and FFmpeg's buffer references beneath are atomic.
    package let frame: UnsafeMutablePointer<AVFrame>
    package let format: PixelFormat

    /// Takes ownership of `frame`, which has at least the planes of `format`.
    package init(owning frame: UnsafeMutablePointer<AVFrame>, format: PixelFormat) {
        self.frame = frame
        self.format = format
    }

    deinit {
        var frame: UnsafeMutablePointer<AVFrame>? = frame
        av_frame_free(&frame)
    }

    package var view: PixelView {
        let (data, strides) = (frame.pointee.data, frame.pointee.linesize)
        func plane(_ base: UnsafeMutablePointer<UInt8>?, _ stride: CInt) -> PixelView.Plane? {
            base.map { PixelView.Plane(base: UnsafeRawPointer($0), stride: Int(stride)) }
        }
        guard let first = plane(data.0, strides.0) else { fatalError("a decoded frame without a first plane") }
        return PixelView(format: format, first, plane(data.1, strides.1), plane(data.2, strides.2))
    }

    /// The bytes of the buffers that the frame keeps alive.
    package var byteCount: Int {
        let buffers = frame.pointee.buf
        return [buffers.0, buffers.1, buffers.2, buffers.3].reduce(0) { $0 + Int($1?.pointee.size ?? 0) }
    }
}
