import GlissadePicture

/// What a picture looks like by the standards' own formulas, computed here in `Double` without the renderer.
///
/// H.273: Y' and Cb, Cr from code values (20…31); R' and B' from their differences to Y', G' from what the weights leave
/// (38…43). Chroma between its samples is bilinear, and beyond the outermost ones it stays as it is.
package struct ReferenceColors {
    private let picture: TestPicture

    package init(picture: TestPicture) { self.picture = picture }

    package func color(_ x: Int, _ y: Int) -> SIMD3<Double> { color(x, y, brightnessOffset: 0) }

    /// R, G, B as 0…255, clipped but not rounded, at a luma sample, with `brightnessOffset` of 1 added to each.
    package func color(_ x: Int, _ y: Int, brightnessOffset: Double) -> SIMD3<Double> {
        let format = picture.format
        if case .rgb = format.layout {
            let at = (y * format.size.width + x) * 4
            return SIMD3((0..<3).map { min(max(Double(picture.planes[0][at + $0]) + brightnessOffset * 255, 0), 255) })
        }
        let unit = Double(1 << (format.bitDepth - 8))
        let top = Double((1 << format.bitDepth) - 1)
        let isFull = format.range == .full
        let code = Double(picture.planes[0][y * format.size.width + x])
        let luma = isFull ? code / top : (code / unit - 16) / 219
        var (blueness, redness) = (0.0, 0.0)
        if let (cb, cr) = chroma(x, y) {
            let middle = 128 * unit
            blueness = (cb - middle) / (isFull ? top : 224 * unit)
            redness = (cr - middle) / (isFull ? top : 224 * unit)
        }
        // Without chroma, luma is gray by any matrix.
        let color = format.matrix.formula(luma, blueness, redness)
        return ((color + brightnessOffset) * 255).clamped(
            lowerBound: .zero, upperBound: SIMD3(repeating: 255))
    }

    private func chroma(_ x: Int, _ y: Int) -> (cb: Double, cr: Double)? {
        let format = picture.format
        switch format.layout {
        case .gray, .rgb:
            return nil
        case .planar(let subsampling):
            return (
                sample(1, 0, x, y, subsampling), sample(2, 0, x, y, subsampling)
            )
        case .semiPlanar(let vFirst):
            return (sample(1, vFirst ? 1 : 0, x, y, .quarter), sample(1, vFirst ? 0 : 1, x, y, .quarter))
        }
    }

    /// Bilinear between the four chroma samples around a luma sample, by where those lie among luma samples.
    private func sample(_ plane: Int, _ part: Int, _ x: Int, _ y: Int, _ subsampling: ChromaSubsampling) -> Double {
        let format = picture.format
        let size = format.planeSize(plane)
        let step = TestPicture.samplesPerTexel(format, plane)
        // In luma samples, sample j of a halved axis lies at 2j, or half a sample further where it is in the middle.
        let acrossOffset = format.siting == .center ? 0.5 : 0
        let downOffset = format.siting == .topLeft ? 0.0 : 0.5
        let u = subsampling.horizontalShift == 1 ? (Double(x) - acrossOffset) / 2 : Double(x)
        let v = subsampling.verticalShift == 1 ? (Double(y) - downOffset) / 2 : Double(y)
        func at(_ column: Double, _ row: Double) -> Double {
            let column = min(max(Int(column), 0), size.width - 1)
            let row = min(max(Int(row), 0), size.height - 1)
            return Double(picture.planes[plane][(row * size.width + column) * step + part])
        }
        let (left, top) = (u.rounded(.down), v.rounded(.down))
        let (a, b) = (u - left, v - top)
        return (at(left, top) * (1 - a) + at(left + 1, top) * a) * (1 - b)
            + (at(left, top + 1) * (1 - a) + at(left + 1, top + 1) * a) * b
    }
}
