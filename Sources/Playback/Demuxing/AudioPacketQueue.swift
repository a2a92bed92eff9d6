import GlissadeMedia
import GlissadeTime

/// The packets of one audio stream: packets waiting for the decoder, and a history of packets that it has already
/// taken. The history allows decoding to restart a little earlier, or with another stream, without a seek.
///
/// Threads: protected by the lock of `PacketBuffer`.
final class AudioPacketQueue {
    /// The maximum duration of the history. At double speed, the decoder is about four seconds of packets ahead of the
    /// audio being heard.
    static let history = Duration.seconds(6)
    static let mostHistoryBytes = 8 << 20
    /// The history's byte limit for all audio streams together.
    static let allHistoryBytes = MemoryBudget.keptAudioPackets
    /// The maximum number of packets in the queue: half for the history and half for waiting packets.
    static let countLimit = 1 << 14
    /// The number and duration of waiting packets at which the queue is full. If packets have no usable duration, only
    /// their number counts.
    private static let (usualCount, usualLength) = (2048, Duration.seconds(5))
    /// The number of packets to decode before the wanted one. A decoder needs them to produce correct audio.
    private static let lead = 2

    /// The stream's index in the container. After a change of variant, older packets may be of another stream.
    var track: Int
    private var items = RingBuffer<PacketBuffer.Item>(capacity: countLimit)
    /// The number of items at the front of `items` that the decoder has taken.
    private var cursor = 0
    /// The size of the waiting packets, in bytes.
    private(set) var bytes = 0
    /// The total duration of the waiting packets.
    private(set) var nanoseconds: Int64 = 0
    private var historyBytes = 0
    /// The byte limit for the history. While the stream is not playing, the limit covers the waiting packets as well.
    private var historyLimit = mostHistoryBytes
    /// Whether packets have been dropped from the queue in this generation.
    private var isTrimmed = false
    /// What the decoder has to know of joined files, although it was dropped before it could be taken.
    private var skipped: AudioStream?
    private(set) var hasEnded = false
    /// The latest end of a packet in this generation, in nanoseconds; nil before the first packet.
    private(set) var end: Int64?

    init(track: Int) { self.track = track }

    var count: Int { items.count - cursor }
    var isEmpty: Bool { count == 0 }
    var isFull: Bool {
        guard count >= Self.usualCount else { return false }
        let isLong = nanoseconds >= Self.usualLength.nanoseconds || nanoseconds < Int64(count) * 100_000
        return isLong || count >= Self.countLimit / 2
    }

    func push(_ item: consuming PacketBuffer.Item) {
        if items.isFull { dropFirst() }
        switch consume item {
        case .packet(let packet):
            bytes += packet.byteCount
            nanoseconds += packet.duration
            if let time = packet.time { end = max(end ?? .min, time.addingClamped(packet.duration)) }
            items.append(.packet(packet))
        case .end(let end):
            if end.isLast { hasEnded = true }
            items.append(.end(end))
            bytes += weight(at: items.count - 1).bytes
        }
    }

    /// Takes the next item for the decoder, and keeps it in the history. Returns nil if no item is waiting, or if there
    /// is no memory for another reference to its packet.
    func pop() -> PacketBuffer.Item? {
        if let part = skipped.take() { return .end(.part(part)) }
        let next: PacketBuffer.Item?? = items.peek(at: cursor) { item in
            switch item {
            case .packet(let packet):
                guard let copy = try? Packet(referring: packet.pointer) else { return nil }
                return PacketBuffer.Item.packet(copy)
            case .end(let end): return PacketBuffer.Item.end(end)
            }
        }
        guard let item = next ?? nil else { return nil }
        let weight = weight(at: cursor)
        let time = items.peek(at: cursor, { $0.time }) ?? nil
        cursor += 1
        bytes -= weight.bytes
        nanoseconds -= weight.nanoseconds
        historyBytes += weight.bytes
        if let time { forget(before: time.subtractingClamped(Self.history.nanoseconds)) }
        while cursor > 0, cursor >= Self.countLimit / 2 || historyBytes > historyLimit { dropFirst() }
        return item
    }

