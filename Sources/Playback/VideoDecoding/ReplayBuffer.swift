import CFFmpeg
import Media

/// What a decoder on hardware was given, as far as it takes to make once more what has not come out of it: from a keyframe
/// on. Should the device fail, another decoder begins there, and nothing is shown twice or left out.
///
/// On the video decoder's thread. Bounded in bytes and in count; where a film goes on for longer without a keyframe there
/// is nothing to begin from, and the place must be sought.
struct ReplayBuffer: ~Copyable {
    /// More than a minute at 60 frames a second.
    static let countLimit = 4096

    /// What a frame is told by: its packet's time, or, where that has none, its packet's number.
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
    /// The time of the last frame that was settled.
    private var lastTime: Int64?
    /// Of packets without a time, how many frames were settled.
    private var settled: [Int64: Int] = [:]
    /// The same, of those that come once more.
    private var repeated: [Int64: Int] = [:]
    private(set) var isRepeating = false
    /// Whether it holds all that is needed.
    private(set) var isWhole = true

    init(byteLimit: Int) { self.byteLimit = byteLimit }

    var count: Int { packets.count }
    /// How many it has let go: the index of the first that it holds.
    private(set) var begin = 0

    /// The place of a packet in the decoder's input, which goes through the decoder with it.
    mutating func number(_ packet: UnsafeMutablePointer<AVPacket>) {
        lastNumber += 1
        glissade_set_packet_number(packet, lastNumber)
    }

    /// Takes a packet that the decoder has been given.
    mutating func append(_ packet: consuming Packet) {
        let isKey = packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        if packets.isFull || bytes + packet.byteCount > byteLimit {
            dropPackets()
            isWhole = false
        }
        // What came before the next keyframe is of no use by itself.
        if !isWhole, keys.isEmpty, !isKey { return }
        if isKey { keys.append(Mark(packet.pointer)) }
        bytes += packet.byteCount
        packets.append(packet)
    }

    /// A frame has come out and was used, or will not be needed. From the last keyframe that is not after it everything can
    /// be made that comes later: what comes out after a keyframe and refers to what was before it is shown before it.
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

    /// Whether a frame was settled before a new decoder began to make them once more. Asked once for each that comes.
    mutating func wasSettled(_ mark: Mark) -> Bool {
        guard isRepeating else { return false }
        let was: Bool
        if let time = mark.time {
            was = lastTime.map { time <= $0 } ?? false
        } else {
            repeated[mark.number, default: 0] += 1
            was = repeated[mark.number, default: 0] <= settled[mark.number, default: 0]
        }
        // They come in order: after the first new one, all are.
        isRepeating = was
        return was
    }

    /// A new decoder is going to be given everything once more.
    ///
    /// - Parameter isSeeking: nothing that came out was shown yet: all of it is wanted again.
    mutating func startReplay(isSeeking: Bool) {
        repeated.removeAll(keepingCapacity: true)
        if isSeeking {
            lastTime = nil
            settled.removeAll(keepingCapacity: true)
        }
        isRepeating = !isSeeking
    }

    /// A packet of those it holds, counted from the first that it ever held; nil past the end. It stays the history's, and
    /// lasts until it is let go.
    func packet(at index: Int) -> UnsafePointer<AVPacket>? {
        index < begin ? nil : packets.peek(at: index - begin) { UnsafePointer($0.pointer) }
    }

    /// Lets go what it holds, but not what it knows of the frames that come once more.
    mutating func dropPackets() {
        begin += packets.count
        packets.removeAll()
        keys.removeAll(keepingCapacity: true)
        bytes = 0
    }

    /// The decoder is empty and begins anew.
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
