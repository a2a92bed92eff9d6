import GlissadeGeometry
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTime

/// The conversion's numbers, against published ones and against what black, white and pure colours must give.
@Suite("Color conversion") struct ColorConversionTests {
    static func format(
        _ matrix: ColorMatrix, _ range: ColorRange, depth: Int = 8, high: Bool = false,
        layout: PlaneLayout = .planar(.full)
    ) -> PixelFormat {
        PixelFormat(
            size: PixelSize(width: 2, height: 2), layout: layout, bitDepth: depth, isHighAligned: high, matrix: matrix,
            range: range)
    }

    @Test("Limited-range BT.601 has its well-known coefficients")
    func factors601() {
        let c = ColorConversion(Self.format(.bt601, .limited))
        #expect(abs(c.luma.x - 1.164384) < 1e-6)
        #expect(abs(c.redDifference.x - 1.596027) < 1e-6)
        #expect(abs(c.blueDifference.y + 0.391762) < 1e-6)
        #expect(abs(c.redDifference.y + 0.812968) < 1e-6)
        #expect(abs(c.blueDifference.z - 2.017232) < 1e-6)
    }

    @Test("Limited-range BT.709 and full-range BT.2020 have their coefficients")
    func factorsOthers() {
        let c = ColorConversion(Self.format(.bt709, .limited))
        #expect(abs(c.redDifference.x - 1.792741) < 1e-6)
        #expect(abs(c.blueDifference.y + 0.213249) < 1e-6)
        #expect(abs(c.redDifference.y + 0.532909) < 1e-6)
        #expect(abs(c.blueDifference.z - 2.112402) < 1e-6)
        let wide = ColorConversion(Self.format(.bt2020, .full))
        #expect(wide.luma == SIMD3(repeating: 1))
        #expect(abs(wide.redDifference.x - 1.4746) < 1e-9)
        #expect(abs(wide.blueDifference.z - 1.8814) < 1e-9)
    }

    @Test("Black is 0 and white is 1 at every depth, alignment, range and matrix", arguments: 8...16)
    func blackAndWhite(depth: Int) {
        for matrix in ColorMatrix.allCases {
            for range in ColorRange.allCases {
                for high in depth == 8 ? [false] : [false, true] {
                    let convert = ColorConversion(Self.format(matrix, range, depth: depth, high: high))
                    let scale = Double(high ? 1 << (16 - depth) : 1) / (depth > 8 ? 65535 : 255)
                    let unit = Double(1 << (depth - 8))
                    let (black, white) = range == .full ? (0, Double((1 << depth) - 1)) : (16 * unit, 235 * unit)
                    let middle = 128 * unit * scale
                    let dark = convert(black * scale, middle, middle)
                    let bright = convert(white * scale, middle, middle)
                    #expect(dark.max() < 1e-9 && dark.min() > -1e-9)
                    #expect(bright.max() < 1 + 1e-9 && bright.min() > 1 - 1e-9)
                }
            }
        }
    }

    @Test("Video without chroma is gray, whatever the other planes hold")
    func gray() {
        let convert = ColorConversion(Self.format(.bt709, .limited, layout: .gray))
        let color = convert(126.0 / 255, 0.3, 0.9)
        #expect(color.x == color.y && color.y == color.z)
        #expect(abs(color.x - 110.0 / 219) < 1e-12)
    }
}
