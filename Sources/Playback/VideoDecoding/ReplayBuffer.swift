import CFFmpeg
import Media

/// The recent input of a hardware decoder, from a keyframe on, for which frames are still missing. If the device fails,
/// another decoder starts there, and no frame is repeated or lost.
///
/// Confined to the video decoder's thread. Limited in bytes and count. If a film has no keyframe for longer than that,
/// nothing can be replayed, and the player must seek.
struct ReplayBuffer: ~Copyable {
    /// More than a minute at 60 frames per second.
    static let countLimit = 4096

    /// Identifies a frame: by its packet's time or, if there is none, its packet's number.
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
    /// The keyframes among the packets.
    private var keys: [Mark] = []
    /// The time of the last settled frame.
    private var lastTime: Int64?
    /// The number of settled frames of each packet without a time.
    private var settled: [Int64: Int] = [:]
    /// The same for frames that are decoded again.
    private var repeated: [Int64: Int] = [:]
    private(set) var isRepeating = false
    /// Whether the buffer holds everything needed.
    private(set) var isWhole = true

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var count: Int { packets.count }
    /// The index of the first packet held: how many were dropped.
    private(set) var begin = 0

    /// Numbers a packet by its position in the input; the number passes through the decoder.
    mutating func number(_ packet: UnsafeMutablePointer<AVPacket>) {
        lastNumber += 1
        glissade_set_packet_number(packet, lastNumber)
    }

    /// Stores a packet that the decoder was given.
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

    /// Marks a frame as used or not needed. Everything later can be decoded from the last keyframe at or before it: a
    /// frame that is decoded after a keyframe but refers to frames before the keyframe is displayed before it.
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

    /// Whether a frame was settled before the replay began. Call once for each frame.
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

    /// Call before giving a new decoder everything again.
    ///
    /// - Parameter isSeeking: whether no frame was shown yet, so that all are wanted again.
    mutating func startReplay(isSeeking: Bool) {
        repeated.removeAll(keepingCapacity: true)
        if isSeeking {
            lastTime = nil
            settled.removeAll(keepingCapacity: true)
        }
        isRepeating = !isSeeking
    }

    /// The packet at `index`, counted from the first ever stored; nil past the end. It is valid until dropped.
    func packet(at index: Int) -> UnsafePointer<AVPacket>? {
        index < begin ? nil : packets.peek(at: index - begin) { UnsafePointer($0.pointer) }
    }

    /// Drops the packets, but keeps the records about frames that are decoded again.
    mutating func dropPackets() {
        begin += packets.count
        packets.removeAll()
        keys.removeAll(keepingCapacity: true)
        bytes = 0
    }

    /// Call when the decoder is empty and starts over.
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
