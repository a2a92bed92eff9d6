import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import GlissadeTestSupport

/// Display lists of all that there is, at random but the same for the same seed.
struct RandomLists {
    /// What may be in a list.
    enum Kind: Hashable, CaseIterable {
        case fill, box, surface, image, text
        /// What is not drawn pixel by pixel.
        case shadow, scaledSurface, turnedSurface, scaledImage
    }

    /// Drawn pixel by pixel.
    static let plain: [Kind] = [.fill, .box, .surface, .image, .text]

    let viewport: PixelSize
    /// The sizes of the pictures that surfaces 1… and images 1… have; of the surface that follows there is none.
    let surfaces: [PixelSize]
    let images: [PixelSize]
    private var random: SeededGenerator
    /// That of the list that is being made.
    private var scale = 1.0

    init(seed: Int, viewport: PixelSize, surfaces: [PixelSize], images: [PixelSize]) {
        (self.viewport, self.surfaces, self.images) = (viewport, surfaces, images)
        // Not a multiple of the generator's step: neighbours would be the same sequence, one number on.
        random = SeededGenerator(
            seed: UInt64(truncatingIfNeeded: seed) &* 0xD134_2543_DE82_EF95 &+ 0x1234_5678_9ABC_DEF1)
    }

    mutating func int(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(random.next() % UInt64(range.upperBound - range.lowerBound + 1))
    }
    mutating func fraction() -> Double { Double(random.next() >> 11) / Double(1 << 53) }
    mutating func chance(_ fraction: Double) -> Bool { self.fraction() < fraction }
    mutating func pick<T>(_ values: [T]) -> T { values[int(0...values.count - 1)] }

    mutating func list(_ kinds: [Kind], count: Int) -> DisplayList {
        scale = pick([1, 1.25, 2])
        var list = DisplayList(viewport: viewport, scale: scale)
        let background = Color(red: fraction(), green: fraction(), blue: fraction())
        list.items = [.fill(PixelRect(size: viewport), background)]
        for _ in 0..<count {
            let item = item(pick(kinds))
            list.items.append(item)
        }
        return list
    }

    private mutating func item(_ kind: Kind) -> DisplayList.Item {
        switch kind {
        case .fill: return .fill(rect(), color())
        case .box:
            let destination = rect()
            let start = color()
            return .box(
                BoxPlacement(
                    destination: destination, clip: clip(of: destination), cornerRadius: radius(),
                    gradient: Gradient(
                        from: start, to: chance(0.3) ? start : color(), axis: chance(0.5) ? .horizontal : .vertical)))
        case .surface: return surface(isScaled: false)
        case .scaledSurface: return surface(isScaled: true)
        case .turnedSurface: return turned()
        case .image, .scaledImage:
            let number = int(1...images.count)
            let size =
                kind == .image ? images[number - 1] : PixelSize(width: int(3...80), height: int(3...60))
            return image(.image(ImageID(rawValue: number)), place(size))
        case .text:
            let name = ["0:12", "Chapter", "empty", "a"]
            let style = TextStyle(size: 12, color: color())
            let box = PixelSize(width: scaled(int(2...40)), height: scaled(int(2...20)))
            return image(.text(TextContent(pick(name), style: style)), place(box))
        case .shadow:
            let caster = rect()
            return .shadow(
                ShadowPlacement(
                    caster: caster, clip: chance(0.5) ? PixelRect(size: viewport) : rect(),
                    blur: (chance(0.2) ? fraction() : fraction() * 30) * scale, cornerRadius: radius(), color: color()))
        }
    }

    private mutating func surface(isScaled: Bool) -> DisplayList.Item {
        let number = int(1...surfaces.count + 1)
        let picture = number <= surfaces.count ? surfaces[number - 1] : PixelSize(width: 20, height: 20)
        let rotation = pick([QuarterTurns.none, .none, .quarter, .half, .threeQuarters])
        var size = rotation.swapsAxes ? PixelSize(width: picture.height, height: picture.width) : picture
        if isScaled {
            let factor = 0.6 + fraction() * 2
            size = PixelSize(
                width: max(1, Int(Double(size.width) * factor)),
                height: max(1, Int(Double(size.height) * (factor + fraction() * 0.2))))
        }
        let destination = place(size)
        return .surface(
            SurfacePlacement(
                surface: SurfaceID(rawValue: number), destination: destination, clip: clip(of: destination),
                rotation: rotation, isMirrored: destination.minX % 3 == 0, opacity: opacity(),
                shade: chance(0.4) ? fraction() : 0,
                cornerRadius: radius()))
    }

    private mutating func turned() -> DisplayList.Item {
        let number = int(1...surfaces.count)
        let destination = rect(least: 20)
        return .surface(
            SurfacePlacement(
                surface: SurfaceID(rawValue: number), destination: destination, clip: PixelRect(size: viewport),
                rotation: pick(QuarterTurns.allCases), isMirrored: destination.minX % 3 == 0, opacity: opacity(),
                shade: chance(0.4) ? fraction() : 0, cornerRadius: radius(), quarterTurns: fraction() * 4 - 2))
    }

    private mutating func image(_ source: ImagePlacement.Source, _ rect: PixelRect) -> DisplayList.Item {
        .image(
            ImagePlacement(
                source: source, destination: rect, clip: clip(of: rect), opacity: opacity(),
                shade: chance(0.3) ? fraction() : 0, cornerRadius: radius()))
    }

    private mutating func opacity() -> Double { chance(0.5) ? 1 : fraction() }

    private mutating func radius() -> Double { chance(0.5) ? 0 : pick([2, 5, 7.5, 12, 20, 1000]) * scale }

    private mutating func color() -> Color {
        Color(red: fraction(), green: fraction(), blue: fraction(), alpha: chance(0.4) ? 1 : fraction())
    }

    /// Its edges lie on whole points, brought to the nearest pixels. Some of it may lie outside.
    private mutating func rect(least: Int = 1) -> PixelRect {
        let points = PixelSize(
            width: Int(Double(viewport.width) / scale), height: Int(Double(viewport.height) / scale))
        let rect = place(
            PixelSize(width: int(least...points.width), height: int(least...points.height)), in: points)
        return PixelRect(
            minX: scaled(rect.minX), minY: scaled(rect.minY), maxX: scaled(rect.maxX), maxY: scaled(rect.maxY))
    }

    /// Points as pixels.
    private func scaled(_ points: Int) -> Int { Int((Double(points) * scale).rounded()) }

    private mutating func place(_ size: PixelSize, in area: PixelSize? = nil) -> PixelRect {
        let area = area ?? viewport
        let x = int(-size.width / 2...area.width - size.width / 2)
        let y = int(-size.height / 2...area.height - size.height / 2)
        return PixelRect(minX: x, minY: y, maxX: x + size.width, maxY: y + size.height)
    }

    private mutating func clip(of rect: PixelRect) -> PixelRect {
        chance(0.6) ? rect : self.rect().intersection(rect)
    }
}
