import GlissadeGeometry

/// The shape of a shadow, without its position and color.
struct ShadowShape: Hashable {
    /// Twice the standard deviation of the Gaussian, in pixels.
    let blur: Double
    /// The size and the corner radius of the caster, which is the rectangle that casts the shadow, in pixels.
    let size: PixelSize
    let radius: Double

    /// Whether the blur ignores the corner radius, because the radius is small relative to the blur
    /// (`Compositor.softCorners`).
    var isSoft: Bool { radius <= 0 || radius <= blur * Compositor.softCorners }

    /// Returns the intensity of the shadow, 0…1, at the offset (`x`, `y`) from the center of the caster. Uses the
    /// formulas of shadow.frag, but does not cut out the caster.
    func shade(_ x: Double, _ y: Double) -> Double {
        let (width, height) = (Double(size.width) / 2, Double(size.height) / 2)
        if isSoft { return profile(x, reach: width) * profile(y, reach: height) }
        // The integral ends at three standard deviations, beyond which there is almost nothing.
        let deviation = max(blur, 0.01) / 2
        func within(_ value: Double) -> Double { min(max(value, y - height), y + height) }
        let (first, last) = (within(-3 * deviation), within(3 * deviation))
        let rows = 12
        let row = (last - first) / Double(rows)
        var shade = 0.0
        for index in 0..<rows {
            let away = first + row * (Double(index) + 0.5)
            let intoCorner = min(height - radius - abs(y - away), 0)
            let reach = width - radius + max(radius * radius - intoCorner * intoCorner, 0).squareRoot()
            let weight = away * scale
            shade += profile(x, reach: reach) * exponential(-weight * weight) * 0.564_189_58 * scale * row
        }
        return shade
    }

    /// Returns the value at `x`, 0…1, of a blurred box function. Before the blur, the function is 1 from -`reach` to
    /// `reach` and 0 elsewhere.
    func profile(_ x: Double, reach: Double) -> Double {
        0.5 * (Self.errorFunction((x + reach) * scale) - Self.errorFunction((x - reach) * scale))
    }

    private var scale: Double { 2.0.squareRoot() / max(blur, 0.01) }

    /// Returns the error function of `x`, approximated by formula 7.1.27 of Abramowitz and Stegun. The error is at most
    /// 0.0005.
    private static func errorFunction(_ x: Double) -> Double {
        let a = abs(x)
        var b = 1 + a * (0.278393 + a * (0.230389 + a * (0.000972 + a * 0.078108)))
        b *= b
        let value = 1 - 1 / (b * b)
        return x < 0 ? -value : value
    }
}

/// The shadow of a rectangle as a coverage mask: the corners of the shadow, and at most one column and one row between
/// them. Drawing repeats that column and row, since the shadow does not vary between the corners. Any thread that holds
/// `RenderLock`.
final class ShadowMask {
    /// The shape of the mask, as returned by `reduced`.
    let shape: ShadowShape
    let raster: Raster
    /// How far the shadow extends beyond its caster, in pixels.
    let reach: Int

    /// The maximum size of a mask with soft corners and of a mask with hard corners, in bytes. A shadow that needs a
    /// larger mask is computed while it is drawn. The limit is lower for hard corners because they take a hundred times
    /// as long to compute.
    private static let (byteLimit, hardByteLimit) = (1 << 20, 1 << 18)

    /// How far a shadow extends beyond the edges of its caster, in pixels.
    static func reach(_ blur: Double) -> Int { Int(min(blur * 1.5, 1e6).rounded(.up)) }
    /// How far inside the edges of its caster a shadow still varies, in pixels.
    private static func depth(_ blur: Double, radius: Double) -> Int {
        Int((min(blur * 1.75, 1e6) + min(radius, 1e6)).rounded(.up)) + 1
    }

    /// Returns the shape from which to make a mask. It is `shape` with a smaller caster, so that at most one column and
    /// one row remain between the corners of the shadow.
    static func reduced(_ shape: ShadowShape) -> ShadowShape {
        let most = 2 * depth(shape.blur, radius: shape.isSoft ? 0 : shape.radius) + 1
        // Even if the blur ignores rounded corners, the area cut out for the caster has them.
        let least = max(most, 2 * Int(min(shape.radius, 1e6).rounded(.up)) + 1)
        return ShadowShape(
            blur: shape.blur,
            size: PixelSize(width: min(shape.size.width, least), height: min(shape.size.height, least)),
            radius: shape.radius)
    }

    /// Makes the mask of a shape returned by `reduced`. Returns nil if the mask would be too large, or if out of
    /// memory.
    init?(_ shape: ShadowShape) {
        let reach = Self.reach(shape.blur)
        let size = PixelSize(width: shape.size.width + 2 * reach, height: shape.size.height + 2 * reach)
        guard size.width * size.height <= (shape.isSoft ? Self.byteLimit : Self.hardByteLimit),
            max(size.width, size.height) <= PixmanImage.sizeLimit, let raster = Raster(.coverage, size: size)
        else { return nil }
        (self.shape, self.raster, self.reach) = (shape, raster, reach)
        let caster = PixelRect(
            minX: reach, minY: reach, maxX: reach + shape.size.width, maxY: reach + shape.size.height)
        let outline = Outline(caster, radius: shape.radius)
        let middle = SIMD2(Double(size.width), Double(size.height)) / 2
        let halfWidth = (size.width + 1) / 2
        // If corners are ignored, the shadow is the product of a horizontal and a vertical profile.
        let across =
            shape.isSoft
            ? (0..<halfWidth).map {
                shape.profile(Double($0) + 0.5 - middle.x, reach: Double(shape.size.width) / 2)
            } : []
        for y in 0..<(size.height + 1) / 2 {
            let down =
                shape.isSoft ? shape.profile(Double(y) + 0.5 - middle.y, reach: Double(shape.size.height) / 2) : 0
            outline.cover(raster, row: y, y: y, columns: 0..<size.width, most: 255)
            for x in 0..<halfWidth {
                let outside = 255 - Double(raster.coverage(x, y))
                let shade =
                    outside <= 0
                    ? 0
                    : shape.isSoft
                        ? across[x] * down : shape.shade(Double(x) + 0.5 - middle.x, Double(y) + 0.5 - middle.y)
                let value = UInt8(min(max(shade * outside, 0), 255).rounded())
                // The left and right halves mirror each other, as do the top and bottom halves.
                for (column, row) in [(x, y), (size.width - 1 - x, y)] { raster.setCoverage(column, row, value) }
            }
            if size.height - 1 - y != y {
                raster.copy(
                    PixelRect(minX: 0, minY: size.height - 1 - y, maxX: size.width, maxY: size.height - y),
                    from: raster, x: 0, y: y)
            }
        }
    }
}

/// A cache of the masks of recently drawn shadows. Any thread that holds `RenderLock`.
final class ShadowMasks {
    private var masks: [ShadowMask] = []
    /// The maximum number of masks to keep. Each mask takes at most about 1 MiB.
    private static let limit = 8

    /// Returns the mask for a shape, from the cache if possible. Returns nil if the mask would be too large, or if out
    /// of memory.
    func mask(for shape: ShadowShape) -> ShadowMask? {
        let shape = ShadowMask.reduced(shape)
        if let index = masks.firstIndex(where: { $0.shape == shape }) {
            if index > 0 { masks.swapAt(index, index - 1) }
            return masks[max(index - 1, 0)]
        }
        guard let mask = ShadowMask(shape) else { return nil }
        if masks.count >= Self.limit { masks.removeLast() }
        masks.append(mask)
        return mask
    }
}
