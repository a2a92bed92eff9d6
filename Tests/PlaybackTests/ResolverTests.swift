import Foundation
import Motion
import Picture
import Testing

@testable import Playback

/// The CPU's way from planes to RGB, against zimg's, through the `ffmpeg` command.
@Suite("Resolving pictures on the CPU", .serialized) struct ResolverTests {
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
        Case(pixelFormat: "gray", layout: .gray),
    ]

    /// The planes of one frame, tightly packed, and what they mean.
    private struct Raw {
        var bytes: [UInt8]
        var format: PictureFormat

        /// In BGRA at `size`.
        func resolved(_ size: PixelSize) -> [UInt8]? {
            bytes.withUnsafeBytes { memory in
                var planes: [PictureView.Plane] = []
                var offset = 0
                for index in 0..<format.planeCount {
                    let plane = format.planeSize(index)
                    let stride = plane.width * format.texelBytes(index)
                    planes.append(.init(base: memory.baseAddress! + offset, stride: stride))
                    offset += stride * plane.height
                }
                let view = PictureView(
                    format: format, planes[0], planes.count > 1 ? planes[1] : nil, planes.count > 2 ? planes[2] : nil)
                var resolver = PictureResolver()
                guard let picture = resolver.resolve(view, to: size) else { return nil }
                return [UInt8](UnsafeRawBufferPointer(start: picture.buffer.memory, count: picture.buffer.byteCount))
            }
        }
    }

    private func names(_ format: PictureFormat) -> (matrix: String, range: String, siting: String) {
        let matrix =
            switch format.matrix {
            case .bt601: "170m"
            case .bt709: "709"
            case .bt2020: "2020_ncl"
            }
        let siting =
            switch format.siting {
            case .left: "left"
            case .center: "center"
            case .topLeft: "topleft"
            }
        return (matrix, format.range == .full ? "full" : "limited", siting)
    }

    /// A frame of a source of libavfilter's in `format`, and zimg's conversion of it to planar G, B, R at `size`.
    private func pair(
        _ source: String, _ format: PictureFormat, _ pixelFormat: String, to size: PixelSize
    ) throws -> (Raw, [UInt8]) {
        let stem = Clips.folder.appendingPathComponent("planes").path
        let sides = "\(format.size.width)x\(format.size.height)"
        let (matrix, range, siting) = names(format)
        try Clips.ffmpeg([
            "-f", "lavfi", "-i", "\(source)\(source.contains("=") ? ":" : "=")s=\(sides),format=gbrp", "-frames:v", "1",
            "-vf",
            "zscale=matrix=\(matrix):range=\(range):chromal=\(siting):dither=none,format=\(pixelFormat)", "-f",
            "rawvideo",
            stem + ".yuv",
        ])
        try Clips.ffmpeg([
            "-f", "rawvideo", "-pix_fmt", pixelFormat, "-s", sides, "-i", stem + ".yuv", "-vf",
            "zscale=w=\(size.width):h=\(size.height):matrixin=\(matrix):rangein=\(range):chromalin=\(siting)"
                + ":filter=bilinear:dither=none,format=gbrp", "-f", "rawvideo", stem + ".rgb",
        ])
        return (
            Raw(bytes: [UInt8](try Clips.bytes(stem + ".yuv")), format: format), [UInt8](try Clips.bytes(stem + ".rgb"))
        )
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

    @Test("Colours are zimg's, in every matrix, range and layout", arguments: cases)
    func colours(which: Case) throws {
        let size = PixelSize(width: 160, height: 90)
        for matrix in ColorMatrix.allCases {
            for range in ColorRange.allCases {
                let format = PictureFormat(
                    size: size, layout: which.layout, bitDepth: which.depth, matrix: matrix, range: range)
                for source in [
                    "smptehdbars", "gradients=seed=7:n=4:c0=red:c1=yellow:c2=blue:c3=white:x0=0:y0=0:x1=160:y1=90",
                ] {
                    let (raw, reference) = try pair(source, format, which.pixelFormat, to: size)
                    let ours = try #require(raw.resolved(size))
                    let (mean, beyond) = compare(ours, reference, size)
                    // Ten bits are brought to eight first, which costs a little of what zimg keeps.
                    #expect(mean <= (which.depth == 8 ? 1 : 1.2), "\(matrix) \(range) \(source)")
                    // Beyond 3 are edges of chroma in the bars, and the kinks of a gradient.
                    #expect(
                        beyond <= (source == "smptehdbars" ? 0.03 : which.depth == 8 ? 0.002 : 0.015),
                        "\(matrix) \(range) \(source)")
                }
            }
        }
    }

    @Test("Chroma lies where the media says", arguments: [ChromaSiting.left, .center, .topLeft])
    func siting(siting: ChromaSiting) throws {
        let size = PixelSize(width: 64, height: 48)
        let format = PictureFormat(size: size, layout: .planar(.quarter), siting: siting)
        // Steep ramps of chroma across and down: half a pixel off would be several steps.
        var bytes = [UInt8](repeating: 128, count: 64 * 48)
        for _ in 0..<24 { for u in 0..<32 { bytes.append(UInt8(60 + 4 * u)) } }
        for v in 0..<24 { for _ in 0..<32 { bytes.append(UInt8(60 + 5 * v)) } }
        let ours = try #require(Raw(bytes: bytes, format: format).resolved(size))
        var worst = 0.0
        for y in 4..<44 {
            for x in 4..<60 {
                let u = 60 + 4 * (siting == .center ? (Double(x) - 0.5) / 2 : Double(x) / 2)
                let v = 60 + 5 * (siting == .topLeft ? Double(y) / 2 : (Double(y) - 0.5) / 2)
                let luma = (128 - 16) * 255 / 219.0
                let blue = luma + 1.8556 * (u - 128) * 255 / 224
                let red = luma + 1.5748 * (v - 128) * 255 / 224
                let at = (y * 64 + x) * 4
                worst = max(worst, abs(Double(ours[at]) - min(max(blue, 0), 255)))
                worst = max(worst, abs(Double(ours[at + 2]) - min(max(red, 0), 255)))
            }
        }
        #expect(worst <= 3)
    }

    @Test("Odd sizes are filled to their edges, from planes that end where they must", arguments: [1, 2, 3, 35, 1919])
    func oddSizes(width: Int) throws {
        for height in width == 1919 ? [1079] : [1, 2, 35] {
            let size = PixelSize(width: width, height: height)
            for which in Self.cases {
                let format = PictureFormat(size: size, layout: which.layout, bitDepth: which.depth)
                let count = (0..<format.planeCount).reduce(0) {
                    $0 + format.planeSize($1).width * format.planeSize($1).height * format.texelBytes($1)
                }
                // Luma and chroma of 128 of 255: a gray, whatever the depth.
                let sample: [UInt8] = which.depth == 10 ? [0, 2] : [128]
                let bytes = (0..<count).map { sample[$0 % sample.count] }
                let raw = Raw(bytes: bytes, format: format)
                for target in [size, PixelSize(width: 33, height: 17)] {
                    let ours = try #require(raw.resolved(target))
                    #expect(ours.count == target.width * target.height * 4)
                    let wrong = ours.indices.contains {
                        $0 % 4 != 3 && abs(Int(ours[$0]) - 130) > (target == size ? 2 : 3)
                    }
                    #expect(!wrong, "\(which.pixelFormat) \(size) to \(target)")
                }
            }
        }
    }

    @Test(
        "Scaled to two thirds, a smooth picture is zimg's within 1 in the mean, and within 3 but for one in a thousand"
    )
    func scaling() throws {
        let target = PixelSize(width: 1280, height: 720)
        let format = PictureFormat(size: PixelSize(width: 1920, height: 1080), layout: .planar(.quarter))
        let source = "gradients=seed=7:n=4:c0=red:c1=yellow:c2=blue:c3=white:x0=0:y0=0:x1=1920:y1=1080"
        let (raw, reference) = try pair(source, format, "yuv420p", to: target)
        let (mean, beyond) = compare(try #require(raw.resolved(target)), reference, target)
        #expect(mean <= 1)
        #expect(beyond <= 0.001)
    }
}
