import Testing

@testable import GlissadeScreenProbe

@Suite("Frame code") struct FrameCodeTests {
    /// A column of the picture, `height` high: each pixel is the mean of the bands that it covers, as a scaler leaves it.
    private func column(_ number: Int, height: Int, white: Double = 255, black: Double = 0) -> [UInt8] {
        let bands = FrameCode.bands(of: number)
        let scale = Double(bands.count) / Double(height)
        return (0..<height).map { row in
            let (top, bottom) = (Double(row) * scale, Double(row + 1) * scale)
            let fraction = (Int(top)...min(Int(bottom), bands.count - 1)).reduce(0.0) { sum, band in
                let covered = min(bottom, Double(band + 1)) - max(top, Double(band))
                return sum + (bands[band] ? covered : 0)
            }
            return UInt8((black + (white - black) * fraction / scale).rounded())
        }
    }

    private static let numbers = [0, 1, 2, 255, 256, 1199, 0x5555, 0xAAAA, 0x7FFF, 0x8000, 0xFFFF]

    @Test("Every frame number can be read back, and no two have the same bands")
    func all() {
        var seen: Set<[Bool]> = []
        for number in 0..<FrameCode.limit {
            let bands = FrameCode.bands(of: number)
            #expect(bands.count == FrameCode.bandCount)
            seen.insert(bands)
            let column = bands.flatMap { [UInt8](repeating: $0 ? 235 : 16, count: 2) }
            if FrameCode.read(column)?.number != number { Issue.record("\(number) does not read back") }
        }
        #expect(seen.count == FrameCode.limit)
    }

    @Test("A frame number can be read at any height from a poster's up", arguments: numbers)
    func heights(number: Int) {
        for height in [90, 91, 97, 180, 253, 405, 720, 767, 1080, 2160] {
            #expect(FrameCode.observation(in: column(number, height: height)) == .frame(number), "\(height) px")
        }
    }

    @Test("A dimmed, brightened or low-contrast frame can be read", arguments: numbers)
    func dimmed(number: Int) {
        for (white, black) in [(216.0, 0.0), (191, 0), (235, 16), (255, 40), (140, 60)] {
            let column = column(number, height: 90, white: white, black: black)
            #expect(FrameCode.observation(in: column) == .frame(number), "\(white) on \(black)")
        }
    }

    @Test("One inverted band, or up to four in a row, make the code unreadable", arguments: numbers)
    func corrupted(number: Int) {
        for length in 1...4 {
            for first in 0...FrameCode.bandCount - length {
                var bands = FrameCode.bands(of: number)
                for band in first..<first + length { bands[band].toggle() }
                let column = bands.flatMap { [UInt8](repeating: $0 ? 255 : 0, count: 30) }
                #expect(FrameCode.read(column) == nil, "\(length) from \(first)")
            }
        }
    }

    @Test("A gray band, or one that is not uniform, makes the code unreadable", arguments: 0..<FrameCode.bandCount)
    func blurred(band: Int) {
        let whole = column(1199, height: 720)
        var grey = whole
        for row in band * 30..<band * 30 + 30 { grey[row] = 128 }
        #expect(FrameCode.observation(in: grey) == .unreadable)
        var half = whole
        for row in band * 30..<band * 30 + 15 { half[row] = 255 - half[row] }
        #expect(FrameCode.observation(in: half) == .unreadable)
    }

    @Test("A blend of two frames is unreadable")
    func blended() {
        for number in Self.numbers where number > 0 {
            let (a, b) = (column(number, height: 720), column(number - 1, height: 720))
            let blend = zip(a, b).map { UInt8((Int($0) + Int($1)) / 2) }
            #expect(FrameCode.observation(in: blend) == .unreadable, "\(number)")
        }
    }

    @Test("Black is recognized, and anything else without a code is unreadable")
    func others() {
        #expect(FrameCode.observation(in: [UInt8](repeating: 0, count: 720)) == .black)
        #expect(FrameCode.observation(in: [UInt8](repeating: FrameCode.blackest, count: 720)) == .black)
        #expect(FrameCode.observation(in: [UInt8](repeating: FrameCode.blackest + 1, count: 720)) == .unreadable)
        #expect(FrameCode.observation(in: [UInt8](repeating: 255, count: 720)) == .unreadable)
        #expect(FrameCode.observation(in: []) == .unreadable)
        #expect(FrameCode.observation(in: [0]) == .black)
        #expect(FrameCode.observation(in: column(5, height: FrameCode.bandCount)) == .unreadable, "too small to trust")
        #expect(FrameCode.observation(in: column(5, height: 90, white: 60)) == .unreadable, "too dark to trust")
        #expect(FrameCode.observation(in: (0..<720).map { UInt8($0 % 256) }) == .unreadable)
    }
}
