package import GlissadePicture

/// A decoded video frame whose format can be shown.
///
/// Threads: may be used on any thread, by one owner at a time. The samples do not change.
package struct DecodedPicture: ~Copyable, Sendable {
    private let frame: CodecFrame
    package let format: PixelFormat

    /// Takes `frame`, which must have the planes of `format`.
    package init(_ frame: consuming CodecFrame, format: PixelFormat) {
        self.frame = frame
        self.format = format
    }

    /// The frame's planes, which are valid as long as this frame exists.
    package var view: PixelView {
        let (data, strides) = (frame.pointer.pointee.data, frame.pointer.pointee.linesize)
        func plane(_ base: UnsafeMutablePointer<UInt8>?, _ stride: CInt) -> PixelView.Plane? {
            base.map { PixelView.Plane(base: UnsafeRawPointer($0), stride: Int(stride)) }
        }
        guard let first = plane(data.0, strides.0) else { fatalError("a decoded frame without a first plane") }
        return PixelView(format: format, first, plane(data.1, strides.1), plane(data.2, strides.2))
    }

    /// The total size of the buffers that the frame keeps alive, in bytes.
    package var byteCount: Int {
        let buffers = frame.pointer.pointee.buf
        return [buffers.0, buffers.1, buffers.2, buffers.3].reduce(0) { $0 + Int($1?.pointee.size ?? 0) }
    }
}
