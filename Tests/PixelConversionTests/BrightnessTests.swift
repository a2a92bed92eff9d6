import GlissadeGeometry
import GlissadePicture
import Testing

/// Frames that the converter makes brighter or darker.
@Suite("Brightness of converted pixels", .serialized) struct BrightnessTests {
    private static let lifts = [-1, -0.3, 0.1, 1].map { Brightness($0).brightnessOffset }
    private static let layouts: [(PlaneLayout, Int)] = [
        (.planar(.quarter), 8), (.planar(.halfAcross), 8), (.planar(.full), 8), (.semiPlanar(vFirst: false), 8),
        (.gray, 8), (.planar(.quarter), 10), (.planar(.full), 12),
    ]

    @Test("Brightness is added to R'G'B' before clipping, for every layout, matrix and range", arguments: lifts)
    func formulas(brightnessOffset: Double) throws {
        let size = PixelSize(width: 64, height: 64)
        for (layout, depth) in Self.layouts {
            for matrix in ColorMatrix.allCases {
                for range in ColorRange.allCases {
                    let format = PixelFormat(
                        size: size, layout: layout, bitDepth: depth, matrix: matrix, range: range)
                    let picture = SourcePicture.slopes(format)
                    let plain = try #require(picture.resolved(size))
                    let lifted = try #require(picture.resolved(size, brightnessOffset: brightnessOffset))
                    // As far from the formulas as without it, but for the rounding of what is added.
                    #expect(
                        picture.largestError(lifted, brightnessOffset: brightnessOffset)
                            <= (matrix == .yCgCo ? 4.5 : 3.5),
                        "\(layout) \(depth) \(matrix) \(range)")
                    // Where neither is clipped, nothing but the lift lies between them.
                    var largest = 0.0
                    for (before, after) in zip(plain, lifted) where (1...254).contains(before) {
                        if (1...254).contains(after) {
                            largest = max(largest, abs(Double(after) - Double(before) - brightnessOffset * 255))
                        }
                    }
                    #expect(largest <= 1, "\(layout) \(depth) \(matrix) \(range)")
                }
            }
        }
    }

    @Test("RGB bytes change by whole steps, are clipped at their ends and stay opaque")
    func rgb() throws {
        let size = PixelSize(width: 64, height: 8)
        let bytes = (0..<size.width * size.height * 4).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        for order in [PixelOrder.rgba, .bgra] {
            let picture = SourcePicture(bytes: bytes, format: PixelFormat(size: size, layout: .rgb(order)))
            for brightnessOffset in Self.lifts + [0] {
                let steps = Int((brightnessOffset * 255).rounded())
                let ours = try #require(picture.resolved(size, brightnessOffset: brightnessOffset))
                for pixel in stride(from: 0, to: ours.count, by: 4) {
                    for channel in 0..<3 {
                        let from = order == .bgra ? channel : 2 - channel
                        let expected = min(max(Int(bytes[pixel + from]) + steps, 0), 255)
                        guard Int(ours[pixel + channel]) == expected else {
                            Issue.record("\(order) \(brightnessOffset): \(ours[pixel + channel]) for \(expected)")
                            return
                        }
                    }
                    guard ours[pixel + 3] == 255 else {
                        Issue.record("not opaque")
                        return
                    }
                }
            }
        }
    }

    @Test("An absurd brightness gives white or black, or is ignored")
    func nonsense() throws {
        let size = PixelSize(width: 16, height: 16)
        for layout in [PlaneLayout.planar(.quarter), .gray, .rgb(.bgra)] {
            var picture = SourcePicture.slopes(PixelFormat(size: size, layout: .planar(.quarter)))
            if layout != .planar(.quarter) {
                picture = SourcePicture(
                    bytes: [UInt8](repeating: 128, count: size.width * size.height * 4),
                    format: PixelFormat(size: size, layout: layout))
            }
            let plain = try #require(picture.resolved(size))
            #expect(picture.resolved(size, brightnessOffset: .nan) == plain)
            for (absurd, end) in [(1e300, 1.0), (-1e300, -1)] {
                #expect(
                    picture.resolved(size, brightnessOffset: absurd) == picture.resolved(size, brightnessOffset: end))
            }
            // The strongest of colours is beyond black and white.
            if layout == .planar(.quarter) { continue }
            let black = try #require(picture.resolved(size, brightnessOffset: -1e300))
            #expect(picture.resolved(size, brightnessOffset: 1e300)?.allSatisfy { $0 == 255 } == true)
            #expect(stride(from: 0, to: black.count, by: 4).allSatisfy { black[$0 + 1] == 0 })
        }
    }
}
