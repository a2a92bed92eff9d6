import Foundation
import GlissadeGeometry
import GlissadePicture

@testable import GlissadePixelConversion

/// The planes of one picture, tightly packed, and what they mean.
struct SourcePicture {
    var bytes: [UInt8]
    var format: PixelFormat

    /// Lends the planes.
    func withView<R>(_ body: (PixelView) -> R) -> R {
        bytes.withUnsafeBytes { memory in
            var planes: [PixelView.Plane] = []
            for index in 0..<format.planeCount {
                let stride = format.planeSize(index).width * format.texelBytes(index)
                planes.append(.init(base: memory.baseAddress! + offset(index), stride: stride))
            }
            return body(
                PixelView(
                    format: format, planes[0], planes.count > 1 ? planes[1] : nil, planes.count > 2 ? planes[2] : nil))
        }
    }

    /// In BGRA at `size`.
    func resolved(_ size: PixelSize, brightnessOffset: Double = 0) -> [UInt8]? {
        withView { view in
            var resolver = PixelConverter()
            guard let picture = resolver.convert(view, to: size, brightnessOffset: brightnessOffset) else { return nil }
            return [UInt8](UnsafeRawBufferPointer(start: picture.buffer.memory, count: picture.buffer.byteCount))
        }
    }

    /// Where a plane begins.
    func offset(_ plane: Int) -> Int {
        (0..<plane).reduce(0) { $0 + format.planeSize($1).width * format.planeSize($1).height * format.texelBytes($1) }
    }

    /// For each chroma sample, whether chroma changes fast around it: where two ways to round the values between may
    /// differ by more than one. Nil where nothing lies between.
    private func chromaEdges() -> (isEdge: [Bool], across: Int, down: Int)? {
        guard format.planeCount > 1 else { return nil }
        let size = format.planeSize(1)
        let (across, down) = (format.size.width > size.width ? 2 : 1, format.size.height > size.height ? 2 : 1)
        guard across > 1 || down > 1 else { return nil }
        var isEdge = [Bool](repeating: false, count: size.width * size.height)
        for plane in 1..<format.planeCount {
            let begin = offset(plane)
            let parts = format.texelBytes(plane) / format.bytesPerSample
            for part in 0..<parts {
                let values = isEdge.indices.map { index in
                    let at = begin + (index * parts + part) * format.bytesPerSample
                    return format.bytesPerSample == 1 ? Int(bytes[at]) : Int(bytes[at]) | Int(bytes[at + 1]) << 8
                }
                for y in 0..<size.height {
                    for x in 0..<size.width {
                        var (least, most) = (Int.max, Int.min)
                        for row in max(0, y - 1)...min(size.height - 1, y + 1) {
                            for column in max(0, x - 1)...min(size.width - 1, x + 1) {
                                let value = values[row * size.width + column]
                                (least, most) = (min(least, value), max(most, value))
                            }
                        }
                        if (most - least) >> (format.bitDepth - 8) > 16 { isEdge[y * size.width + x] = true }
                    }
                }
            }
        }
        return (isEdge, across, down)
    }

    /// How this picture in BGRA differs from planar G, B, R of the same size.
    struct Difference {
        var mean = 0.0
        /// The largest, leaving out chroma's edges.
        var largest = 0
        /// The share of the pixels that are not on chroma's edges.
        var smooth = 0.0
    }

    func difference(_ ours: [UInt8], _ reference: [UInt8]) -> Difference {
        var result = Difference()
        let (width, height) = (format.size.width, format.size.height)
        let count = width * height
        let edges = chromaEdges()
        let chromaWidth = format.planeCount > 1 ? format.planeSize(1).width : 0
        var sum = 0
        for y in 0..<height {
            for x in 0..<width {
                let index = y * width + x
                var worst = 0
                for (plane, channel) in [(0, 1), (1, 0), (2, 2)] {
                    let difference = abs(Int(ours[index * 4 + channel]) - Int(reference[plane * count + index]))
                    sum += difference
                    worst = max(worst, difference)
                }
                if let edges, edges.isEdge[y / edges.down * chromaWidth + x / edges.across] { continue }
                result.smooth += 1
                result.largest = max(result.largest, worst)
            }
        }
        result.smooth /= Double(count)
        result.mean = Double(sum) / Double(count * 3)
        return result
    }
}
