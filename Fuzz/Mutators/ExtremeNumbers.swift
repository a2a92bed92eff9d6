/// Makes numbers that tend to break arithmetic: zero, the limits of integer types and their neighbors, and values at
/// the limits of plausible times, sizes and rates.
enum ExtremeNumbers {
    /// Returns a 64-bit number. For a narrower field, use the low bits.
    static func integer(using random: inout SeededRandom) -> UInt64 {
        let near = UInt64(truncatingIfNeeded: random.below(5) - 2)
        return switch random.below(8) {
        case 0: UInt64(random.below(4))
        case 1: (UInt64(1) << random.below(64)) &+ near
        case 2: UInt64.max &- (UInt64(1) << random.below(64)) &+ near
        case 3: random.pick(memorable)
        case 4: 0 &- random.pick(memorable)
        case 5: UInt64(random.below(100_000))
        case 6: random.next() >> random.below(64)
        default: random.next()
        }
    }

    /// Powers of two and limits of integer types with their neighbors; a year, a day and a second in nanoseconds; the
    /// largest 33-bit time at 90 kHz; large dimensions and rates.
    private static let memorable: [UInt64] = [
        1 << 61, (1 << 61) - 1, (1 << 61) + 1, 1 << 62, 1 << 63, (1 << 63) - 1, .max, 1 << 31, (1 << 31) - 1, 1 << 32,
        (1 << 32) - 1, 0xFFFF, 0x7FFF, 0x8000, 0xFF, 0x7F, 0x80, 31_536_000_000_000_000, 86_400_000_000_000,
        1_000_000_000, 1_000_000, (1 << 33) - 1, 16384, 16385, 8192, 65535, 48000, 1, 2,
    ]

    static func real(using random: inout SeededRandom) -> Double {
        switch random.below(4) {
        case 0: Double(bitPattern: random.next())
        case 1: Double(Int64(bitPattern: integer(using: &random)))
        default:
            random.pick([
                0, -0.0, 1, -1, 0.5, 1e-308, .leastNonzeroMagnitude, 1e10, 1e18, 9.3e18, -9.3e18, 1e308, .infinity,
                -.infinity, .nan, .greatestFiniteMagnitude, 1e-9, 999_999_999, 8000, 192_000,
            ])
        }
    }

    static func bigEndian(_ number: UInt64, count: Int) -> [UInt8] {
        (0..<count).map { index in
            let shift = 8 * (count - 1 - index)
            return shift < 64 ? UInt8(truncatingIfNeeded: number >> UInt64(shift)) : 0
        }
    }
}
