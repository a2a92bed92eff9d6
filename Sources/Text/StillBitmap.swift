public import Motion

/// A small picture that does not move: text or an icon as pixels.
public struct StillBitmap: Sendable, Equatable {
    public var size: PixelSize
    /// Premultiplied B, G, R, A: rows from the top, without padding.
    public var pixels: [UInt8]

    /// - Parameter pixels: four bytes for each pixel of `size`.
    public init(size: PixelSize, pixels: [UInt8]) {
        self.size = size
        self.pixels = pixels
    }

    /// Nothing at all.
    public static let empty = StillBitmap(size: PixelSize(width: 0, height: 0), pixels: [])

    public var isEmpty: Bool { size.isEmpty }
}
