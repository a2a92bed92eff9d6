import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

/// The video packets that wait for the decoder.
///
/// If the decoder takes none for long, the oldest are dropped: one, then all others up to the next keyframe, since they
/// depend on dropped ones. The decoder must then be drained before it gets that keyframe.
///
/// Threads: protected by the lock of `PacketBuffer`.
struct VideoPacketQueue: ~Copyable {
    private var items = RingBuffer<PacketBuffer.Item>(capacity: PacketBuffer.countLimit)
    /// The size of the waiting packets, in bytes.
    private(set) var bytes = 0
    /// The total duration of the waiting packets.
    private(set) var nanoseconds: Int64 = 0
    /// The latest end of a packet in this generation, in nanoseconds; nil before the first packet.
    private(set) var end: Int64?
    /// The latest time of a packet that the decoder took in this generation, in nanoseconds.
    private(set) var decodedTime: Int64?
    /// The number of packets that were dropped.
    private(set) var dropped = 0
    /// Whether packets were dropped since the decoder took its last item.
    private var isCut = false
    /// Whether to refuse packets until the next keyframe, because frames that they depend on were dropped.
    private var awaitsKeyframe = false

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }
    var isFull: Bool { items.isFull }

    /// Adds an item, unless the queue is full or the packet's frame depends on a dropped frame.
    mutating func push(_ item: consuming PacketBuffer.Item) {
        if refuses(item) || items.isFull { return }
        switch consume item {
        case .packet(let packet):
            bytes += packet.byteCount
            nanoseconds += packet.duration
            if let time = packet.time { end = max(end ?? .min, time.addingClamped(packet.duration)) }
            items.append(.packet(packet))
        case .end(let end): items.append(.end(end))
        }
    }

    private mutating func refuses(_ item: borrowing PacketBuffer.Item) -> Bool {
        guard awaitsKeyframe, item.isPacket else { return false }
        if item.isKeyframe {
            awaitsKeyframe = false
            return false
        }
        dropped += 1
        return true
    }

    /// Takes the next item for the decoder; nil if none is waiting. After packets were dropped, this is a gap.
    mutating func take() -> PacketBuffer.Item? {
        if isCut, !items.isEmpty {
            isCut = false
            return .end(.gap)
        }
        guard let item = pop() else { return nil }
        if let time = item.time { decodedTime = max(decodedTime ?? .min, time) }
        return item
    }

    private mutating func pop() -> PacketBuffer.Item? {
        switch items.popFirst() {
        case .packet(let packet):
            bytes -= packet.byteCount
            nanoseconds -= packet.duration
            return .packet(packet)
        case .end(let end): return .end(end)
        case nil: return nil
        }
    }

    /// Drops the first packet and those that depend on it, if it starts before `limit`, in nanoseconds.
    mutating func dropFirst(before limit: Int64) {
        guard let first = items.peek({ $0.time }) ?? nil, first < limit else { return }
        repeat {
            guard items.peek({ $0.isPacket }) == true, let late = pop() else { return }
            _ = consume late
            dropped += 1
            isCut = true
        } while items.peek({ $0.isPacket && !$0.isKeyframe }) == true
        if items.isEmpty { awaitsKeyframe = true }
    }

    /// Removes all packets after the last one that starts before `time`, in nanoseconds, and an end marker.
    mutating func cut(at time: Int64) {
        while items.peek(at: items.count - 1, { $0.time.map { $0 >= time } ?? true }) == true {
            guard case .packet(let packet)? = items.popLast() else { continue }
            bytes -= packet.byteCount
            nanoseconds -= packet.duration
        }
        end = end.map { min($0, time) }
    }

    /// Begins a new generation.
    mutating func removeAll() {
        items.removeAll()
        (bytes, nanoseconds, end, decodedTime) = (0, 0, nil, nil)
        (isCut, awaitsKeyframe) = (false, false)
    }
}

extension PacketBuffer.Item {
    /// The packet's time in nanoseconds (see `Packet.time`); nil if it is unknown, and for an end marker.
    package var time: Int64? {
        switch self {
        case .packet(let packet): packet.time
        case .end: nil
        }
    }

    /// The index of a packet's stream; nil for an end marker.
    package var track: Int? {
        switch self {
        case .packet(let packet): packet.track
        case .end: nil
        }
    }

    var isPacket: Bool {
        switch self {
        case .packet: true
        case .end: false
        }
    }

    var isKeyframe: Bool {
        switch self {
        case .packet(let packet): packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        case .end: false
        }
    }
}
