import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Sets text and icons so that no two of their pixels are alike: one letter as a line of its own, all else in its box.
private final class PatternRasterizer: ImageRasterizer {
    func line(of text: TextContent, box: PixelSize, scale: Double) -> (bitmap: Bitmap, metrics: TextLineMetrics)? {
        guard text.string == "a", box.width >= 12 else { return nil }
        return (
            Self.pattern(PixelSize(width: 9, height: 5)),
            TextLineMetrics(
                width: 11, height: 8, baseline: 6, strutHeight: 8, strutBaseline: 6, bitmapX: 1, bitmapY: -4)
        )
    }

    func bitmap(of source: ImagePlacement.Source, box size: PixelSize, scale: Double) -> Bitmap {
        if case .text(let text) = source, text.string == "empty" { return .empty }
        return Self.pattern(size)
    }

    private static func pattern(_ size: PixelSize) -> Bitmap {
        var pixels: [UInt8] = []
        for y in 0..<size.height {
            for x in 0..<size.width {
                let alpha = (x * 37 + y * 91) % 256
                pixels += [x * 13 % 256, y * 29 % 256, (x + y) * 7 % 256].map { UInt8($0 * alpha / 255) }
                pixels.append(UInt8(alpha))
            }
        }
        return Bitmap(size: size, pixels: pixels)
    }
}

/// Display lists that are rotated as a whole (`DisplayList.rotateClockwise`), by either renderer.
@MainActor @Suite("Rotated display lists") struct RotatedListTests {
    private static let viewport = RendererComparisonTests.viewport
    private static let rotatedViewport = viewport.rotated(by: .quarter)
    private static let pictures = RendererComparisonTests.pictures

    /// The software renderer, with a target for lists as they are and one for rotated lists.
    @MainActor private struct SoftwarePair {
        let images = ImageCache(makeRasterizer: PatternRasterizer.init)
        let upright: SoftwareCanvas
        let rotated: SoftwareCanvas
        var surfaces: [SoftwareSurface] = []

        init() throws {
            upright = SoftwareCanvas(viewport.width, viewport.height, images: images)
            rotated = SoftwareCanvas(rotatedViewport.width, rotatedViewport.height, images: images)
            for picture in pictures {
                let surface = SoftwareSurface()
                try picture.withView { view throws(RenderingError) in try surface.upload(view) }
                surfaces.append(surface)
            }
            surfaces[2].brightnessOffset = 0.2
            for (index, image) in RendererComparisonTests.images.enumerated() {
                try images.set(ImageID(rawValue: index + 1), image)
            }
        }

        func surface(_ id: SurfaceID) -> SoftwareSurface? {
            (1...3).contains(id.rawValue) ? surfaces[id.rawValue - 1] : nil
        }

        /// What is drawn of a list, and of the same list rotated: rotated back.
        func draw(_ list: DisplayList) throws -> (upright: Pixels, rotated: Pixels) {
            var other = list
            other.rotateClockwise()
            return (
                try upright.draw(list) { surface($0) }, try rotated.draw(other) { surface($0) }.rotatedCounterclockwise
            )
        }
    }

    @Test("In software, a rotated list shows the same pixels, rotated", arguments: 0..<8)
    func exact(seed: Int) throws {
        let pair = try SoftwarePair()
        var lists = RendererComparisonTests.lists(200 + seed)
        for _ in 0..<25 {
            let (upright, rotated) = try pair.draw(lists.list([.fill, .surface, .image, .text], count: 6))
            #expect(upright.largestDifference(rotated) == 0)
        }
    }

    @Test("In software, boxes and items that are scaled, rotated or blurred look the same in a rotated list")
    func similar() throws {
        let pair = try SoftwarePair()
        var lists = RendererComparisonTests.lists(11)
        for kind in RandomLists.Kind.allCases {
            for _ in 0..<20 {
                let (upright, rotated) = try pair.draw(lists.list([kind], count: 1))
                #expect(upright.signalToNoise(rotated) >= 40, "\(kind)")
                if kind == .box { #expect(upright.largestDifference(rotated) <= 2) }
            }
        }
    }

    @Test("A strongly reduced image looks the same when it is rotated, whenever it is drawn")
    func smallImages() throws {
        let pair = try SoftwarePair()
        for _ in 0..<3 {
            var list = DisplayList(viewport: Self.viewport)
            list.items = [
                .fill(PixelRect(size: Self.viewport), .gray),
                ImageTests.image(3, PixelRect(minX: 5, minY: 9, maxX: 45, maxY: 39), opacity: 0.8, radius: 6),
            ]
            let (upright, rotated) = try pair.draw(list)
            #expect(upright.signalToNoise(rotated) >= 40)
        }
    }

    @Test("Text that is drawn rotated is not rasterized again")
    func shared() throws {
        let pair = try SoftwarePair()
        var list = DisplayList(viewport: Self.viewport)
        list.items = [
            ImageTests.text("a", at: PixelRect(minX: 5, minY: 9, maxX: 45, maxY: 39)),
            ImageTests.text("Chapter", at: PixelRect(minX: 5, minY: 40, maxX: 45, maxY: 60)),
        ]
        _ = try pair.upright.draw(list) { _ in nil }
        let byteCount = pair.images.byteCount
        list.rotateClockwise()
        _ = try pair.rotated.draw(list) { _ in nil }
        #expect(byteCount > 0 && pair.images.byteCount == byteCount)
    }

    @Test("Both renderers draw rotated lists alike", arguments: 0..<6)
    func renderers(seed: Int) throws {
        let software = try SoftwarePair()
        let size = Self.rotatedViewport
        let gl = try Canvas(size.width, size.height) {
            ImageCache(device: $0, makeRasterizer: PatternRasterizer.init)
        }
        let textures = try Self.pictures.map { picture in
            let texture = VideoTexture(device: gl.device)
            try gl.upload(picture, to: texture)
            return texture
        }
        textures[2].brightnessOffset = 0.2
        for (index, image) in RendererComparisonTests.images.enumerated() {
            try gl.compositor.images.set(ImageID(rawValue: index + 1), image)
        }
        func compare(_ kinds: [RandomLists.Kind], _ lists: inout RandomLists) throws -> (gl: Pixels, software: Pixels) {
            var list = lists.list(kinds, count: 6)
            list.rotateClockwise()
            gl.surface.makeCurrent()
            try gl.compositor.draw(list) { (1...3).contains($0.rawValue) ? textures[$0.rawValue - 1] : nil }
            gl.surface.swap()
            let drawn = Pixels(size: size, bytes: gl.device.readPixels(size))
            return (drawn, try software.rotated.draw(list) { software.surface($0) })
        }
        var lists = RendererComparisonTests.lists(300 + seed)
        for _ in 0..<15 {
            let plain = try compare(RandomLists.plain, &lists)
            #expect(plain.gl.largestDifference(plain.software) <= 3)
            let all = try compare(RandomLists.Kind.allCases, &lists)
            #expect(all.gl.signalToNoise(all.software) >= 40)
        }
    }
}

extension Pixels {
    /// The picture, rotated counterclockwise by a quarter.
    fileprivate var rotatedCounterclockwise: Pixels {
        var rotated: [UInt8] = []
        rotated.reserveCapacity(bytes.count)
        for y in 0..<size.width {
            for x in 0..<size.height {
                // Its top edge was at the right.
                let at = (x * size.width + size.width - 1 - y) * 4
                rotated += bytes[at..<at + 4]
            }
        }
        return Pixels(size: size.rotated(by: .quarter), bytes: rotated)
    }
}
