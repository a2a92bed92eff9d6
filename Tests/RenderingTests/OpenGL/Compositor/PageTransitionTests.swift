import GlissadeCGLES
import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// A page dragged off the one before it, pixel by pixel, as a GPU draws it and as the CPU copies it.
@MainActor @Suite("Page transition rendering") struct PageTransitionTests {
    static let size = PixelSize(width: 90, height: 24)
    static let below = TestPicture.noise(PixelFormat(size: size, layout: .rgb(.rgba)), seed: 3)
    static let above = TestPicture.noise(PixelFormat(size: size, layout: .rgb(.rgba)), seed: 4)

    /// The parts of a pop at `progress` with a shadow strip of 21 pixels.
    @MainActor struct Pop {
        let edge: Int
        let parallax: Int
        let dim: Double
        let shadow: Double

        init(_ progress: Double) {
            edge = Int((progress * Double(size.width)).rounded())
            parallax = Int((-0.3 * (1 - progress) * Double(size.width)).rounded())
            dim = 0.10 * (1 - progress)
            shadow = 0.25 * (1 - progress)
        }

        var items: [DisplayList.Item] {
            let under = PixelRect(minX: 0, minY: 0, maxX: edge, maxY: size.height)
            let strip = PixelRect(minX: edge - 21, minY: 0, maxX: edge, maxY: size.height)
            let over = PixelRect(minX: edge, minY: 0, maxX: size.width, maxY: size.height)
            let dark = Color(red: 0, green: 0, blue: 0, alpha: shadow)
            let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
            return [
                .surface(.init(surface: .below, destination: placed(parallax), clip: under, shade: dim)),
                .box(
                    .init(
                        destination: strip, clip: strip.intersection(under),
                        gradient: Gradient(from: clear, to: dark, axis: .horizontal))),
                .surface(.init(surface: .test, destination: placed(edge), clip: over)),
            ]
        }

        private func placed(_ x: Int) -> PixelRect {
            PixelRect(minX: x, minY: 0, maxX: x + size.width, maxY: size.height)
        }

        func expected(_ x: Int, _ y: Int) -> SIMD3<Double> {
            if x >= edge { return ReferenceColors(picture: above).color(x - edge, y) }
            let across = (Double(x - (edge - 21)) + 0.5) / 21
            let strip = across > 0 ? shadow * across : 0
            return ReferenceColors(picture: below).color(x - parallax, y) * (1 - dim) * (1 - strip)
        }
    }

    @Test("A pop has the right offset, parallax, dim and shadow at every progress")
    func pop() throws {
        let canvas = try Canvas(Self.size.width, Self.size.height)
        let snapshot = VideoTexture(device: canvas.device)
        try canvas.upload(Self.below, to: snapshot)
        try canvas.upload(Self.above)
        // Forth and back, in small steps and large ones, so that what is kept from the frame before meets all cases.
        for progress in [0.4, 0.0, 0.05, 0.1, 0.3, 0.31, 0.32, 0.33, 0.34, 0.6, 0.9, 0.88, 0.87, 0.5, 0.4, 1, 0.4] {
            let pop = Pop(progress)
            let pixels = try canvas.draw(pop.items, [.below: snapshot])
            #expect(pixels.largestError(pop.expected) <= 2, "\(progress)")
        }
    }

    @Test("The page below may change while it is dimmed")
    func livePage() throws {
        let canvas = try Canvas(Self.size.width, Self.size.height)
        let page = VideoTexture(device: canvas.device)
        try canvas.upload(Self.above)
        let pop = Pop(0.4)
        try canvas.upload(Self.above, to: page)
        _ = try canvas.draw(pop.items, [.below: page])
        try canvas.upload(Self.below, to: page)
        let pixels = try canvas.draw(pop.items, [.below: page])
        #expect(pixels.largestError(pop.expected) <= 2)
    }

    @Test("A shade dims every kind of surface equally", arguments: [0.0, 0.004, 0.1, 0.5, 1])
    func shade(shade: Double) throws {
        let canvas = try Canvas(24, 16)
        for (picture, order) in PlacementTests.sources(canvas.device) {
            try canvas.upload(picture, order: order)
            let all = PixelRect(size: picture.format.size)
            let pixels = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all, shade: shade))])
            let reference = ReferenceColors(picture: picture)
            #expect(pixels.largestError { x, y in reference.color(x, y) * (1 - shade) } <= 1.5)
        }
    }

    @Test("A black gradient dims the surface below by its alpha at every position")
    func gradients() throws {
        let canvas = try Canvas(Self.size.width, Self.size.height)
        try canvas.upload(Self.below)
        let all = PixelRect(size: Self.size)
        // At either end, in the middle, over everything, over some rows only, beyond the picture's clip.
        for (columns, rows, clipped) in [
            (0..<21, 0..<24, 0..<90), (69..<90, 0..<24, 0..<90), (30..<50, 0..<24, 0..<90), (0..<90, 0..<24, 0..<90),
            (10..<31, 5..<20, 0..<90), (60..<80, 0..<24, 0..<70), (2..<9, 0..<24, 4..<8),
        ] {
            for (start, end) in [(0.0, 0.8), (0.7, 0.1)] {
                let strip = PixelRect(
                    minX: columns.lowerBound, minY: rows.lowerBound, maxX: columns.upperBound, maxY: rows.upperBound)
                var clip = all
                (clip.minX, clip.maxX) = (clipped.lowerBound, clipped.upperBound)
                let gradient = Gradient(from: .shadow(start), to: .shadow(end), axis: .horizontal)
                let pixels = try canvas.draw([
                    .surface(.init(surface: .test, destination: all, clip: clip, shade: 0.2)),
                    .box(.init(destination: strip, clip: strip, gradient: gradient)),
                ])
                let reference = ReferenceColors(picture: Self.below)
                let error = pixels.largestError { x, y in
                    let below = clipped.contains(x) ? reference.color(x, y) * 0.8 : SIMD3(repeating: 51)
                    guard columns.contains(x), rows.contains(y) else { return below }
                    let across = (Double(x - columns.lowerBound) + 0.5) / Double(columns.count)
                    return below * (1 - (start + (end - start) * across))
                }
                #expect(error <= 2, "\(columns) \(rows) \(clipped)")
            }
        }
    }
}

extension SurfaceID { static let below = SurfaceID(rawValue: 2) }

extension Color {
    static func shadow(_ alpha: Double) -> Color { Color(red: 0, green: 0, blue: 0, alpha: alpha) }
}
