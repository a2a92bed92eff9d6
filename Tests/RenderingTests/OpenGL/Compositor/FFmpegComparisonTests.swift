import GlissadeGeometry
import GlissadePicture
import GlissadeRendering
import Testing
import GlissadeTestSupport

/// What FFmpeg's zscale makes of the same planes. Bars and slopes of FFmpeg's own.
@MainActor @Suite("Comparison with FFmpeg", .enabled(if: FFmpeg.isInstalled, "the ffmpeg command is not installed"))
struct FFmpegComparisonTests {
    nonisolated static let sources = [
        "smptebars=s=162x122", "testsrc2=s=322x182", "gradients=s=130x98:seed=7:nb_colors=4",
    ]

    @Test(
        "Every 8-bit pixel is within 3 of FFmpeg's except on chroma edges, and the mean within 1",
        arguments: [DrawnPictureTests.Kind.yuv420, .yuv422, .yuv444, .nv12, .gray], sources)
    func sameAsZscale(kind: DrawnPictureTests.Kind, source: String) throws { try compare(kind, source) }

    @Test(
        "Every 10-bit pixel is within 3 of FFmpeg's except on chroma edges",
        .enabled(DrawnPictureTests.deepIsMissing, DrawnPictureTests.hasDeep), arguments: sources)
    func deep(source: String) throws { try compare(.yuv420p10, source) }

