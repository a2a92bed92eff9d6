/// Mutates bytes without knowledge of a format. Used for formats without a structured mutator, and for the content of
/// elements in the others.
package enum ByteChanges {
    /// Applies one random mutation. Replaces empty input with random bytes.
    package static func change(_ bytes: inout [UInt8], using random: inout SeededRandom) {
        guard !bytes.isEmpty else {
            bytes = (0..<(1 + random.below(16))).map { _ in random.byte() }
            return
        }
        let place = random.below(bytes.count)
        switch random.below(10) {
        case 0: bytes[place] ^= 1 << UInt8(random.below(8))
        case 1: bytes[place] = random.byte()
        case 2, 3, 4: overwrite(&bytes, at: place, using: &random)
        case 5: bytes.insert(contentsOf: (0..<(1 + random.below(8))).map { _ in random.byte() }, at: place)
        case 6: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(32)))
        case 7:
            let end = min(bytes.count, place + 1 + random.below(64))
            bytes.insert(contentsOf: bytes[place..<end], at: random.below(bytes.count))
        case 8:
            let value = random.pick([0, 0xFF, random.byte()])
            for index in place..<min(bytes.count, place + 1 + random.below(64)) { bytes[index] = value }
        default: bytes.removeSubrange(place...)
        }
    }

    /// Writes an extreme number over some bytes, in either byte order.
    private static func overwrite(_ bytes: inout [UInt8], at place: Int, using random: inout SeededRandom) {
        let width = random.pick([1, 2, 4, 8])
        var number = ExtremeNumbers.bigEndian(ExtremeNumbers.integer(using: &random), count: width)
        if random.oneIn(2) { number.reverse() }
        for (index, byte) in number.enumerated() where place + index < bytes.count { bytes[place + index] = byte }
    }
}
