import Media

/// The sound that comes while a seek has yet to find its keyframe. On the demuxer's thread.
///
/// Bounded in count and in bytes: a container's compressed packets may take a thousand times what they take in the file.
struct PendingAudio: ~Copyable {
    static let byteLimit = 16 << 20
    private var packets = RingBuffer<Packet>(capacity: 1024)
    private var bytes = 0

    var count: Int { packets.count }
    var capacity: Int { packets.capacity }

    /// Whether a packet may be held. Of many streams the others must not take the room from the one that is heard.
    func hasRoom(for packet: borrowing Packet, isPlaying: Bool) -> Bool {
        let fraction = isPlaying ? 1 : 2
        return count < capacity / fraction && bytes + packet.byteCount <= Self.byteLimit / fraction
    }

    /// Only where there is room for it.
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
