import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Sets text as bars as wide as its letters might be: another picture at each scale.
private final class BarRasterizer: ImageRasterizer {
    func bitmap(of source: ImagePlacement.Source, box size: PixelSize, scale: Double) -> Bitmap {
        guard case .text(let text) = source, text.string != "empty" else { return .empty }
        let width = max(1, Int((text.style.size * scale / 4).rounded()))
        let color = Bitmap.painted(PixelSize(width: 1, height: 1), text.style.color).pixels
        let row = (0..<size.width).flatMap { $0 / width % 2 == 0 ? color : [0, 0, 0, 0] }
        return Bitmap(size: size, pixels: (0..<size.height).flatMap { _ in row })
    }
}

/// The two renderers, each of which says what the other should draw.
@MainActor @Suite("Comparison of software and OpenGL rendering") struct RendererComparisonTests {
    static let viewport = PixelSize(width: 97, height: 71)
    static let pictures: [TestPicture] = [
        .noise(PixelFormat(size: PixelSize(width: 40, height: 31), layout: .rgb(.rgba)), padding: 4),
        .slopes(PixelFormat(size: PixelSize(width: 97, height: 71), layout: .rgb(.rgba))),
        .noise(PixelFormat(size: PixelSize(width: 33, height: 20), layout: .rgb(.rgba)), seed: 5),
    ]
    /// Premultiplied, each pixel another.
    static let images: [Bitmap] = [(30, 20), (64, 64), (200, 150)].map { width, height in
        var pixels: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width {
                let alpha = (x * 7 + y * 3) % 256
                pixels += [x * 255 / width, y * 255 / height, 255 - x * 255 / width].map { UInt8($0 * alpha / 255) }
                pixels.append(UInt8(alpha))
            }
        }
        return Bitmap(size: PixelSize(width: width, height: height), pixels: pixels)
    }

    /// Both of them, with the same pictures.
    @MainActor struct Pair {
        let gl: Canvas
        let software: SoftwareCanvas
        let textures: [VideoTexture]
        let surfaces: [SoftwareSurface]

        init() throws {
            gl = try Canvas(viewport.width, viewport.height) {
                ImageCache(device: $0, makeRasterizer: BarRasterizer.init)
            }
            software = SoftwareCanvas(
                viewport.width, viewport.height, images: ImageCache(makeRasterizer: BarRasterizer.init))
            var (textures, surfaces): ([VideoTexture], [SoftwareSurface]) = ([], [])
            for (index, picture) in pictures.enumerated() {
                let texture = VideoTexture(device: gl.device)
                try gl.upload(picture, to: texture)
                let surface = SoftwareSurface()
                try picture.withView { view throws(RenderingError) in try surface.upload(view) }
                // The last is lifted.
                if index == 2 { (texture.brightnessOffset, surface.brightnessOffset) = (0.2, 0.2) }
                textures.append(texture)
                surfaces.append(surface)
            }
            (self.textures, self.surfaces) = (textures, surfaces)
            for (index, image) in images.enumerated() {
                try gl.compositor.images.set(ImageID(rawValue: index + 1), image)
                try software.renderer.images.set(ImageID(rawValue: index + 1), image)
            }
        }

        /// What both draw of a list.
        func draw(_ list: DisplayList) throws -> (gl: Pixels, software: Pixels) {
            gl.surface.makeCurrent()
            try gl.compositor.draw(list) { (1...3).contains($0.rawValue) ? textures[$0.rawValue - 1] : nil }
            gl.surface.swap()
            let drawn = Pixels(size: viewport, bytes: gl.device.readPixels(viewport))
            let other = try software.draw(list) {
                (1...3).contains($0.rawValue) ? surfaces[$0.rawValue - 1] : nil
            }
            return (drawn, other)
        }
    }

    static func lists(_ seed: Int) -> RandomLists {
        RandomLists(
            seed: seed, viewport: viewport, surfaces: pictures.map(\.format.size), images: images.map(\.size))
    }

    /// Boxes and images have edges that are blended, and alpha that is multiplied by their opacity before.
    @Test(
        "Each kind of pixel-aligned item is the same within 1 of 255",
        arguments: [(RandomLists.Kind.fill, 1), (.surface, 1), (.text, 1), (.box, 2), (.image, 2)])
    func single(kind: RandomLists.Kind, most: Int) throws {
        let pair = try Pair()
        var lists = Self.lists(3)
        for _ in 0..<60 {
            let (gl, software) = try pair.draw(lists.list([kind], count: 1))
            #expect(gl.largestDifference(software) <= most)
        }
    }

    /// Each translucent layer is rounded twice, by either renderer in its own way, and laid over what differs already:
    /// with up to six of them, one component in a thousand is a third level off.
    @Test(
        "Overlapping items are the same within 3 of 255, and nearly everywhere within 1",
        arguments: 0..<8)
    func overlapping(seed: Int) throws {
        let pair = try Pair()
        var lists = Self.lists(seed)
        for _ in 0..<25 {
            let (gl, software) = try pair.draw(lists.list(RandomLists.plain, count: 6))
            #expect(gl.largestDifference(software) <= 3)
            #expect(gl.differences(software, above: 2) <= gl.bytes.count / 500)
            #expect(gl.differences(software, above: 1) <= gl.bytes.count / 10)
        }
    }

    @Test(
        "Scaled, rotated and shadowed items look the same",
        arguments: [RandomLists.Kind.shadow, .scaledSurface, .turnedSurface, .scaledImage])
    func filtered(kind: RandomLists.Kind) throws {
        let pair = try Pair()
        var lists = Self.lists(7)
        for _ in 0..<60 {
            let (gl, software) = try pair.draw(lists.list([kind], count: 1))
            #expect(gl.signalToNoise(software) >= 40)
        }
    }

    @Test(
        "A strongly reduced image looks the same whenever it is drawn, in two sizes and while growing",
        arguments: [0.0, 6])
    func smallImages(radius: Double) throws {
        let pair = try Pair()
        func image(_ x: Int, _ width: Int, opacity: Double = 1, shade: Double = 0) -> DisplayList.Item {
            let rect = PixelRect(minX: x, minY: 5, maxX: x + width, maxY: 5 + width * 3 / 4)
            return ImageTests.image(3, rect, opacity: opacity, shade: shade, radius: radius)
        }
        var steady: Pixels?
        for step in 0..<6 {
            var list = DisplayList(viewport: Self.viewport)
            list.items = [
                .fill(PixelRect(size: Self.viewport), .gray), image(3, 40), image(50, 20, opacity: 0.6, shade: 0.3),
            ]
            let (gl, software) = try pair.draw(list)
            #expect(gl.signalToNoise(software) >= 40)
            if let steady { #expect(software.largestDifference(steady) <= 1) }
            steady = software
            list.items.append(image(3, 41 + step, opacity: 0.5))
            let (other, grown) = try pair.draw(list)
            #expect(other.signalToNoise(grown) >= 40)
        }
    }

    @Test("Shadows with a constant edge are the same within 2 of 255", arguments: [1.0, 4, 9])
    func longShadows(blur: Double) throws {
        let pair = try Pair()
        let all = PixelRect(size: Self.viewport)
        for (radius, clip) in [(0.0, all), (3, all), (8, PixelRect(minX: 3, minY: 30, maxX: 80, maxY: 66))] {
            var list = DisplayList(viewport: Self.viewport)
            let caster = PixelRect(minX: 11, minY: 9, maxX: 88, maxY: 60)
            list.items = [
                .fill(all, .white), ShadowTests.shadow(blur: blur, radius: radius, caster: caster, clip: clip),
            ]
            let (gl, software) = try pair.draw(list)
            #expect(gl.largestDifference(software) <= 2)
        }
    }

    /// Whether corners are looked at depends on the radius that they have, not on the one that was asked for.
    @Test("Shadows of casters smaller than their corners are the same within 2 of 255", arguments: [8.0, 20, 30])
    func smallCasters(blur: Double) throws {
        let pair = try Pair()
        let all = PixelRect(size: Self.viewport)
        for radius in [10.0, 1000] {
            var list = DisplayList(viewport: Self.viewport)
            let caster = PixelRect(minX: 38, minY: 25, maxX: 58, maxY: 45)
            list.items = [
                .fill(all, .white),
                ShadowTests.shadow(blur: blur, radius: radius, caster: caster, clip: all, color: .shadow(1)),
            ]
            let (gl, software) = try pair.draw(list)
            #expect(gl.largestDifference(software) <= 2)
        }
    }

    /// Masks of such sizes are not kept.
    @Test("Shadows larger than the screen are the same within 2 of 255", arguments: [150, 400, 3000.0])
    func vastShadows(blur: Double) throws {
        let pair = try Pair()
        let all = PixelRect(size: Self.viewport)
        for (radius, caster) in [
            (0.0, PixelRect(minX: -900, minY: -300, maxX: 50, maxY: 40)),
            (30, PixelRect(minX: 20, minY: 10, maxX: 2000, maxY: 60)),
        ] {
            var list = DisplayList(viewport: Self.viewport)
            list.items = [
                .fill(all, .white), ShadowTests.shadow(blur: blur, radius: radius, caster: caster, clip: all),
            ]
            let (gl, software) = try pair.draw(list)
            #expect(gl.largestDifference(software) <= 2)
        }
    }

    @Test("Random lists of all kinds of items look the same", arguments: 0..<8)
    func everything(seed: Int) throws {
        let pair = try Pair()
        var lists = Self.lists(100 + seed)
        for _ in 0..<25 {
            let (gl, software) = try pair.draw(lists.list(RandomLists.Kind.allCases, count: 8))
            #expect(gl.signalToNoise(software) >= 40)
        }
    }
}
