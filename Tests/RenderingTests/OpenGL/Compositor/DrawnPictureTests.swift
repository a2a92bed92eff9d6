import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// Every kind of picture, drawn 1:1, against the formulas.
@MainActor @Suite("Drawing video") struct DrawnPictureTests {
    enum Kind: CaseIterable, CustomTestStringConvertible {
        case yuv420, yuv422, yuv444, nv12, nv21, gray, yuv420p10, yuv422p12, p010

        /// Whether samples are words, for which not every device has textures.
        var isDeep: Bool { [.yuv420p10, .yuv422p12, .p010].contains(self) }
        static let plain = allCases.filter { !$0.isDeep }
        static let deep = allCases.filter(\.isDeep)

        var testDescription: String { "\(self)" }

        func format(
            _ width: Int, _ height: Int, _ matrix: ColorMatrix = .bt709, _ range: ColorRange = .limited,
            _ siting: ChromaSiting = .left
        ) -> PixelFormat {
            let (layout, depth): (PlaneLayout, Int) =
                switch self {
                case .yuv420: (.planar(.quarter), 8)
                case .yuv422: (.planar(.halfAcross), 8)
                case .yuv444: (.planar(.full), 8)
                case .nv12: (.semiPlanar(vFirst: false), 8)
                case .nv21: (.semiPlanar(vFirst: true), 8)
                case .gray: (.gray, 8)
                case .yuv420p10: (.planar(.quarter), 10)
                case .yuv422p12: (.planar(.halfAcross), 12)
                case .p010: (.semiPlanar(vFirst: false), 10)
                }
            return PixelFormat(
                size: PixelSize(width: width, height: height), layout: layout, bitDepth: depth,
                isHighAligned: self == .p010, matrix: matrix, range: range, siting: siting)
        }
    }

    /// The target's rounding is half of 255. A rasterizer that filters with 8 bits adds half a code of chroma, of which
    /// the steepest factor (blue of limited BT.2020) makes 1.1.
    static let tolerance = 1.65

    nonisolated static let hasDeep: @Sendable () async -> Bool = { await GLDevice.offscreen?.hasNorm16 == true }
    nonisolated static let deepIsMissing: Comment = "the device has no textures of 16-bit samples"

    @Test("Gradients of 8 bits match the formulas for every matrix and range", arguments: Kind.plain)
    func slopes(kind: Kind) throws { try drawSlopes(kind) }

    @Test(
        "Gradients of more than 8 bits match the formulas for every matrix and range",
        .enabled(deepIsMissing, hasDeep), arguments: Kind.deep)
    func deepSlopes(kind: Kind) throws { try drawSlopes(kind) }

    private func drawSlopes(_ kind: Kind) throws {
        let canvas = try Canvas(64, 48)
        for matrix in ColorMatrix.allCases {
            for range in ColorRange.allCases {
                let picture = TestPicture.slopes(kind.format(64, 48, matrix, range))
                let reference = ReferenceColors(picture: picture)
                let error = try canvas.draw(picture).largestError(reference.color)
                #expect(error <= Self.tolerance, "\(matrix) \(range)")
            }
        }
    }

    @Test("8-bit chroma is sampled at its siting", arguments: Kind.plain, [ChromaSiting.left, .center, .topLeft])
    func siting(kind: Kind, siting: ChromaSiting) throws { try drawNoise(kind, siting) }

    @Test(
        "Chroma of more than 8 bits is sampled at its siting", .enabled(deepIsMissing, hasDeep),
        arguments: Kind.deep, [ChromaSiting.left, .center, .topLeft])
    func deepSiting(kind: Kind, siting: ChromaSiting) throws { try drawNoise(kind, siting) }

    private func drawNoise(_ kind: Kind, _ siting: ChromaSiting) throws {
        // Noise: a shift by a quarter of a chroma sample would be an error of tens. What is left is the rasterizer's
        // own filter, whose weights have 8 bits.
        let picture = TestPicture.noise(kind.format(46, 38, .bt709, .full, siting))
        let canvas = try Canvas(46, 38)
        let error = try canvas.draw(picture).largestError(ReferenceColors(picture: picture).color)
        #expect(error <= 3.5)
    }

    @Test("The edges of frames of odd size are exact", arguments: [(1, 1), (2, 1), (1, 3), (35, 35), (1919, 1079)])
    func edges(width: Int, height: Int) throws {
        let canvas = try Canvas(width, height)
        for kind in [Kind.yuv420, .nv12, .yuv422] {
            let picture = TestPicture.noise(kind.format(width, height))
            let pixels = try canvas.draw(picture)
            let reference = ReferenceColors(picture: picture)
            var largest = 0.0
            for y in 0..<height {
                let isRim = y < 2 || y >= height - 2
                for x in 0..<width where isRim || x < 2 || x >= width - 2 {
                    let error = pixels[x, y] - reference.color(x, y)
                    largest = max(largest, error.max(), -error.min())
                }
            }
            #expect(largest <= 4, "\(kind)")
        }
    }

    @Test("An RGB frame drawn 1:1 is unchanged")
    func image() throws {
        let picture = TestPicture.noise(PixelFormat(size: PixelSize(width: 37, height: 29), layout: .rgb(.rgba)))
        let canvas = try Canvas(37, 29)
        #expect(try canvas.draw(picture).largestError(ReferenceColors(picture: picture).color) == 0)
    }

    @Test(
        "A BGR frame drawn 1:1 is unchanged",
        .enabled("the device has no BGRA textures") { await GLDevice.offscreen?.hasBGRA == true })
    func blueFirst() throws {
        let format = PixelFormat(size: PixelSize(width: 37, height: 29), layout: .rgb(.rgba))
        let picture = TestPicture.noise(format)
        let canvas = try Canvas(37, 29)
        try canvas.upload(picture, order: .bgra)
        let all = PixelRect(size: format.size)
        let pixels = try canvas.draw([.surface(.init(surface: .test, destination: all, clip: all))])
        #expect(pixels.largestError(ReferenceColors(picture: picture).color) == 0)
    }

    @Test("A uniform 8-bit frame has one color at every size", arguments: [(16, 9), (64, 48), (301, 7)])
    func scaled(width: Int, height: Int) throws { try drawUniform(Kind.plain, width, height) }

    @Test(
        "A uniform frame of more than 8 bits has one color at every size", .enabled(deepIsMissing, hasDeep),
        arguments: [(16, 9), (64, 48), (301, 7)])
    func deepScaled(width: Int, height: Int) throws { try drawUniform(Kind.deep, width, height) }

    private func drawUniform(_ kinds: [Kind], _ width: Int, _ height: Int) throws {
        for kind in kinds {
            let picture = TestPicture(kind.format(33, 31)) { plane, x, _ in
                let isSecond = plane == 2 || (kind.format(2, 2).planeCount == 2 && x % 2 == 1)
                return (plane == 0 ? 150 : isSecond ? 90 : 190) << (kind.format(2, 2).bitDepth - 8)
            }
            let canvas = try Canvas(width, height)
            let color = ReferenceColors(picture: picture).color(0, 0)
            #expect(try canvas.draw(picture).largestError { _, _ in color } <= Self.tolerance, "\(kind)")
        }
    }
}
