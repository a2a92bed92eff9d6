/// Numbers of nanoseconds chosen to break arithmetic: near the ends of what 64 bits hold, near the bounds that the program
/// sets, equal, backwards, opposite, and among them some that go on as a film's do.
package struct HostileNumbers {
    private var random: SeededGenerator
    private var last: Int64 = 0

    private static let landmarks: [Int64] = [
        0, 1, -1, .max, .max - 1, .min, .min + 1, 1 << 60, 1 << 61, (1 << 61) + 1, (1 << 61) - 1, 1 << 62,
        (1 << 62) + 1,
        (1 << 62) - 1, -(1 << 61), -(1 << 61) - 1, -(1 << 62), -(1 << 62) - 1, 1_000_000_000, -1_000_000_000,
        10_000_000_000, 86_400_000_000_000, 1_000_000_001, 1_770_000_000_000_000_000,
    ]

    package init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    /// 0..<`count`.
    package mutating func below(_ count: Int) -> Int { Int(random.next() % UInt64(count)) }

    package mutating func next() -> Int64 {
        switch below(8) {
        case 0, 1: last = landmark()
        case 2: last = landmark() &+ Int64(below(2_000_000)) &- 1_000_000
        case 3: last = Int64(bitPattern: random.next())
        case 4: last &+= landmark()
        case 5: last = 0 &- last
        default: last &+= 40_000_000
        }
        return last
    }

    private mutating func landmark() -> Int64 { Self.landmarks[below(Self.landmarks.count)] }
}
