/// PNG files (RFC 2083) of nothing but zeros, which take a thousandth of what they become.
package enum BlankPNG {
    /// A transparent picture in red, green, blue and alpha of `depth` bits.
    package static func file(width: Int, height: Int, depth: Int = 8) -> [UInt8] {
        let header = bigEndian(UInt32(width)) + bigEndian(UInt32(height)) + [UInt8(depth), 6, 0, 0, 0]
        // Before each row there is the number of its filter.
        let data = deflated(zeros: (width * 4 * depth / 8 + 1) * height)
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", header) + chunk("IDAT", data)
            + chunk("IEND", [])
    }

    /// A chunk with its length and checksum.
    package static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        return bigEndian(UInt32(data.count)) + body + bigEndian(checksum(body))
    }

    /// `count` zeros in zlib's format (RFC 1950, 1951): one block with the fixed codes, a zero and copies of what is one byte
    /// before, 258 at a time.
    private static func deflated(zeros count: Int) -> [UInt8] {
        var bits = Bits()
        bits.append(0b011, count: 3)
        // Codes begin with their highest bit. Zero is 00110000, the copy of 258 is 11000101, of one byte before 00000.
        bits.append(code: 0b0011_0000, count: 8)
        for _ in 0..<(count - 1) / 258 {
            bits.append(code: 0b1100_0101, count: 8)
            bits.append(0, count: 5)
        }
        for _ in 0..<(count - 1) % 258 { bits.append(code: 0b0011_0000, count: 8) }
        // The end of the block, and of its last byte.
        bits.append(0, count: 14)
        // Adler-32: one sum stays 1, the other counts the bytes.
        return [0x78, 0x9C] + bits.bytes + bigEndian(UInt32(count % 65521) << 16 | 1)
    }

    private struct Bits {
        private(set) var bytes: [UInt8] = []
        private var pending: UInt32 = 0
        private var used: UInt32 = 0

        mutating func append(_ value: UInt32, count: UInt32) {
            pending |= value << used
            used += count
            while used >= 8 {
                bytes.append(UInt8(truncatingIfNeeded: pending))
                pending >>= 8
                used -= 8
            }
        }

        mutating func append(code: UInt32, count: UInt32) {
            for shift in (0..<count).reversed() { append(code >> shift & 1, count: 1) }
        }
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        bytes.withUnsafeBufferPointer { bytes in
            var sum = UInt32.max
            for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xFF)] ^ (sum >> 8) }
            return ~sum
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }
}
