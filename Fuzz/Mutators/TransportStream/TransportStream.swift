/// An MPEG transport stream as a list of 188-byte packets (ISO/IEC 13818-1, 2.4).
package struct TransportStream: StructuredFile, Hashable {
    static let packetLength = 188

    var packets: [Packet]
    /// Bytes after the last packet.
    private var rest: [UInt8]

    package init?(_ bytes: [UInt8]) {
        guard bytes.count >= 2 * Self.packetLength, bytes[0] == 0x47, bytes[Self.packetLength] == 0x47 else {
            return nil
        }
        packets = []
        var place = 0
        while place + Self.packetLength <= bytes.count, bytes[place] == 0x47 {
            packets.append(Packet(bytes: Array(bytes[place..<(place + Self.packetLength)])))
            place += Self.packetLength
        }
        rest = Array(bytes[place...])
    }

    package var bytes: [UInt8] { packets.flatMap(\.bytes) + rest }

    struct Packet: Hashable, Sendable {
        /// The whole packet: 188 bytes.
        var bytes: [UInt8]

        var pid: Int {
            get { Int(bytes[1] & 0x1F) << 8 | Int(bytes[2]) }
            set {
                bytes[1] = bytes[1] & 0xE0 | UInt8(truncatingIfNeeded: newValue >> 8) & 0x1F
                bytes[2] = UInt8(truncatingIfNeeded: newValue)
            }
        }

        var beginsUnit: Bool { bytes[1] & 0x40 != 0 }

        var continuity: UInt8 {
            get { bytes[3] & 0x0F }
            set { bytes[3] = bytes[3] & 0xF0 | newValue & 0x0F }
        }

        /// The position of the adaptation field's flags; nil if there are none.
        var adaptationFlags: Int? { bytes[3] & 0x20 != 0 && bytes[4] > 0 ? 5 : nil }

        /// The position of the six-byte clock reference; nil if there is none.
        var clockReference: Int? {
            guard let flags = adaptationFlags, bytes[flags] & 0x10 != 0, bytes[4] >= 7 else { return nil }
            return 6
        }

        /// The position of the payload; nil if there is none.
        var payload: Int? {
            guard bytes[3] & 0x10 != 0 else { return nil }
            let begin = bytes[3] & 0x20 != 0 ? 5 + Int(bytes[4]) : 4
            return begin < TransportStream.packetLength ? begin : nil
        }

        /// The position of the PES header; nil if the packet does not begin a PES packet.
        var elementary: Int? {
            guard beginsUnit, let payload, payload + 14 <= bytes.count,
                bytes[payload..<(payload + 3)].elementsEqual([0, 0, 1])
            else { return nil }
            return payload
        }

        /// The positions of the presentation time and the decoding time, five bytes each. Empty if the packet has no
        /// times; the decoding time may be missing.
        var times: [Int] {
            guard let elementary, elementary + 19 <= bytes.count else { return [] }
            return switch bytes[elementary + 7] >> 6 {
            case 2: [elementary + 9]
            case 3: [elementary + 9, elementary + 14]
            default: []
            }
        }

        /// The range of a section, including its four-byte checksum; nil unless the section starts and ends in this
        /// packet.
        var section: Range<Int>? {
            guard beginsUnit, let payload, elementary == nil else { return nil }
            let begin = payload + 1 + Int(bytes[payload])
            guard begin + 3 <= bytes.count, bytes[begin + 1] & 0x80 != 0 else { return nil }
            let end = begin + 3 + (Int(bytes[begin + 1] & 0x0F) << 8 | Int(bytes[begin + 2]))
            return end <= bytes.count && end - begin >= 12 ? begin..<end : nil
        }

        var isSectionWhole: Bool {
            guard let section else { return false }
            return Checksums.mpeg(bytes[section]) == 0
        }

        /// Updates the section's checksum.
        mutating func sealSection() {
            guard let section else { return }
            let sum = Checksums.mpeg(bytes[section.dropLast(4)])
            bytes.replaceSubrange(section.suffix(4), with: ExtremeNumbers.bigEndian(UInt64(sum), count: 4))
        }

        /// Writes a 33-bit time. Keeps the four bits before it, which tell presentation from decoding times
        /// (2.4.3.7).
        mutating func setTime(_ time: UInt64, at place: Int) {
            bytes[place] = bytes[place] & 0xF0 | UInt8(time >> 30 & 7) << 1 | 1
            let (middle, last) = (UInt16(time >> 15 & 0x7FFF) << 1 | 1, UInt16(time & 0x7FFF) << 1 | 1)
            bytes.replaceSubrange(
                (place + 1)..<(place + 5),
                with: ExtremeNumbers.bigEndian(UInt64(middle), count: 2)
                    + ExtremeNumbers.bigEndian(UInt64(last), count: 2))
        }

        func time(at place: Int) -> UInt64 {
            let middle = UInt64(bytes[place + 1]) << 7 | UInt64(bytes[place + 2] >> 1)
            let last = UInt64(bytes[place + 3]) << 7 | UInt64(bytes[place + 4] >> 1)
            return UInt64(bytes[place] >> 1 & 7) << 30 | middle << 15 | last
        }

        /// Writes a clock reference: a 33-bit base, six bits set to 1, and a 9-bit extension (2.4.3.5).
        mutating func setClockReference(_ time: UInt64, fraction: UInt16) {
            guard let place = clockReference else { return }
            let base = time & 0x1_FFFF_FFFF
            let number = base << 15 | 0x3F << 9 | UInt64(fraction & 0x1FF)
            bytes.replaceSubrange(place..<(place + 6), with: ExtremeNumbers.bigEndian(number, count: 6))
        }
    }
}