    /// Sets the history's byte limit to the share of one of `count` streams.
    func divideHistory(among count: Int) {
        historyLimit = min(Self.mostHistoryBytes, Self.allHistoryBytes / max(1, count))
    }

    /// Drops the oldest packets until the others are within the byte limit. Called for streams that are not playing.
    func trim() {
        while bytes + historyBytes > historyLimit, !items.isEmpty { dropFirst() }
    }

    /// Drops packets from the front of the queue while they start before `time`, in nanoseconds, or have no timestamp.
    func forget(before time: Int64) {
        while items.peek({ Self.isOver($0, by: time) }) == true { dropFirst() }
    }

    /// Makes the decoder continue with the packets needed for audio at `time`, in nanoseconds.
    ///
    /// - Parameter takesAnything: Whether to continue with the first packet left if the packets needed were dropped.
    /// - Returns: False if the packets needed were dropped and `takesAnything` is false. Nothing has then changed.
    func rewind(to time: Int64, takesAnything: Bool = false) -> Bool {
        var index = 0
        var found: Int?
        while index < items.count {
            if let start = items.peek(at: index, { $0.time }) ?? nil {
                if start > time { break }
                found = index
            }
            index += 1
        }
        // Finding no earlier packet is fine if nothing was dropped: the audio starts later.
        guard found != nil || !isTrimmed || takesAnything else { return false }
        let target = max(0, (found ?? 0) - Self.lead)
        // The decoder is that of a later one of joined files.
        if target + 1 < cursor, (target + 1..<cursor).contains(where: isPart) { return false }
        cursor = 0
        (bytes, nanoseconds, historyBytes) = (0, 0, 0)
        for index in 0..<items.count {
            let weight = weight(at: index)
            if index < target {
                historyBytes += weight.bytes
            } else {
                bytes += weight.bytes
                nanoseconds += weight.nanoseconds
            }
        }
        cursor = target
        return true
    }

    /// Removes the waiting packets whose middle is at or after `time`, in nanoseconds, and an end marker.
    func cut(at time: Int64) {
        while items.count > cursor, items.peek(at: items.count - 1, { Self.isAfter($0, time) }) == true {
            let weight = weight(at: items.count - 1)
            _ = items.popLast()
            bytes -= weight.bytes
            nanoseconds -= weight.nanoseconds
        }
        hasEnded = false
        end = end.map { min($0, time) }
    }

    func removeAll() {
        items.removeAll()
        (cursor, bytes, nanoseconds, historyBytes) = (0, 0, 0, 0)
        isTrimmed = false
        skipped = nil
        hasEnded = false
        end = nil
    }

    private static func isAfter(_ item: borrowing PacketBuffer.Item, _ time: Int64) -> Bool {
        switch item {
        case .packet(let packet): packet.time.map { $0.addingClamped(packet.duration / 2) >= time } ?? true
        case .end: true
        }
    }

    private static func isOver(_ item: borrowing PacketBuffer.Item, by time: Int64) -> Bool {
        switch item {
        case .packet(let packet): packet.time ?? .min < time
        case .end(let end): !end.isLast
        }
    }

    private func isPart(at index: Int) -> Bool { items.peek(at: index, { $0.part != nil }) ?? false }

    private func weight(at index: Int) -> (bytes: Int, nanoseconds: Int64) {
        items.peek(at: index) { item in
            switch item {
            case .packet(let packet): (packet.byteCount, packet.duration)
            case .end(.part(let stream)): (stream.configuration.byteCount, 0)
            case .end: (0, 0)
            }
        } ?? (0, 0)
    }

    private func dropFirst() {
        let weight = weight(at: 0)
        if cursor == 0, let part = items.peek({ $0.part }) ?? nil { skipped = part }
        guard items.popFirst() != nil else { return }
        isTrimmed = true
        if cursor > 0 {
            cursor -= 1
            historyBytes -= weight.bytes
        } else {
            bytes -= weight.bytes
            nanoseconds -= weight.nanoseconds
        }
    }
}
