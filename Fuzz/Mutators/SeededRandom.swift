/// The SplitMix64 generator. A seed gives the same numbers on every machine, so that it identifies an input.
package struct SeededRandom: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var value = state
        value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
        return value ^ (value >> 31)
    }

    /// Returns a number in `0..<count`; 0 if `count` is not positive.
    package mutating func below(_ count: Int) -> Int { count > 0 ? Int.random(in: 0..<count, using: &self) : 0 }

    /// Returns true once in `count` times, on average.
    package mutating func oneIn(_ count: Int) -> Bool { below(count) == 0 }

    package mutating func pick<Element>(_ list: [Element]) -> Element { list[below(list.count)] }

    package mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next()) }
}
