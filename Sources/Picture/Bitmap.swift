public import GlissadeGeometry

/// A raster image in memory, such as a poster, rasterized text or an icon. Any thread.
public struct Bitmap: Hashable, Sendable {
    /// The size, in pixels.
    public let size: PixelSize
    /// The pixels in premultiplied BGRA, top row first, without padding.
    public let pixels: [UInt8]

    public init(size: PixelSize, pixels: [UInt8]) {
        self.size = size
        self.pixels = pixels
    }

    /// An empty bitmap.
    public static let empty = Bitmap(size: PixelSize(width: 0, height: 0), pixels: [])

    /// Whether there is nothing to draw: the size is empty, does not match `pixels`, or exceeds 2²⁰ pixels on a side.
    public var isEmpty: Bool {
        guard !size.isEmpty, max(size.width, size.height) <= 1 << 20 else { return true }
        return pixels.count != size.width * size.height * 4
    }

    /// The pixel format for uploading the bitmap to a texture: BGRA in one plane, full range.
    public var format: PixelFormat { PixelFormat(size: size, layout: .rgb(.bgra), range: .full) }

    /// Calls `body` with a view of the pixels, from which a texture can be made. The view is valid only during the
    /// call. `pixels` must not be empty.
    public func withPicture<R, E: Error>(_ body: (PixelView) throws(E) -> R) throws(E) -> R {
        let result = pixels.withUnsafeBytes { bytes -> Result<R, E> in
            guard let base = bytes.baseAddress else { fatalError("a bitmap without pixels") }
            do throws(E) {
                return .success(try body(PixelView(format: format, .init(base: base, stride: size.width * 4))))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The mean brightness, 0…255; NaN if there are no pixels. The luma weights are approximate.
    public var meanLuma: Double {
        var sum = 0
        for pixel in stride(from: 0, to: pixels.count, by: 4) {
            sum += Int(pixels[pixel]) + 5 * Int(pixels[pixel + 1]) + 2 * Int(pixels[pixel + 2])
        }
        return Double(sum) / Double(pixels.count * 2)
    }

    /// Returns the bitmap made upright: mirrored left to right if `geometry` says so, then rotated.
    public func upright(_ geometry: PixelGeometry) -> Bitmap {
        turned(by: geometry.rotation, isMirrored: geometry.isMirrored)
    }

    /// Returns the bitmap rotated clockwise by `turns`.
    ///
    /// - Parameter isMirrored: Whether the bitmap is mirrored left to right, before it is rotated.
    public func turned(by turns: QuarterTurns, isMirrored: Bool = false) -> Bitmap {
        guard turns != .none || isMirrored else { return self }
        let turnedSize = size.rotated(by: turns)
        let (width, height) = (turnedSize.width, turnedSize.height)
        var turned = [UInt8](repeating: 0, count: pixels.count)
        for y in 0..<height {
            for x in 0..<width {
                let (unmirroredX, fromY) =
                    switch turns {
                    case .none: (x, y)
                    case .quarter: (y, width - 1 - x)
                    case .half: (width - 1 - x, height - 1 - y)
                    case .threeQuarters: (height - 1 - y, x)
                    }
                let fromX = isMirrored ? size.width - 1 - unmirroredX : unmirroredX
                let (from, to) = ((fromY * size.width + fromX) * 4, (y * width + x) * 4)
                for byte in 0..<4 { turned[to + byte] = pixels[from + byte] }
            }
        }
        return Bitmap(size: turnedSize, pixels: turned)
    }
}
