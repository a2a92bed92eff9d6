import Foundation
import GlissadeGeometry
import GlissadePicture
import GlissadeTestSupport
import Testing

@testable import GlissadePlayback

/// That the colors of a film are those that went into it, by whichever matrix it is stored.
@MainActor @Suite("Color matrices of files", .serialized) struct ColorMatrixTests {
    struct Named: CustomTestStringConvertible, Sendable {
        /// FFmpeg's name for the matrix, and for the primaries where they count.
        var name: String
        var primaries: String?
        var matrix: ColorMatrix
        /// The luma weights of red and blue (H.273, table 4); nil for other formulas.
        var weights: (Double, Double)?
        var testDescription: String { "\(name) \(primaries ?? "")" }
    }

    nonisolated static let all = [
        Named(name: "bt709", matrix: .bt709, weights: (0.2126, 0.0722)),
        Named(name: "fcc", matrix: .fcc, weights: (0.30, 0.11)),
        Named(name: "bt470bg", matrix: .bt601, weights: (0.299, 0.114)),
        Named(name: "smpte170m", matrix: .bt601, weights: (0.299, 0.114)),
        Named(name: "smpte240m", matrix: .smpte240, weights: (0.212, 0.087)),
        Named(name: "bt2020nc", matrix: .bt2020, weights: (0.2627, 0.0593)),
        Named(name: "ycgco", matrix: .yCgCo), Named(name: "rgb", matrix: .identity),
    ]

    nonisolated private static let bars = [[200, 50, 100], [30, 180, 60], [40, 60, 220], [240, 240, 20]]

    /// A film of four bars, 80 × 48 each, stored by `named`.
    private func film(_ named: Named, isFull: Bool, depth: Int) throws -> String {
        let (width, height) = (320, 48)
        let unit = Double(1 << (depth - 8))
        var planes: [[Double]] = [[], [], []]
        for bar in Self.bars {
            let (r, g, b) = (Double(bar[0]) / 255, Double(bar[1]) / 255, Double(bar[2]) / 255)
            var (y, u, v) = (g, b, r)
            if let (kr, kb) = named.weights {
                y = kr * r + (1 - kr - kb) * g + kb * b
                (u, v) = ((b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr)))
            } else if named.name == "ycgco" {
                (y, u, v) = (r / 4 + g / 2 + b / 4, -r / 4 + g / 2 - b / 4, (r - b) / 2)
            }
            let top = Double((1 << depth) - 1)
            func luma(_ value: Double) -> Double { isFull ? value * top : (16 + 219 * value) * unit }
            func chroma(_ value: Double) -> Double { isFull ? 128 * unit + value * top : (128 + 224 * value) * unit }
            let isRGB = named.name == "rgb"
            planes[0].append(luma(y))
            planes[1].append(isRGB ? luma(u) : chroma(u))
            planes[2].append(isRGB ? luma(v) : chroma(v))
        }
        var data = Data()
        for plane in planes {
            for at in 0..<width * height {
                let code = Int(plane[at % width / 80].rounded())
                data.append(UInt8(code & 0xFF))
                if depth > 8 { data.append(UInt8(code >> 8)) }
            }
        }
        let name = "\(named.name)-\(named.primaries ?? "")-\(isFull)-\(depth)"
        let raw = try Clips.file("\(name).yuv", data: data)
        return try Clips.file(
            "\(name).mkv",
            ffmpeg: [
                "-f", "rawvideo", "-pix_fmt", depth > 8 ? "yuv444p\(depth)le" : "yuv444p", "-s", "\(width)x\(height)",
                "-i", raw, "-c:v", "ffv1", "-colorspace", named.name, "-color_range", isFull ? "pc" : "tv",
                "-color_primaries", named.primaries ?? "bt709",
            ])
    }

    private func expectBars(_ path: String) throws {
        for limit in [PixelSize(width: 4096, height: 4096), PixelSize(width: 160, height: 24)] {
            for (name, bitmap) in try FilePictures(path, posterLimit: limit).all {
                for (index, bar) in Self.bars.enumerated() {
                    let place = (Double(index) + 0.5) / 4
                    #expect(
                        bitmap.shows(bar, place, 0.5, within: 3), "\(name): \(bitmap.color(place, 0.5)), not \(bar)")
                }
            }
        }
    }

    @Test("A film's colors are right by every matrix that FFmpeg names and that is linear", arguments: all)
    func matrices(named: Named) throws {
        for (isFull, depth) in [(false, 8), (true, 8), (false, 10)] {
            let path = try film(named, isFull: isFull, depth: depth)
            #expect(PlaybackHarness(path).nextFrame()?.format.matrix == named.matrix)
            try expectBars(path)
        }
    }

    @Test("The matrix that follows from primaries is theirs, as the named ones are")
    func derived() throws {
        // The weights of these primaries, to the digits that the standards give them.
        for (primaries, weights) in [("bt709", (0.2126, 0.0722)), ("bt2020", (0.2627, 0.0593))] {
            let named = Named(name: "chroma-derived-nc", primaries: primaries, matrix: .bt709, weights: weights)
            try expectBars(try film(named, isFull: false, depth: 8))
        }
        // SMPTE ST 432-1, from its primaries by hand.
        let p3 = Named(name: "chroma-derived-nc", primaries: "smpte432", matrix: .bt709, weights: (0.2290, 0.0793))
        try expectBars(try film(p3, isFull: false, depth: 8))
    }

    @Test("A matrix of colors is not believed of subsampled planes, and none counts by the size of the picture")
    func impossible() throws {
        for (size, expected) in [("320x240", ColorMatrix.bt601), ("1280x720", .bt709)] {
            for space in ["rgb", "unknown"] {
                let path = try Clips.file(
                    "\(space)-\(size).mkv",
                    ffmpeg: [
                        "-f", "lavfi", "-i", "color=gray:s=\(size):d=0.1", "-pix_fmt", "yuv420p", "-c:v", "ffv1",
                        "-colorspace", space,
                    ])
                #expect(PlaybackHarness(path).nextFrame()?.format.matrix == expected)
            }
        }
    }

    @Test(
        "RGB goes through no matrix, whatever its size: not on its way to the screen, nor to a poster",
        arguments: ["320x180", "1280x720"], ["rgb24", "bgr24", "gbrp", "gbrp10le", "pal8", "rgb48be"])
    func rgb(size: String, format: String) throws {
        let sides = size.split(separator: "x").compactMap { Double($0) }
        let path = try Clips.file(
            "halves-\(format)-\(size).nut",
            ffmpeg: [
                "-f", "lavfi", "-i",
                "color=black:s=\(size):d=0.04,format=rgb24,geq=r='253*lt(X,W/2)':g='254*gte(X,W/2)':b=0",
                "-frames:v", "1", "-sws_flags", "accurate_rnd+full_chroma_int", "-pix_fmt", format, "-c:v",
                format.hasPrefix("gbrp") ? "ffv1" : "rawvideo",
            ])
        for limit in [PixelSize(width: Int(sides[0]), height: Int(sides[1])), PixelSize(width: 160, height: 90)] {
            for (name, bitmap) in try FilePictures(path, posterLimit: limit).all {
                let tolerance = format == "pal8" ? 3 : 1
                #expect(bitmap.shows([253, 0, 0], 0.25, 0.5, within: tolerance), "\(name) \(bitmap.color(0.25, 0.5))")
                #expect(bitmap.shows([0, 254, 0], 0.75, 0.5, within: tolerance), "\(name) \(bitmap.color(0.75, 0.5))")
            }
        }
    }
}