    /// Compares in every matrix and range, and in every siting that `kind` may have.
    private func compare(_ kind: DrawnPictureTests.Kind, _ source: String) throws {
        let size = try Self.size(of: source)
        // zimg has another scale for Cg and Co of limited range: see `ColorConversion`.
        var formats = ColorMatrix.allCases.flatMap { matrix in
            ColorRange.allCases.filter { matrix != .yCgCo || $0 == .full }.map {
                kind.format(size.width, size.height, matrix, $0, .left)
            }
        }
        if kind == .yuv420 {
            formats += [.center, .topLeft].map { kind.format(size.width, size.height, .bt709, .limited, $0) }
        }
        let pixelFormat = Self.pixelFormat(kind)
        let raw = try FFmpegReference.frame(of: source, pixelFormat: pixelFormat)
        let pictures = try formats.map { try #require(TestPicture($0, raw: raw), "\(raw.count) bytes") }
        // zscale has no interleaved planes: it is given the same samples apart.
        let references = try FFmpegReference.converted(
            kind == .nv12 ? pictures[0].deinterleaved : raw, formats,
            pixelFormat: kind == .nv12 ? "yuv420p" : pixelFormat)
        let area = size.width * size.height
        let isEdge = (0..<area).map { pictures[0].hasChromaEdge($0 % size.width, $0 / size.width) }
        #expect(isEdge.count { !$0 } > area / 4)
        let canvas = try Canvas(size.width, size.height)
        for (picture, judged) in zip(pictures, references) {
            let pixels = try canvas.draw(picture)
            let isWhole = judged.count == 3 * area
            try #require(isWhole)
            var (sum, largest) = (0.0, 0.0)
            for at in 0..<area {
                let theirs = SIMD3(Double(judged[2 * area + at]), Double(judged[at]), Double(judged[area + at]))
                let error = pixels[at % size.width, at / size.width] - theirs
                sum += abs(error.x) + abs(error.y) + abs(error.z)
                if !isEdge[at] { largest = max(largest, error.max(), -error.min()) }
            }
            let format = picture.format
            #expect(sum / Double(3 * area) <= 1, "\(format.matrix) \(format.range) \(format.siting)")
            #expect(largest <= 3, "\(format.matrix) \(format.range) \(format.siting)")
        }
    }

    @Test(
        "An rgb24 frame expanded to four bytes equals FFmpeg's exactly, whatever matrix it declares",
        arguments: sources)
    func rgb(source: String) throws {
        let size = try Self.size(of: source)
        let raw = try FFmpegReference.frame(of: source, pixelFormat: "rgb24")
        let area = size.width * size.height
        try #require(raw.count == 3 * area)
        let canvas = try Canvas(size.width, size.height)
        let formats = ColorMatrix.allCases.flatMap { matrix in
            ColorRange.allCases.map { PixelFormat(size: size, layout: .rgb(.rgba), matrix: matrix, range: $0) }
        }
        for (format, judged) in zip(formats, try FFmpegReference.converted(raw, formats, pixelFormat: "rgb24")) {
            let picture = TestPicture(format) { _, x, y in
                let at = (y * size.width + x / 4) * 3 + x % 4
                return x % 4 == 3 ? 0 : Int(raw[at])
            }
            try #require(judged.count == 3 * area)
            let error = try canvas.draw(picture).largestError { x, y in
                let at = y * size.width + x
                return SIMD3(Double(judged[2 * area + at]), Double(judged[at]), Double(judged[area + at]))
            }
            #expect(error == 0, "\(format.matrix) \(format.range)")
        }
    }

    private static func size(of source: String) throws -> PixelSize {
        let numbers = try #require(source.firstMatch(of: /s=(\d+)x(\d+)/))
        return PixelSize(width: try #require(Int(numbers.1)), height: try #require(Int(numbers.2)))
    }

    private static func pixelFormat(_ kind: DrawnPictureTests.Kind) -> String {
        switch kind {
        case .yuv420: "yuv420p"
        case .yuv422: "yuv422p"
        case .yuv444: "yuv444p"
        case .nv12: "nv12"
        case .nv21: "nv21"
        case .gray: "gray"
        case .yuv420p10: "yuv420p10le"
        case .yuv422p12: "yuv422p12le"
        case .p010: "p010le"
        }
    }
}

extension TestPicture {
    /// Samples from tightly packed planes; nil where there are too few.
    init?(_ format: PixelFormat, raw: [UInt8]) {
        var offsets: [Int] = []
        var end = 0
        for plane in 0..<format.planeCount {
            offsets.append(end)
            let size = format.planeSize(plane)
            end += size.width * size.height * format.texelBytes(plane)
        }
        guard raw.count == end else { return nil }
        self.init(format) { plane, x, y in
            let row = format.planeSize(plane).width * Self.samplesPerTexel(format, plane)
            let at = offsets[plane] + (y * row + x) * format.bytesPerSample
            return format.bytesPerSample == 1 ? Int(raw[at]) : Int(raw[at]) | Int(raw[at + 1]) << 8
        }
    }

    /// The bytes of an NV12 picture with U and V in planes of their own.
    var deinterleaved: [UInt8] {
        let chroma = planes[1]
        let blue = stride(from: 0, to: chroma.count, by: 2).map { UInt8(chroma[$0]) }
        let red = stride(from: 1, to: chroma.count, by: 2).map { UInt8(chroma[$0]) }
        return bytes[0] + blue + red
    }

    /// Whether chroma changes fast around a luma sample: where two ways to round it may differ by more than one.
    func hasChromaEdge(_ x: Int, _ y: Int) -> Bool {
        guard format.planeCount > 1 else { return false }
        let across = format.planeSize(0).width != format.planeSize(1).width
        let down = format.planeSize(0).height != format.planeSize(1).height
        guard across || down else { return false }
        for plane in 1..<format.planeCount {
            let size = format.planeSize(plane)
            let step = Self.samplesPerTexel(format, plane)
            for part in 0..<step {
                var (least, most) = (Int.max, Int.min)
                for row in max(0, (down ? y / 2 : y) - 1)...min(size.height - 1, (down ? y / 2 : y) + 1) {
                    for column in max(0, (across ? x / 2 : x) - 1)...min(size.width - 1, (across ? x / 2 : x) + 1) {
                        let value = planes[plane][(row * size.width + column) * step + part]
                        (least, most) = (min(least, value), max(most, value))
                    }
                }
                if (most - least) >> (format.bitDepth - 8) > 16 { return true }
            }
        }
        return false
    }
}
