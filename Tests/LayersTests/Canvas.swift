import GlissadeGeometry
import GlissadeLayers

/// A tiny rasterizer of display lists: slow and plain, so that it can be seen to be right.
///
/// What pictures hold and how a shadow falls off is made up; what matters is that the same item always gives the same
/// pixels, that edges of round corners are soft, and that nothing is drawn outside its clip.
struct Canvas {
    typealias Pixel = SIMD4<Double>

    let size: PixelSize
    /// Opaque: red, green, blue, and nothing.
    private(set) var pixels: [Pixel]

    init(_ size: PixelSize) {
        self.size = size
        pixels = Array(repeating: Pixel(0.2, 0.4, 0.6, 0), count: size.width * size.height)
    }

    mutating func draw(_ items: [DisplayList.Item]) {
        for item in items { draw(item) }
    }

    private mutating func draw(_ item: DisplayList.Item) {
        switch item {
        case .fill(let rect, let color):
            let source = Pixel(color)
            blend(rect) { _, _ in source }
        case .box(let box):
            let (start, end) = (Pixel(box.gradient.start).premultiplied, Pixel(box.gradient.end).premultiplied)
            let rect = box.destination
            let isVertical = box.gradient.axis == .vertical
            blend(box.clip) { x, y in
                let fraction =
                    isVertical
                    ? (Double(y - rect.minY) + 0.5) / Double(rect.height)
                    : (Double(x - rect.minX) + 0.5) / Double(rect.width)
                // At its ends exactly: an opaque gradient has no pixel that is a rounding error from it.
                var mixed = start + (end - start) * fraction
                if start.w == end.w { mixed.w = start.w }
                return mixed.straight.faded(by: Self.coverage(x, y, rect, box.cornerRadius))
            }
        case .surface(let surface):
            let light = 1 - surface.shade
            blend(surface.clip) { x, y in
                let rect = surface.destination
                var (column, row) = Self.stored(x, y, rect, surface.rotation)
                let width = surface.rotation.swapsAxes ? rect.height : rect.width
                if surface.isMirrored { column = width - 1 - column }
                let texel = Self.pattern(surface.surface.rawValue &* 3 &+ 1, column, row, light)
                return Pixel(texel, surface.opacity * Self.coverage(x, y, rect, surface.cornerRadius))
            }
        case .image(let image):
            let light = 1 - image.shade
            let seed = Self.seed(of: image.source)
            blend(image.clip) { x, y in
                let rect = image.destination
                let (column, row) = Self.stored(x, y, rect, image.rotation)
                let texel = Self.pattern(seed, column, row, light)
                let alpha = Double((column &+ row &* 3) & 3) / 3
                return Pixel(texel, alpha * image.opacity * Self.coverage(x, y, rect, image.cornerRadius))
            }
        case .shadow(let shadow):
            let source = Pixel(shadow.color)
            let caster = shadow.caster
            blend(shadow.clip) { x, y in
                let away = max(caster.minX - x - 1, x - caster.maxX, caster.minY - y - 1, y - caster.maxY) + 1
                guard away > 0, shadow.blur > 0 else { return Pixel(0, 0, 0, 0) }
                return source.faded(by: max(0, 1 - Double(away) / (1.5 * shadow.blur)))
            }
        }
    }

    /// Which pixel of a picture is drawn at (`x`, `y`), where it fills `rect` once it has been rotated.
    private static func stored(_ x: Int, _ y: Int, _ rect: PixelRect, _ rotation: QuarterTurns) -> (Int, Int) {
        let (across, down) = (x - rect.minX, y - rect.minY)
        return switch rotation {
        case .none: (across, down)
        case .quarter: (down, rect.width - 1 - across)
        case .half: (rect.width - 1 - across, rect.height - 1 - down)
        case .threeQuarters: (rect.height - 1 - down, across)
        }
    }

    private static func seed(of source: ImagePlacement.Source) -> Int {
        switch source {
        case .image(let image): image.rawValue &* 7 &+ 2
        case .text(let text): text.string.utf8.count &* 11 &+ 3
        case .icon(let icon, _): icon.rawValue.utf8.count &* 13 &+ 5
        }
    }

    private static func pattern(_ seed: Int, _ x: Int, _ y: Int, _ light: Double) -> SIMD3<Double> {
        let mixed = UInt32(truncatingIfNeeded: seed &* 73_856_093 ^ x &* 19_349_663 ^ y &* 83_492_791)
        return SIMD3(Double(mixed & 255), Double(mixed >> 8 & 255), Double(mixed >> 16 & 255)) / 255 * light
    }

    /// How much of a pixel is within a rounded rectangle, by the distance of its middle from the edge.
    private static func coverage(_ x: Int, _ y: Int, _ rect: PixelRect, _ radius: Double) -> Double {
        let (halfWidth, halfHeight) = (Double(rect.width) / 2, Double(rect.height) / 2)
        let r = max(0, min(radius, halfWidth, halfHeight))
        if r == 0 { return 1 }
        let dx = abs(Double(x) + 0.5 - Double(rect.minX) - halfWidth) - (halfWidth - r)
        let dy = abs(Double(y) + 0.5 - Double(rect.minY) - halfHeight) - (halfHeight - r)
        let outside = (max(dx, 0) * max(dx, 0) + max(dy, 0) * max(dy, 0)).squareRoot()
        return min(max(0.5 - (outside + min(max(dx, dy), 0) - r), 0), 1)
    }

    private mutating func blend(_ clip: PixelRect, _ source: (Int, Int) -> Pixel) {
        let area = clip.intersection(PixelRect(size: size))
        guard !area.isEmpty else { return }
        for y in area.minY..<area.maxY {
            for x in area.minX..<area.maxX {
                let color = source(x, y)
                let index = y * size.width + x
                pixels[index] = color.w >= 1 ? color : color * color.w + pixels[index] * (1 - color.w)
                pixels[index].w = 0
            }
        }
    }
}

extension SIMD4<Double> {
    fileprivate init(_ color: Color) { self.init(color.red, color.green, color.blue, color.alpha) }
    fileprivate init(_ color: SIMD3<Double>, _ alpha: Double) { self.init(color.x, color.y, color.z, alpha) }
    fileprivate var premultiplied: Self { Self(x * w, y * w, z * w, w) }
    fileprivate var straight: Self { w > 0 ? Self(x / w, y / w, z / w, w) : Self(0, 0, 0, 0) }
    fileprivate func faded(by fraction: Double) -> Self { Self(x, y, z, w * fraction) }
}
