import CGLES
public import Motion

extension GLDevice {
    /// What the current framebuffer shows: R, G, B, A bytes, the top row first, `size.width * 4` bytes a row.
    ///
    /// Alpha is 255 throughout: what is on the screen is opaque. Waits for all drawing; for screenshots and tests.
    @MainActor public func readPixels(_ size: PixelSize) -> [UInt8] {
        guard !size.isEmpty else { return [] }
        let rowBytes = size.width * 4
        var pixels = [UInt8](repeating: 0, count: rowBytes * size.height)
        glPixelStorei(GLenum(GL_PACK_ALIGNMENT), 1)
        glPixelStorei(GLenum(GL_PACK_ROW_LENGTH), 0)
        pixels.withUnsafeMutableBytes { bytes in
            glReadPixels(
                0, 0, GLsizei(size.width), GLsizei(size.height), GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE),
                bytes.baseAddress)
            // GL's first row is the lowest.
            for row in 0..<size.height / 2 {
                let (upper, lower) = (row * rowBytes, (size.height - 1 - row) * rowBytes)
                for column in 0..<rowBytes { bytes.swapAt(upper + column, lower + column) }
            }
            for alpha in stride(from: 3, to: bytes.count, by: 4) { bytes[alpha] = 255 }
        }
        return pixels
    }

    /// The current framebuffer's size, as the driver has it: a window's is what it found when it last looked, and there is no
    /// other way to ask for that.
    ///
    /// Found by some dozen of looks for a pixel. Of Mesa, which leaves memory alone for which there is none; GL itself says
    /// nothing of that. Waits for all drawing.
    @MainActor public var framebufferSize: PixelSize {
        // What is out of bounds is decided before the driver looks.
        lookAtFramebuffer()
        return PixelSize(width: count { hasPixel($0, 0) }, height: count { hasPixel(0, $0) })
    }

    /// The same where it is likely to be `size`, which takes a few looks.
    @MainActor public func framebufferSize(expecting size: PixelSize) -> PixelSize {
        lookAtFramebuffer()
        let isSo =
            hasPixel(size.width - 1, size.height - 1) && !hasPixel(size.width, 0) && !hasPixel(0, size.height)
        return isSo ? size : framebufferSize
    }

    /// Has the driver find out a window's size, as it does before it draws into it for the first time since a swap.
    @MainActor private func lookAtFramebuffer() { _ = hasPixel(0, 0) }

    /// How many numbers from 0 on `isThere` holds for.
    @MainActor private func count(_ isThere: (Int) -> Bool) -> Int {
        var (there, beyond) = (-1, maxTextureSize)
        while beyond - there > 1 {
            let middle = (there + beyond) / 2
            if isThere(middle) { there = middle } else { beyond = middle }
        }
        return there + 1
    }

    @MainActor private func hasPixel(_ x: Int, _ y: Int) -> Bool {
        // A pixel may be what was there before; not twice.
        [0x0102_0304, 0x0506_0708].contains { (before: UInt32) in
            var pixel = before
            glReadPixels(GLint(x), GLint(y), 1, 1, GLenum(GL_RGBA), GLenum(GL_UNSIGNED_BYTE), &pixel)
            return pixel != before
        }
    }
}
