package import GlissadeGeometry
package import GlissadePicture

/// A BGRA frame, in memory from a pool or a `FrameAllocator`.
package struct ConvertedPicture: ~Copyable, Sendable {
    package let buffer: PixelBuffer
    package let size: PixelSize

    package var format: PixelFormat { PixelFormat(size: size, layout: .rgb(.bgra), range: .full) }

    package var view: PixelView {
        PixelView(format: format, .init(base: UnsafeRawPointer(buffer.memory), stride: size.width * 4))
    }
}
