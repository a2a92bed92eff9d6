import Media

/// Audio packets held back while a seek looks for its keyframe. Confined to the demuxer's thread.
///
/// Limited in count and in bytes, since packets that a container compresses may expand a thousandfold.
struct PendingAudio: ~Copyable {
    static let byteLimit = 16 << 20
    private var packets = RingBuffer<Packet>(capacity: 1024)
    private var bytes = 0

    var count: Int { packets.count }
    var capacity: Int { packets.capacity }

    /// Whether there is room for a packet. Tracks that are not playing may fill only half of the buffer, so that they
    /// do not crowd out the playing track.
    func hasRoom(for packet: borrowing Packet, isPlaying: Bool) -> Bool {
        let fraction = isPlaying ? 1 : 2
        return count < capacity / fraction && bytes + packet.byteCount <= Self.byteLimit / fraction
    }

    /// Appends a packet.
    ///
    /// - Precondition: `hasRoom` for the packet.
    mutating func append(_ packet: consuming Packet) {
        bytes += packet.byteCount
        packets.append(packet)
    }

    mutating func popFirst() -> Packet? {
        guard let packet = packets.popFirst() else { return nil }
        bytes -= packet.byteCount
        return packet
    }

    mutating func removeAll() {
        packets.removeAll()
        bytes = 0
    }
}
