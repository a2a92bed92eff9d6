import GlissadeMedia

/// Audio packets held back while an exact seek looks for the keyframe before its target. Confined to the demuxer's
/// thread.
///
/// The number of packets and their total size are both limited.
struct PendingAudio: ~Copyable {
    static let byteLimit = 16 << 20
    private var packets = RingBuffer<Packet>(capacity: 1024)
    private var bytes = 0

    var count: Int { packets.count }
    var capacity: Int { packets.capacity }

    /// Whether there is room for a packet. For tracks that are not playing, there is room only until the buffer is half
    /// full, so that their packets do not crowd out those of the playing track.
    func hasRoom(for packet: borrowing Packet, isPlaying: Bool) -> Bool {
        let fraction = isPlaying ? 1 : 2
        return count < capacity / fraction && bytes + packet.byteCount <= Self.byteLimit / fraction
    }

    /// Appends a packet.
    ///
    /// - Precondition: `hasRoom` is true for the packet.
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
