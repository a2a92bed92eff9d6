import GlissadeCX11

extension XScreen: PixelSource {
    /// A row or a column of the screen. The pointer is not in it. Nil where it does not lie on the screen, or the server's
    /// pixels are not four bytes each.
    package func line(x: Range<Int>, y: Range<Int>) -> PixelLine? {
        guard min(x.count, y.count) == 1, x.lowerBound >= 0, y.lowerBound >= 0, x.upperBound <= width,
            y.upperBound <= height,
            let image = glissade_x11_image(
                display, root, CInt(x.lowerBound), CInt(y.lowerBound), CUnsignedInt(x.count), CUnsignedInt(y.count))
        else { return nil }
        defer { glissade_x11_destroy_image(image) }
        guard image.pointee.bits_per_pixel == 32, let data = image.pointee.data else { return nil }
        // Blue, green, red, nothing; the other way round where the server's numbers begin with their high byte.
        let (red, green, blue) = glissade_x11_is_little_endian(image) != 0 ? (2, 1, 0) : (1, 2, 3)
        let step = y.count == 1 ? 4 : Int(image.pointee.bytes_per_line)
        let bytes = UnsafeRawPointer(data)
        let count = max(x.count, y.count)
        var line = PixelLine(capacity: count)
        for index in 0..<count {
            let pixel = bytes + index * step
            line.append(
                red: pixel.load(fromByteOffset: red, as: UInt8.self),
                green: pixel.load(fromByteOffset: green, as: UInt8.self),
                blue: pixel.load(fromByteOffset: blue, as: UInt8.self))
        }
        return line
    }

    /// The window that lies uppermost there, or the frame that a window manager has put around it; 0 where there is none.
    package func window(x: Int, y: Int) -> UInt {
        var (innerX, innerY): (CInt, CInt) = (0, 0)
        var child: Window = 0
        XTranslateCoordinates(display, root, root, CInt(x), CInt(y), &innerX, &innerY, &child)
        return child
    }
}
