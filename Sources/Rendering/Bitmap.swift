public import Motion

/// A still picture in memory. A value.
public struct Bitmap: Sendable {
    public let size: PixelSize
    /// Premultiplied: blue, green, red, alpha; rows from the top, nothing between them.
    public let pixels: [UInt8]

    public init(size: PixelSize, pixels: [UInt8]) {
        self.size = size
        self.pixels = pixels
    }

    /// Whether there is nothing to draw: no pixels, or not as many as the size says.
    public var isEmpty: Bool {
        guard !size.isEmpty, max(size.width, size.height) <= 1 << 20 else { return true }
        return pixels.count != size.width * size.height * 4
    }
}
