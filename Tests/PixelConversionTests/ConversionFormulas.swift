import GlissadePicture
import GlissadeTestSupport
import GlissadeTime

// The standards' own formulas, computed in `Double` without the resolver: what a picture ought to look like.

extension SourcePicture {
    /// Slow slopes of chroma through its whole range, with a little noise, so that what is rounded between two samples is
    /// rounded in every way; luma that keeps most of the colours inside their cube.
    static func slopes(_ format: PixelFormat) -> SourcePicture {
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        let top = 1 << format.bitDepth
        var bytes: [UInt8] = []
        for plane in 0..<format.planeCount {
            let size = format.planeSize(plane)
            let parts = format.texelBytes(plane) / format.bytesPerSample
            for y in 0..<size.height {
                for x in 0..<size.width * parts {
                    state ^= state << 13
                    state ^= state >> 7
                    state ^= state << 17
                    let across = (x / parts) * top / size.width
                    let noise = Int(state >> 40) % (top / 32)
                    let value =
                        plane == 0 ? top / 2 + noise : (plane + x % parts == 1 ? across : y * top / size.height) + noise
                    let word = min(value, top - 1)
                    bytes.append(UInt8(truncatingIfNeeded: word))
                    if format.bytesPerSample == 2 { bytes.append(UInt8(word >> 8)) }
                }
            }
        }
        return SourcePicture(bytes: bytes, format: format)
    }

    private func sample(_ plane: Int, _ part: Int, _ x: Int, _ y: Int) -> Double {
        let size = format.planeSize(plane)
        let parts = format.texelBytes(plane) / format.bytesPerSample
        let index = min(max(y, 0), size.height - 1) * size.width + min(max(x, 0), size.width - 1)
        let at = offset(plane) + (index * parts + part) * format.bytesPerSample
        return Double(format.bytesPerSample == 1 ? Int(bytes[at]) : Int(bytes[at]) | Int(bytes[at + 1]) << 8)
    }

    /// Chroma at a luma sample, bilinear; beyond the outermost samples it stays as it is.
    private func chroma(_ plane: Int, _ part: Int, _ x: Int, _ y: Int) -> Double {
        let size = format.planeSize(plane)
        let u = size.width < format.size.width ? (Double(x) - (format.siting == .center ? 0.5 : 0)) / 2 : Double(x)
        let v = size.height < format.size.height ? (Double(y) - (format.siting == .topLeft ? 0 : 0.5)) / 2 : Double(y)
        let (left, top) = (Int(u.rounded(.down)), Int(v.rounded(.down)))
        let (a, b) = (u - Double(left), v - Double(top))
        return (sample(plane, part, left, top) * (1 - a) + sample(plane, part, left + 1, top) * a) * (1 - b)
            + (sample(plane, part, left, top + 1) * (1 - a) + sample(plane, part, left + 1, top + 1) * a) * b
    }

    /// How far this picture in BGRA is from what H.273 says of its samples: equations 20…31 and 38…43.
    ///
    /// - Parameter lift: of 1, what was added to each component.
    func largestError(_ ours: [UInt8], brightnessOffset: Double = 0) -> Double {
        let unit = Double(1 << (format.bitDepth - 8))
        let top = Double((1 << format.bitDepth) - 1)
        let isFull = format.range == .full
        var largest = 0.0
        for y in 0..<format.size.height {
            for x in 0..<format.size.width {
                let code = sample(0, 0, x, y)
                let luma = isFull ? code / top : (code / unit - 16) / 219
                var (blueness, redness) = (0.0, 0.0)
                if format.planeCount > 1 {
                    let isApart = format.planeCount == 3
                    let span = isFull ? top : 224 * unit
                    blueness = (chroma(1, 0, x, y) - 128 * unit) / span
                    redness = (chroma(isApart ? 2 : 1, isApart ? 0 : 1, x, y) - 128 * unit) / span
                }
                let color = format.matrix.formula(luma, blueness, redness)
                for (channel, value) in [color.z, color.y, color.x].enumerated() {
                    let at = (y * format.size.width + x) * 4 + channel
                    largest = max(largest, abs(Double(ours[at]) - min(max((value + brightnessOffset) * 255, 0), 255)))
                }
            }
        }
        return largest
    }
}
