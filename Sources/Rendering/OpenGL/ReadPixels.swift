import GlissadeCGLES
public import GlissadeGeometry

extension GLDevice {
    /// Returns the content of the current framebuffer, for screenshots and tests: R, G, B, A bytes, top row first,
    /// `size.width * 4` bytes per row. Alpha is always 255. Waits until all drawing is done.
    ///
    /// - Parameter isTopFirst: Whether the framebuffer's first row is the top row. By default, as in a window, it is the
    ///   bottom row.
    public func readPixels(_ size: PixelSize, isTopFirst: Bool = false) -> [UInt8] {
        guard !size.isEmpty else { return [] }
        let rowBytes = size.width * 4
        var pixels = [UInt8](repeating: 0, count: rowBytes * size.height)
        glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
        pixels.withUnsafeMutableBytes { bytes in
            glReadPixels(
                0, 0, GLsizei(size.width), GLsizei(size.height), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
                bytes.baseAddress)
            for row in 0..<(isTopFirst ? 0 : size.height / 2) {
                let (upper, lower) = (row * rowBytes, (size.height - 1 - row) * rowBytes)
                for column in 0..<rowBytes { bytes.swapAt(upper + column, lower + column) }
            }
            for alpha in stride(from: 3, to: bytes.count, by: 4) { bytes[alpha] = 255 }
        }
        return pixels
    }
}
