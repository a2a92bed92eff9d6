import GlissadeCYUV
import GlissadeGeometry
import Glibc
import Testing

@testable import GlissadePixelConversion

/// Planes scaled row by row, against the same computed in `Double`.
@Suite("Row scaler") struct RowScalerTests {
    /// Noise, which hides nothing that lies in the wrong place.
    private static func noise(_ count: Int, seed: UInt64 = 7) -> [UInt8] {
        var state = 0x9E37_79B9_7F4A_7C15 ^ seed
        return (0..<count).map { _ in
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 40)
        }
    }

    private static func sample(_ samples: [UInt8], _ size: PixelSize, _ x: Double, _ y: Double) -> Double {
        let (x, y) = (min(max(x, 0), Double(size.width - 1)), min(max(y, 0), Double(size.height - 1)))
        let (left, top) = (Int(x), Int(y))
        let (right, bottom) = (min(left + 1, size.width - 1), min(top + 1, size.height - 1))
        let (a, b) = (x - Double(left), y - Double(top))
        func at(_ x: Int, _ y: Int) -> Double { Double(samples[y * size.width + x]) }
        return (at(left, top) * (1 - a) + at(right, top) * a) * (1 - b)
            + (at(left, bottom) * (1 - a) + at(right, bottom) * a) * b
    }

    /// How far rows are from what they ought to be, and how many samples were looked at.
    private func worst(_ size: PixelSize, _ target: PixelSize, _ across: RowScaler.Sampling, _ down: RowScaler.Sampling)
        -> Double
    {
        let samples = Self.noise(size.width * size.height)
        return samples.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return .infinity }
            var scaler = RowScaler()
            scaler.begin(
                BytePlane(base: base, stride: size.width, size: size), across: across, down: down, width: target.width)
            var worst = 0.0
            for y in 0..<target.height {
                let row = scaler.row(y)
                for x in 0..<target.width {
                    let right = Self.sample(
                        samples, size, across.origin + across.step * Double(x), down.origin + down.step * Double(y))
                    worst = max(worst, abs(Double(row[x]) - right))
                }
            }
            return worst
        }
    }

    @Test(
        "Every sample is the bilinear blend of its four neighbors, up to weights of 1/128 and two roundings",
        arguments: [1, 2, 3, 7, 15, 16, 17, 33, 250], [0.11, 0.5, 0.74, 1, 1.2, 1.5, 1.97, 2])
    func places(width: Int, step: Double) {
        let size = PixelSize(width: width, height: 9)
        let target = PixelSize(width: max(1, Int(Double(width) / step)), height: 14)
        // Half of a 128th and half of a 256th of the whole range, and two halves of a step.
        let tolerance: Double = 255.0 / 256 + 255.0 / 512 + 1
        for origin in [-0.5, 0, 0.25] {
            let across = RowScaler.Sampling(origin: origin, step: step)
            for down in [RowScaler.Sampling(origin: -0.2, step: 0.6), .init(origin: 0.3, step: 1.3), .identity] {
                let worst = worst(size, target, across, down)
                #expect(worst <= tolerance)
            }
        }
    }

    @Test("Without scaling samples are unchanged")
    func identity() {
        #expect(worst(PixelSize(width: 37, height: 5), PixelSize(width: 37, height: 5), .identity, .identity) == 0)
    }

    @Test("Rows can be requested in any order, and a new plane replaces the old one")
    func order() throws {
        let size = PixelSize(width: 40, height: 6)
        let (across, down) = (RowScaler.Sampling(origin: 0, step: 0.5), RowScaler.Sampling(origin: -0.25, step: 0.5))
        var scaler = RowScaler()
        for seed in [UInt64(1), 2] {
            let samples = Self.noise(size.width * size.height, seed: seed)
            try samples.withUnsafeBytes { bytes in
                let plane = BytePlane(base: try #require(bytes.baseAddress), stride: size.width, size: size)
                scaler.begin(plane, across: across, down: down, width: 80)
                for y in [0, 11, 3, 4, 3, 10, 1] {
                    var fresh = RowScaler()
                    fresh.begin(plane, across: across, down: down, width: 80)
                    let (one, other) = (scaler.row(y), fresh.row(y))
                    #expect(memcmp(one, other, 80) == 0)
                }
            }
        }
    }

    @Test("Nothing is read beyond a plane's last sample", arguments: [1, 3, 15, 16, 17, 31, 32, 33, 960])
    func end(width: Int) throws {
        let page = Int(sysconf(CInt(_SC_PAGESIZE)))
        let memory = try #require(
            mmap(nil, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))
        defer { munmap(memory, 2 * page) }
        // What lies behind may not be touched: it would end the tests.
        try #require(mprotect(memory + page, page, PROT_NONE) == 0)
        let size = PixelSize(width: width, height: 2)
        let plane = BytePlane(base: UnsafeRawPointer(memory + page - 2 * width), stride: width, size: size)
        for (step, target) in [(0.5, width * 2), (1.5, max(1, width * 2 / 3)), (2, max(1, width / 2)), (1.01, width)] {
            for down in [RowScaler.Sampling(origin: 0, step: 0.5), .init(origin: 0.5, step: 1), .identity] {
                var scaler = RowScaler()
                scaler.begin(plane, across: .init(origin: 0.5, step: step), down: down, width: target)
                for y in 0..<4 {
                    let last = scaler.row(y)[target - 1]
                    #expect(last == 0)
                }
            }
        }
    }

    #if arch(x86_64)
        @Test("All implementations of column blending give the same bytes")
        func sameBytes() throws {
            var blocks: [glissade_columns] = []
            let picks = Self.noise(32 * 50, seed: 3).map { $0 & 15 }
            let fractions = Self.noise(16 * 50, seed: 4).map { $0 % 129 }
            for index in 0..<50 {
                var block = glissade_columns()
                block.first = (Int32(index * 3), Int32(index * 3 + 7))
                withUnsafeMutableBytes(of: &block.picks) { $0.copyBytes(from: picks[index * 32..<index * 32 + 32]) }
                withUnsafeMutableBytes(of: &block.weights) { target in
                    for i in 0..<16 {
                        (target[2 * i], target[2 * i + 1]) = (
                            128 - fractions[index * 16 + i], fractions[index * 16 + i]
                        )
                    }
                }
                blocks.append(block)
            }
            for row in [Self.noise(200), [UInt8](repeating: 255, count: 200), [UInt8](repeating: 0, count: 200)] {
                var results = [[UInt8]](repeating: [UInt8](repeating: 1, count: 16 * blocks.count), count: 3)
                glissade_blend_columns_portably(row, blocks, blocks.count, &results[0])
                if glissade_has_ssse3() {
                    glissade_blend_columns_ssse3(row, blocks, blocks.count, &results[1])
                } else {
                    results[1] = results[0]
                }
                if glissade_has_avx2() {
                    glissade_blend_columns_avx2(row, blocks, blocks.count, &results[2])
                } else {
                    results[2] = results[0]
                }
                #expect(results[0] == results[1])
                #expect(results[0] == results[2])
                if row[0] == row[1] { #expect(Set(results[0]) == [row[0]]) }
            }
        }
    #endif
}
