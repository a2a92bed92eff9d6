import GlissadeCFFmpeg
import Foundation
import GlissadeGeometry
import GlissadePicture
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia
@testable import GlissadePixelConversion

/// The CPU's way from planes to RGB, against zimg's, through the `ffmpeg` command.
@Suite("Pixel conversion", .serialized) struct PixelConverterTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var pixelFormat: String
        var layout: PlaneLayout
        var depth = 8
        var testDescription: String { pixelFormat }
    }

    nonisolated private static let cases = [
        Case(pixelFormat: "yuv420p", layout: .planar(.quarter)),
        Case(pixelFormat: "yuv422p", layout: .planar(.halfAcross)),
        Case(pixelFormat: "yuv444p", layout: .planar(.full)),
        Case(pixelFormat: "nv12", layout: .semiPlanar(vFirst: false)),
        Case(pixelFormat: "yuv420p10le", layout: .planar(.quarter), depth: 10),
        Case(pixelFormat: "yuv422p10le", layout: .planar(.halfAcross), depth: 10),
        Case(pixelFormat: "yuv444p10le", layout: .planar(.full), depth: 10),
        Case(pixelFormat: "yuv420p12le", layout: .planar(.quarter), depth: 12),
        Case(pixelFormat: "gray", layout: .gray),
    ]

    /// A frame of a source of libavfilter's in each of `formats`, and zimg's conversion of it to planar G, B, R at `size`. One
    /// command makes them all, as its start takes longer than its work.
    private func pairs(
        _ source: String, _ formats: [PixelFormat], _ pixelFormat: String, to size: PixelSize
    ) throws -> [(SourcePicture, [UInt8])] {
        let stem = Clips.folder.appendingPathComponent("planes").path
        var graph = "\(source),format=gbrp,trim=end_frame=1,split=\(formats.count)"
        graph += formats.indices.map { "[source\($0)]" }.joined()
        var outputs: [String] = []
        for (index, format) in formats.enumerated() {
            let (matrix, range, siting) = FFmpeg.zscaleNames(of: format)
            graph +=
                ";[source\(index)]zscale=matrix=\(matrix):range=\(range):chromal=\(siting):dither=none,format=\(pixelFormat),"
                + "split[planes\(index)][judged\(index)];[judged\(index)]zscale=w=\(size.width):h=\(size.height)"
                + ":matrixin=\(matrix):rangein=\(range):chromalin=\(siting):filter=bilinear:dither=none,format=gbrp"
                + "[rgb\(index)]"
            outputs += ["-map", "[planes\(index)]", "-f", "rawvideo", "\(stem)\(index).yuv"]
            outputs += ["-map", "[rgb\(index)]", "-f", "rawvideo", "\(stem)\(index).rgb"]
        }
        try FFmpeg.run(["-filter_complex", graph] + outputs)
        return try formats.enumerated().map { index, format in
            (
                SourcePicture(bytes: [UInt8](try Clips.bytes("\(stem)\(index).yuv")), format: format),
                [UInt8](try Clips.bytes("\(stem)\(index).rgb"))
            )
        }
    }

    /// Mean difference, and the share of the samples that differ by more than 3.
    private func compare(_ ours: [UInt8], _ reference: [UInt8], _ size: PixelSize) -> (mean: Double, beyond: Double) {
        let count = size.width * size.height
        var sum = 0
        var beyond = 0
        // Planar G, B, R against interleaved B, G, R, A.
        for (plane, channel) in [(0, 1), (1, 0), (2, 2)] {
            for index in 0..<count {
                let difference = abs(Int(ours[index * 4 + channel]) - Int(reference[plane * count + index]))
                sum += difference
                if difference > 3 { beyond += 1 }
            }
        }
        return (Double(sum) / Double(count * 3), Double(beyond) / Double(count * 3))
    }

    @Test(
        "Colors match zimg's for every matrix, range and layout: within 1 on average, within 3 except on chroma edges",
        arguments: cases)
    func colours(which: Case) throws {
        // Bars, shapes and a gradient, one above the other.
        let size = PixelSize(width: 160, height: 270)
        let source =
            "smptehdbars=s=160x90[bars];testsrc2=s=160x90[shapes];gradients=s=160x90:seed=7:n=4:c0=red:c1=yellow"
            + ":c2=blue:c3=white:x0=0:y0=0:x1=160:y1=90[gradient];[bars][shapes][gradient]vstack=3"
        // zimg has another scale for Cg and Co of limited range: see `ColorConversion`.
        let formats = ColorMatrix.allCases.flatMap { matrix in
            ColorRange.allCases.filter { matrix != .yCgCo || $0 == .full }.map {
                PixelFormat(size: size, layout: which.layout, bitDepth: which.depth, matrix: matrix, range: $0)
            }
        }
        for (raw, reference) in try pairs(source, formats, which.pixelFormat, to: size) {
            let difference = raw.difference(try #require(raw.resolved(size)), reference)
            #expect(difference.mean <= 1, "\(raw.format.matrix) \(raw.format.range)")
            #expect(difference.largest <= 3, "\(raw.format.matrix) \(raw.format.range)")
            #expect(difference.smooth > 0.25)
        }
    }

    @Test("Colors are within 3 of the standards' formulas for all samples in range, and 4 in YCgCo", arguments: cases)
    func formulas(which: Case) throws {
        let size = PixelSize(width: 64, height: 64)
        let is420 = which.layout == .planar(.quarter) || which.layout == .semiPlanar(vFirst: false)
        for siting in is420 ? [ChromaSiting.left, .center, .topLeft] : [.left] {
            for matrix in ColorMatrix.allCases {
                for range in ColorRange.allCases {
                    let format = PixelFormat(
                        size: size, layout: which.layout, bitDepth: which.depth, matrix: matrix, range: range,
                        siting: siting)
                    let picture = SourcePicture.slopes(format)
                    let error = picture.largestError(try #require(picture.resolved(size)))
                    // Blue is a sum of all three samples, each rounded to 8 bits.
                    #expect(error <= (matrix == .yCgCo ? 4 : 3), "\(matrix) \(range) \(siting)")
                }
            }
        }
    }

    @Test(
        "An rgb24 frame is converted to zimg's colors, whatever matrix and range it declares",
        arguments: [
            "smptehdbars=s=162x92", "testsrc2=s=162x92",
            "gradients=s=162x92:seed=7:n=4:c0=red:c1=yellow:c2=blue:c3=white:x0=0:y0=0:x1=160:y1=90",
        ])
    func rgb(source: String) throws {
        let size = PixelSize(width: 162, height: 92)
        let stem = Clips.folder.appendingPathComponent("rgb").path
        try FFmpeg.run([
            "-f", "lavfi", "-i", source, "-frames:v", "1", "-vf", "format=rgb24", "-f", "rawvideo", stem + ".rgb24",
        ])
        try FFmpeg.run([
            "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "162x92", "-i", stem + ".rgb24", "-vf",
            "zscale=dither=none,format=gbrp", "-f", "rawvideo", stem + ".gbrp",
        ])
        let samples = [UInt8](try Clips.bytes(stem + ".rgb24"))
        let reference = [UInt8](try Clips.bytes(stem + ".gbrp"))
        for matrix in [AVCOL_SPC_SMPTE170M, AVCOL_SPC_BT709, AVCOL_SPC_BT2020_NCL, AVCOL_SPC_UNSPECIFIED] {
            for range in [AVCOL_RANGE_MPEG, AVCOL_RANGE_JPEG, AVCOL_RANGE_UNSPECIFIED] {
                var frame = av_frame_alloc()
                defer { av_frame_free(&frame) }
                let rgb24 = try #require(frame)
                rgb24.pointee.format = AV_PIX_FMT_RGB24.rawValue
                (rgb24.pointee.width, rgb24.pointee.height) = (CInt(size.width), CInt(size.height))
                (rgb24.pointee.colorspace, rgb24.pointee.color_range) = (matrix, range)
                try #require(av_frame_get_buffer(rgb24, 0) >= 0)
                let memory = try #require(rgb24.pointee.data.0)
                for (index, sample) in samples.enumerated() {
                    let (row, column) = index.quotientAndRemainder(dividingBy: 3 * size.width)
                    memory[row * Int(rgb24.pointee.linesize.0) + column] = sample
                }
                var converter = SwscaleConverter(budget: ByteBudget(limit: 1 << 26))
                guard let rgba = converter.convert(rgb24, sizeLimit: 4096, reducesDepth: true) else {
                    Issue.record("not converted")
                    return
                }
                let format = try #require(PixelFormat(rgba.pointer))
                let decoded = DecodedPicture(rgba, format: format)
                var resolver = PixelConverter()
                guard let picture = resolver.convert(decoded.view, to: size) else {
                    Issue.record("not resolved")
                    return
                }
                let ours = [UInt8](UnsafeRawBufferPointer(start: picture.bytes, count: picture.buffer.byteCount))
                let difference = SourcePicture(bytes: [], format: format).difference(ours, reference)
                #expect(difference.mean == 0 && difference.largest == 0, "\(matrix) \(range)")
            }
        }
    }

    @Test(
        "An RGB frame is scaled and comes out in the byte order of a window", arguments: [PixelOrder.rgba, .bgra])
    func rgbScaled(order: PixelOrder) throws {
        let size = PixelSize(width: 67, height: 35)
        let pixel: [UInt8] = order == .rgba ? [200, 100, 50, 7] : [50, 100, 200, 7]
        let bytes = (0..<size.width * size.height).flatMap { _ in pixel }
        let picture = SourcePicture(bytes: bytes, format: PixelFormat(size: size, layout: .rgb(order)))
        for (width, height) in [(67, 35), (33, 17), (5, 3), (1, 1), (100, 80), (200, 3)] {
            let target = PixelSize(width: width, height: height)
            let ours = try #require(picture.resolved(target))
            #expect(ours.count == width * height * 4)
            let wrong = ours.indices.contains { ours[$0] != [50, 100, 200, 255][$0 % 4] }
            #expect(!wrong, "to \(target)")
        }
    }

    @Test(
        "Each color of an RGB frame is scaled like a gray frame, at every size",
        arguments: [(67, 35), (134, 71), (300, 36), (61, 33), (40, 20), (34, 18), (33, 17), (20, 70), (5, 3), (1, 1)])
    func rgbLikeGray(width: Int, height: Int) throws {
        let (size, target) = (PixelSize(width: 67, height: 35), PixelSize(width: width, height: height))
        let count = size.width * size.height
        var random = SeededGenerator(seed: 7)
        let bytes = (0..<count * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
        let ours = try #require(
            SourcePicture(bytes: bytes, format: PixelFormat(size: size, layout: .rgb(.bgra))).resolved(target))
        for channel in 0..<3 {
            let gray = SourcePicture(
                bytes: (0..<count).map { bytes[$0 * 4 + channel] },
                format: PixelFormat(size: size, layout: .gray, range: .full))
            let expected = try #require(gray.resolved(target))
            let isEqual = (0..<width * height).allSatisfy { ours[$0 * 4 + channel] == expected[$0 * 4] }
            #expect(isEqual, "channel \(channel)")
        }
    }

    /// 64×48, luma of one level, and steep ramps of chroma: U across, V down. Half a pixel off would be several steps.
    private func ramps(_ siting: ChromaSiting, depth: Int) -> SourcePicture {
        let size = PixelSize(width: 64, height: 48)
        let format = PixelFormat(size: size, layout: .planar(.quarter), bitDepth: depth, siting: siting)
        var samples = [Int](repeating: 128, count: 64 * 48)
        for _ in 0..<24 { for u in 0..<32 { samples.append(60 + 4 * u) } }
        for v in 0..<24 { for _ in 0..<32 { samples.append(60 + 5 * v) } }
        let bytes = samples.flatMap { sample -> [UInt8] in
            let word = sample << (depth - 8)
            return depth == 8 ? [UInt8(word)] : [UInt8(word & 255), UInt8(word >> 8)]
        }
        return SourcePicture(bytes: bytes, format: format)
    }

    @Test("Chroma is sited as the media declares", arguments: [ChromaSiting.left, .center, .topLeft], [8, 10, 12, 16])
    func siting(siting: ChromaSiting, depth: Int) throws {
        try checkSiting(siting, depth: depth, size: PixelSize(width: 64, height: 48), tolerance: 3)
    }

    @Test(
        "Chroma is sited correctly at every size, subsampled or not",
        arguments: [ChromaSiting.left, .center, .topLeft],
        [(100, 70), (64, 31), (43, 48), (32, 24), (24, 18), (20, 15), (13, 9), (11, 40)])
    func scaledSiting(siting: ChromaSiting, size: (Int, Int)) throws {
        try checkSiting(siting, depth: 8, size: PixelSize(width: size.0, height: size.1), tolerance: 4)
    }

    private func checkSiting(_ siting: ChromaSiting, depth: Int, size: PixelSize, tolerance: Double) throws {
        let ours = try #require(ramps(siting, depth: depth).resolved(size))
        let scale = (x: 64 / Double(size.width), y: 48 / Double(size.height))
        // Where it is reduced to less than half, a sample at the edge is a mean of samples further in.
        let edge = (x: Int(scale.x > 2 ? 2 : 0), y: Int(scale.y > 2 ? 2 : 0))
        var worst = 0.0
        for y in edge.y..<size.height - edge.y {
            for x in edge.x..<size.width - edge.x {
                let luma = (x: (Double(x) + 0.5) * scale.x - 0.5, y: (Double(y) + 0.5) * scale.y - 0.5)
                // Beyond the outermost samples chroma stays as it is.
                let across = min(max(siting == .center ? (luma.x - 0.5) / 2 : luma.x / 2, 0), 31)
                let down = min(max(siting == .topLeft ? luma.y / 2 : (luma.y - 0.5) / 2, 0), 23)
                let (u, v) = (60 + 4 * across, 60 + 5 * down)
                let gray = (128 - 16) * 255 / 219.0
                let blue = gray + 1.8556 * (u - 128) * 255 / 224
                let red = gray + 1.5748 * (v - 128) * 255 / 224
                let at = (y * size.width + x) * 4
                worst = max(worst, abs(Double(ours[at]) - min(max(blue, 0), 255)))
                worst = max(worst, abs(Double(ours[at + 2]) - min(max(red, 0), 255)))
            }
        }
        #expect(worst <= tolerance)
    }

    @Test("Samples beyond their bit depth and beyond white do not trap", arguments: [9, 10, 12, 14, 16])
    func badSamples(depth: Int) {
        let size = PixelSize(width: 35, height: 3)
        for layout in [PlaneLayout.planar(.quarter), .planar(.halfAcross), .planar(.full), .gray] {
            let format = PixelFormat(size: size, layout: layout, bitDepth: depth)
            let raw = SourcePicture(bytes: [UInt8](repeating: 255, count: 35 * 3 * 6), format: format)
            #expect(raw.resolved(size)?.count == 35 * 3 * 4)
            #expect(raw.resolved(PixelSize(width: 3, height: 70))?.count == 3 * 70 * 4)
        }
    }

    @Test("Odd sizes are filled to their edges, reading nothing beyond the planes", arguments: [1, 2, 3, 35, 1919])
    func oddSizes(width: Int) throws {
        for height in width == 1919 ? [1079] : [1, 2, 35] {
            let size = PixelSize(width: width, height: height)
            for which in Self.cases {
                let format = PixelFormat(size: size, layout: which.layout, bitDepth: which.depth)
                let count = (0..<format.planeCount).reduce(0) {
                    $0 + format.planeSize($1).width * format.planeSize($1).height * format.texelBytes($1)
                }
                // Luma and chroma of 128 of 255: a gray, whatever the depth.
                let bytes =
                    which.depth == 8
                    ? [UInt8](repeating: 128, count: count)
                    : [UInt16](repeating: 128 << UInt16(which.depth - 8), count: count / 2)
                        .withUnsafeBytes { [UInt8]($0) }
                let raw = SourcePicture(bytes: bytes, format: format)
                for target in [size, PixelSize(width: 33, height: 17)] {
                    let ours = try #require(raw.resolved(target))
                    #expect(ours.count == target.width * target.height * 4)
                    // Every pixel is the first one.
                    let isEven = ours.withUnsafeBytes {
                        memcmp($0.baseAddress!, $0.baseAddress! + 4, ours.count - 4) == 0
                    }
                    let isGray = ours.prefix(3).allSatisfy { abs(Int($0) - 130) <= 2 }
                    #expect(isEven && isGray, "\(which.pixelFormat) \(size) to \(target)")
                }
            }
        }
    }

    /// zimg's bilinear filter is twice as wide as the boxes here: the more is left out, the rounder its kinks.
    @Test(
        "Scaled down, a smooth picture matches zimg's within 1 on average and within 3 except at its edges",
        arguments: [(1280, 720, 0.001), (960, 540, 0.001), (500, 500, 0.001), (640, 360, 0.01), (160, 90, 0.03)])
    func scaling(width: Int, height: Int, kinks: Double) throws {
        let target = PixelSize(width: width, height: height)
        let format = PixelFormat(size: PixelSize(width: 1920, height: 1080), layout: .planar(.quarter))
        let source = "gradients=s=1920x1080:seed=7:n=4:c0=red:c1=yellow:c2=blue:c3=white:x0=0:y0=0:x1=1920:y1=1080"
        let (raw, reference) = try pairs(source, [format], "yuv420p", to: target)[0]
        let (mean, beyond) = compare(try #require(raw.resolved(target)), reference, target)
        #expect(mean <= 1)
        #expect(beyond <= kinks)
    }
}
