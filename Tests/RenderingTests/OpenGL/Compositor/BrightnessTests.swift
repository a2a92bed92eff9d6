import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Pictures that are drawn brighter or darker than they are, against the formulas.
@MainActor @Suite("Brightness") struct BrightnessTests {
    nonisolated private static let lifts = [-1, -0.3, 0.1, 1].map { Brightness($0).brightnessOffset }

    @Test("Brightness ranges over -1…1, with the ends at half of the sample range")
    func range() {
        #expect(Brightness(1).brightnessOffset == 0.5 && Brightness(-1).brightnessOffset == -0.5)
        #expect(Brightness(0) == .unchanged && Brightness(0).brightnessOffset == 0)
        #expect(Brightness(7) == Brightness(1) && Brightness(-.infinity) == Brightness(-1))
        #expect(Brightness(.nan) == .unchanged)
    }

    @Test(
        "Brightness is added to R'G'B' before clipping, in every layout",
        arguments: DrawnPictureTests.Kind.plain)
    func planes(kind: DrawnPictureTests.Kind) throws { try drawPlanes(kind) }

    @Test(
        "Brightness is added to R'G'B' before they are clipped, in every layout of more than 8 bits",
        .enabled(DrawnPictureTests.deepIsMissing, DrawnPictureTests.hasDeep), arguments: DrawnPictureTests.Kind.deep)
    func deepPlanes(kind: DrawnPictureTests.Kind) throws { try drawPlanes(kind) }

    private func drawPlanes(_ kind: DrawnPictureTests.Kind) throws {
        let canvas = try Canvas(64, 48)
        let all = PixelRect(size: PixelSize(width: 64, height: 48))
        for range in ColorRange.allCases {
            let picture = TestPicture.slopes(kind.format(64, 48, .bt709, range))
            let reference = ReferenceColors(picture: picture)
            canvas.texture.brightnessOffset = 0
            try canvas.upload(picture)
            for brightnessOffset in Self.lifts + [0] {
                // No new upload: a picture that stands still changes at once.
                canvas.texture.brightnessOffset = brightnessOffset
                let pixels = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all))])
                let error = pixels.largestError { reference.color($0, $1, brightnessOffset: brightnessOffset) }
                #expect(error <= DrawnPictureTests.tolerance, "\(range) \(brightnessOffset)")
            }
        }
    }

    @Test("Brightness applies to RGB in either byte order")
    func image() throws {
        let format = PixelFormat(size: PixelSize(width: 37, height: 29), layout: .rgb(.rgba))
        let picture = TestPicture.noise(format)
        let reference = ReferenceColors(picture: picture)
        let all = PixelRect(size: format.size)
        let canvas = try Canvas(37, 29)
        for order in [PixelOrder.rgba, .bgra] where order == .rgba || canvas.device.hasBGRA {
            try canvas.upload(picture, order: order)
            for brightnessOffset in Self.lifts {
                canvas.texture.brightnessOffset = brightnessOffset
                let pixels = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all))])
                #expect(pixels.largestError { reference.color($0, $1, brightnessOffset: brightnessOffset) } <= 0.51)
            }
            canvas.texture.brightnessOffset = 0
            let plain = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all))])
            #expect(plain.largestError(reference.color) == 0, "0 is the picture itself again")
        }
    }

    @Test("Shade and rounded corners apply after brightness")
    func shadedAndRound() throws {
        let format = PixelFormat(size: PixelSize(width: 40, height: 40), layout: .rgb(.rgba))
        let picture = TestPicture.noise(format)
        let reference = ReferenceColors(picture: picture)
        let all = PixelRect(size: format.size)
        let canvas = try Canvas(40, 40)
        try canvas.upload(picture, order: .rgba)
        canvas.texture.brightnessOffset = 0.4
        var placement = SurfacePlacement(surface: .test, destination: all, clip: all)
        placement.shade = 0.5
        placement.cornerRadius = 6
        let pixels = try canvas.draw([.surface(placement)])
        let error = pixels.largestError { x, y in
            let isCorner = (x < 7 || x > 32) && (y < 7 || y > 32)
            return isCorner ? pixels[x, y] : reference.color(x, y, brightnessOffset: 0.4) * 0.5
        }
        #expect(error <= 1)
    }

    @Test("A non-finite brightness is ignored")
    func nonsense() throws {
        let canvas = try Canvas(4, 4)
        for brightnessOffset in [Double.nan, .infinity, -.infinity] {
            canvas.texture.brightnessOffset = brightnessOffset
            #expect(canvas.texture.brightnessOffset == 0)
        }
    }
}
