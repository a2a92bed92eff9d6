import GlissadeCFFmpeg
import GlissadeMedia

/// The recent input of a hardware decoder. If the device fails, these packets are sent to another decoder, so that no
/// frame is repeated or lost.
///
/// The packets start at a keyframe from which every frame that is still missing can be decoded. The buffer is limited
/// in bytes and in packets. If the video has no keyframe within these limits, a replay is impossible, and the player
/// must seek.
///
/// Threads: the video decoder's thread only.
struct ReplayBuffer: ~Copyable {
    /// The most packets to keep: more than a minute at 60 frames per second.
    static let countLimit = 4096

    /// The identity of a frame: the time, if known, and the number of the packet that contains it.
    struct Mark: Hashable {
        var time: Int64?
        var number: Int64

        init(_ frame: UnsafePointer<AVFrame>) {
            time = frame.pointee.pts == glissade_nopts() ? nil : frame.pointee.pts
            number = glissade_frame_number(frame)
        }

        init(_ packet: UnsafePointer<AVPacket>) {
            time = packet.pointee.pts == glissade_nopts() ? nil : packet.pointee.pts
            number = glissade_packet_number(packet)
        }
    }

    private var packets = RingBuffer<Packet>(capacity: countLimit)
    private var bytes = 0
    private let byteLimit: Int
    private var lastNumber: Int64 = 0
    /// The marks of the stored keyframes.
    private var keys: [Mark] = []
    /// The time of the last settled frame: see `settle`.
    private var lastTime: Int64?
    /// The number of settled frames of each packet without a time, by packet number.
    private var settled: [Int64: Int] = [:]
    /// The number of frames that the replay has decoded from each packet without a time, by packet number.
    private var repeated: [Int64: Int] = [:]
    /// Whether the decoder may still output frames that were settled before the replay.
    private(set) var isRepeating = false
    /// Whether the buffer holds every packet needed for a replay.
    private(set) var isWhole = true

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var count: Int { packets.count }
    /// The index of the first stored packet. Equals the number of packets dropped so far.
    private(set) var begin = 0

    /// Numbers a packet by its position in the input. The decoder passes the number on to the packet's frames.
    mutating func number(_ packet: UnsafeMutablePointer<AVPacket>) {
        lastNumber += 1
        glissade_set_packet_number(packet, lastNumber)
    }

    /// Stores a packet that was sent to the decoder. If the buffer would exceed its limits, drops the stored packets
    /// first. The new packet is then dropped too, unless it is a keyframe.
    mutating func append(_ packet: consuming Packet) {
        let isKey = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        if packets.isFull || bytes + packet.byteCount > byteLimit {
            dropPackets()
            isWhole = false
        }
        // Packets before the next keyframe are useless on their own.
        if !isWhole, keys.isEmpty, !isKey { return }
        if isKey { keys.append(Mark(packet.pointer)) }
        bytes += packet.byteCount
        packets.append(packet)
    }

    /// Marks a frame as settled: it was used, or is not needed. Drops the packets before the last keyframe at or before
    /// the frame, because all later frames can be decoded from that keyframe.
    mutating func settle(_ mark: Mark) {
        if let time = mark.time { lastTime = time } else { settled[mark.number, default: 0] += 1 }
        let passed = keys.lastIndex { key in
            if let time = mark.time, let first = key.time { time >= first } else { mark.number == key.number }
        }
        guard let passed else { return }
        isWhole = true
        if passed == 0, packets.peek({ glissade_packet_number($0.pointer) }) == keys[0].number { return }
        let first = keys[passed].number
        while let number = packets.peek({ glissade_packet_number($0.pointer) }), number < first { dropFirst() }
        keys.removeFirst(passed)
        settled = settled.filter { $0.key >= first }
    }

    /// Whether a frame was settled before the replay began. Call once for each frame that the decoder outputs.
    mutating func wasSettled(_ mark: Mark) -> Bool {
        guard isRepeating else { return false }
        let was: Bool
        if let time = mark.time {
            was = lastTime.map { time <= $0 } ?? false
        } else {
            repeated[mark.number, default: 0] += 1
            was = repeated[mark.number, default: 0] <= settled[mark.number, default: 0]
        }
        // Frames come in order, so all frames after the first new one are new.
        isRepeating = was
        return was
    }

    /// Prepares for sending all stored packets to a new decoder.
    ///
    /// - Parameter isSeeking: Whether an exact seek is in progress. All frames are then needed again.
    mutating func startReplay(isSeeking: Bool) {
        repeated.removeAll(keepingCapacity: true)
        if isSeeking {
            lastTime = nil
            settled.removeAll(keepingCapacity: true)
        }
        isRepeating = !isSeeking
    }

    /// The packet at `index`, counted from the first packet ever stored. Nil if the packet was dropped or is not stored
    /// yet. The pointer is valid until the packet is dropped.
    func packet(at index: Int) -> UnsafePointer<AVPacket>? {
        index < begin ? nil : packets.peek(at: index - begin) { UnsafePointer($0.pointer) }
    }

    /// Drops the packets, but not the record of settled frames.
    mutating func dropPackets() {
        begin += packets.count
        packets.removeAll()
        keys.removeAll(keepingCapacity: true)
        bytes = 0
    }

    /// Drops the packets and the record of settled frames. Call after the decoder was drained or flushed.
    mutating func reset() {
        dropPackets()
        lastTime = nil
        settled.removeAll(keepingCapacity: true)
        repeated.removeAll(keepingCapacity: true)
        isRepeating = false
        isWhole = true
    }

    private mutating func dropFirst() {
        guard let packet = packets.popFirst() else { return }
        bytes -= packet.byteCount
        begin += 1
    }
}
