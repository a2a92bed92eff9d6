import Foundation
import GlissadeGeometry
import GlissadeLayers
import GlissadeRendering
import Testing

/// Shadows of rectangles against the convolution that they are.
@MainActor @Suite("Shadows") struct ShadowTests {
    static let caster = PixelRect(minX: 20, minY: 16, maxX: 50, maxY: 40)

    static func shadow(
        blur: Double, radius: Double = 0, caster: PixelRect = caster, clip: PixelRect? = nil,
        color: Color = .shadow(0.5)
    ) -> DisplayList.Item {
        .shadow(
            .init(
                caster: caster, clip: clip ?? PixelRect(minX: 0, minY: 0, maxX: 80, maxY: 60), blur: blur,
                cornerRadius: radius, color: color))
    }

    /// The caster's outline blurred by a Gaussian, summed over its pixels.
    static func blurred(_ x: Int, _ y: Int, deviation: Double, radius: Double) -> Double {
        var sum = 0.0
        func part(_ from: Int, _ at: Int) -> Double {
            let scale = 1 / (deviation * 2.0.squareRoot())
            return 0.5 * (erf((Double(from + 1 - at) - 0.5) * scale) - erf((Double(from - at) - 0.5) * scale))
        }
        for row in caster.minY..<caster.maxY {
            for column in caster.minX..<caster.maxX {
                let area = radius > 0 ? BoxTests.coverage(caster, radius, column, row) : 1
                sum += area * part(column, x) * part(row, y)
            }
        }
        return sum
    }

    @Test("A shadow is the blurred rectangle outside of its caster, and nothing inside", arguments: [2.0, 8, 20])
    func straight(blur: Double) throws {
        let canvas = try Canvas(80, 60)
        let pixels = try canvas.draw([Self.shadow(blur: blur)], over: .white)
        let error = pixels.largestError { x, y in
            if Self.caster.contains(PixelRect(minX: x, minY: y, maxX: x + 1, maxY: y + 1)) {
                return SIMD3(repeating: 255)
            }
            let shade = Self.blurred(x, y, deviation: blur / 2, radius: 0)
            return SIMD3(repeating: 255 * (1 - 0.5 * shade))
        }
        #expect(error <= 1)
    }

    @Test("Rounded casters have rounded shadows", arguments: [4.0, 9])
    func round(radius: Double) throws {
        let canvas = try Canvas(80, 60)
        let pixels = try canvas.draw([Self.shadow(blur: 10, radius: radius)], over: .white)
        var largest = 0.0
        for y in stride(from: 0, to: 60, by: 3) {
            for x in stride(from: 1, to: 80, by: 3) {
                let inside = BoxTests.coverage(Self.caster, radius, x, y)
                guard inside == 0 || inside == 1 else { continue }
                let shade = inside == 1 ? 0 : Self.blurred(x, y, deviation: 5, radius: radius)
                largest = max(largest, abs(pixels[x, y].x - 255 * (1 - 0.5 * shade)))
            }
        }
        // At the outline a pixel of the caster's may be counted as covered a little less than wholly.
        #expect(largest <= 5)
    }

    @Test("A shadow has its color and ends at its clip")
    func clip() throws {
        let canvas = try Canvas(80, 60)
        let clip = PixelRect(minX: 0, minY: 0, maxX: 20, maxY: 60)
        let red = Color(red: 1, green: 0, blue: 0, alpha: 1)
        let pixels = try canvas.draw([Self.shadow(blur: 12, clip: clip, color: red)], over: .black)
        let error = pixels.largestError { x, y in
            x < 20 ? SIMD3(255 * Self.blurred(x, y, deviation: 6, radius: 0), 0, 0) : .zero
        }
        #expect(error <= 1)
    }

    @Test("Invalid shadows draw nothing")
    func hostile() throws {
        let canvas = try Canvas(80, 60)
        let nothing = PixelRect(minX: 9, minY: 9, maxX: 9, maxY: 9)
        let pixels = try canvas.draw([
            Self.shadow(blur: 0), Self.shadow(blur: -4), Self.shadow(blur: .nan),
            Self.shadow(blur: 8, caster: nothing), Self.shadow(blur: 8, clip: nothing),
            Self.shadow(blur: 8, color: .shadow(.nan)), Self.shadow(blur: 1e300, color: .shadow(0)),
            Self.shadow(blur: 8, caster: PixelRect(minX: 9, minY: 9, maxX: 2, maxY: 2)),
        ])
        #expect(pixels.largestError { _, _ in SIMD3(repeating: 51) } == 0)
        _ = try canvas.draw([Self.shadow(blur: 1e300), Self.shadow(blur: .infinity, radius: .infinity)])
    }
}
