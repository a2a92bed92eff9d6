package import Foundation

extension Data {
    /// Random bytes, the same for the same seed.
    package static func noise(count: Int, seed: UInt64) -> Data {
        var random = SeededGenerator(seed: seed)
        return Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
    }

    /// A copy with random bytes at `count` random places, the same for the same seed.
    package func damaged(at count: Int, seed: UInt64) -> Data {
        var random = SeededGenerator(seed: seed)
        var data = Data(self)
        for _ in 0..<count { data[random.below(data.count)] = UInt8.random(in: 0...255, using: &random) }
        return data
    }
}
