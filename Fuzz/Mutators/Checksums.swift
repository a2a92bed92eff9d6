/// Computes the checksums of container formats.
enum Checksums {
    /// Returns the CRC-32 of IEEE 802.3 as four bytes, lowest first, as Matroska stores it (RFC 8794, 11.3.1).
    static func crc32(_ bytes: [UInt8]) -> [UInt8] {
        let sum = ~bytes.reduce(~UInt32(0)) { sum, byte in ieee[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] ^ sum >> 8 }
        return ExtremeNumbers.bigEndian(UInt64(sum.byteSwapped), count: 4)
    }

    private static let ieee: [UInt32] = (0..<256).map { value in
        (0..<8).reduce(UInt32(value)) { sum, _ in sum & 1 != 0 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }

    /// Returns the CRC-32 of an MPEG-2 section (ISO/IEC 13818-1, annex A). With a start value of 0, returns the
    /// CRC-32 of an Ogg page (RFC 3533, 6).
    static func mpeg(_ bytes: some Sequence<UInt8>, from start: UInt32 = ~0) -> UInt32 {
        bytes.reduce(start) { sum, byte in sum << 8 ^ forward[Int(UInt8(truncatingIfNeeded: sum >> 24) ^ byte)] }
    }

    private static let forward: [UInt32] = (0..<256).map { value in
        (0..<8).reduce(UInt32(value) << 24) { sum, _ in sum & 1 << 31 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
}
