import GlissadeGeometry
import GlissadeLayers
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

@testable import GlissadePixelConversion

/// A film's pictures by both ways: to OpenGL their planes, as they were decoded; to the software renderer what the CPU
/// made of them, at the size at which they are seen.
@MainActor @Suite("Comparison of the renderers' video conversion") struct FilmComparisonTests {
    typealias Kind = DrawnPictureTests.Kind

    /// Both ways, to a place of a target that is larger.
    @MainActor private final class Pair {
        private static let viewport = PixelSize(width: 180, height: 180)
        private let gl: Canvas
        private let software = SoftwareCanvas(viewport.width, viewport.height)
        private var resolver = PixelConverter()

        init() throws { gl = try Canvas(Self.viewport.width, Self.viewport.height) }

        /// How alike both are, in decibels.
        ///
        /// - Parameter size: of the upright picture, as it is seen; nil for that of the picture.
        func likeness(
            _ picture: TestPicture, size: PixelSize? = nil, rotation: QuarterTurns = .none, brightnessOffset: Double = 0
        ) throws -> Double {
            func turned(_ size: PixelSize) -> PixelSize {
                rotation.swapsAxes ? PixelSize(width: size.height, height: size.width) : size
            }
            let size = size ?? turned(picture.format.size)
            let place = PixelRect(minX: 5, minY: 3, maxX: 5 + size.width, maxY: 3 + size.height)
            try #require(PixelRect(size: Self.viewport).contains(place))
            try gl.upload(picture)
            gl.texture.brightnessOffset = brightnessOffset
            var isConverted = false
            try picture.withView { view throws in
                guard let resolved = resolver.convert(view, to: turned(size), brightnessOffset: brightnessOffset) else {
                    return
                }
                try software.surface.upload(resolved.view)
                isConverted = true
            }
            try #require(isConverted)
            let item = DisplayList.Item.surface(
                SurfacePlacement(surface: .test, destination: place, clip: place, rotation: rotation))
            return try gl.draw([item]).signalToNoise(software.draw([item]), in: place)
        }
    }

    private static func formats(_ kind: Kind, _ width: Int, _ height: Int) -> [PixelFormat] {
        ColorMatrix.allCases.flatMap { matrix in
            ColorRange.allCases.map { kind.format(width, height, matrix, $0) }
        }
    }

    @Test("Both renderers convert video of even and odd sizes alike, for every matrix and range", arguments: Kind.plain)
    func unscaled(kind: Kind) throws { try compareUnscaled(kind) }

    @Test(
        "Both renderers convert video of more than 8 bits alike",
        .enabled(DrawnPictureTests.deepIsMissing, DrawnPictureTests.hasDeep),
        arguments: Kind.deep)
    func deepUnscaled(kind: Kind) throws { try compareUnscaled(kind) }

    private func compareUnscaled(_ kind: Kind) throws {
        let pair = try Pair()
        for (width, height) in [(64, 48), (67, 45), (66, 51), (3, 5)] {
            for format in Self.formats(kind, width, height) {
                let decibels = try pair.likeness(.noise(format, padding: 4))
                #expect(decibels >= 45, "\(width) × \(height) \(format.matrix) \(format.range)")
            }
        }
    }

    @Test(
        "Both renderers scale and rotate video alike, for every matrix and range", arguments: Kind.plain)
    func scaled(kind: Kind) throws { try compareScaled(kind) }

    @Test(
        "Both renderers scale and rotate video of more than 8 bits alike",
        .enabled(DrawnPictureTests.deepIsMissing, DrawnPictureTests.hasDeep), arguments: Kind.deep)
    func deepScaled(kind: Kind) throws { try compareScaled(kind) }

    private func compareScaled(_ kind: Kind) throws {
        let pair = try Pair()
        for (width, height) in [(166, 131), (101, 75), (41, 30), (20, 15)] {
            for format in Self.formats(kind, 67, 51) {
                for (rotation, size) in [
                    (QuarterTurns.none, PixelSize(width: width, height: height)),
                    (.quarter, PixelSize(width: height, height: width)),
                ] {
                    let decibels = try pair.likeness(.slopes(format, padding: 4), size: size, rotation: rotation)
                    #expect(
                        decibels >= 40, "to \(width) × \(height) \(format.matrix) \(format.range) \(rotation)")
                }
            }
        }
    }

    @Test(
        "Both renderers sample chroma alike at every siting", arguments: [Kind.yuv420, .nv12, .nv21],
        [ChromaSiting.center, .topLeft])
    func siting(kind: Kind, siting: ChromaSiting) throws {
        let pair = try Pair()
        for range in ColorRange.allCases {
            let format = kind.format(67, 51, .bt709, range, siting)
            let unscaled = try pair.likeness(.noise(format, padding: 4))
            let scaled = try pair.likeness(.slopes(format), size: PixelSize(width: 101, height: 75))
            #expect(unscaled >= 45)
            #expect(scaled >= 40)
        }
    }

    @Test("Both renderers apply brightness alike", arguments: Kind.plain, [-0.3, 0.1, 0.5])
    func lifted(kind: Kind, brightnessOffset: Double) throws {
        let pair = try Pair()
        for format in Self.formats(kind, 67, 51) {
            let decibels = try pair.likeness(.noise(format, padding: 4), brightnessOffset: brightnessOffset)
            #expect(decibels >= 45, "\(format.matrix) \(format.range)")
        }
    }
}
