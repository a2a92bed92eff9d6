import Media
import Time

/// The packets of one sound stream: those that wait for the decoder, and those that it has had lately, so that it can
/// begin anew a little further back, or with another stream, without a seek.
///
/// Not shared: `PacketBuffer` holds it under its lock.
final class AudioPacketQueue {
    /// The packets of four seconds at double speed are behind what is heard, with room.
    static let history = Duration.seconds(6)
    static let mostHistoryBytes = 8 << 20
    /// Of all sound streams together.
    static let allHistoryBytes = MemoryBudget.keptAudioPackets
    /// Half for what was, half for what comes. What is not used of it takes no memory.
    static let countLimit = 1 << 14
    /// So many that wait are enough, where they last as long as this, or do not say: a second of the most finely cut sound
    /// there is (TrueHD) has 1200.
    private static let (usualCount, usualLength) = (2048, Duration.seconds(5))
    /// Before the packet that is wanted, as many go to the decoder for it to find into the sound.
    private static let lead = 2

    let track: Int
    private var items = RingBuffer<PacketBuffer.Item>(capacity: countLimit)
    /// How many of `items`, from the front, the decoder has had.
    private var cursor = 0
    /// Of those that wait.
    private(set) var bytes = 0
    private(set) var nanoseconds: Int64 = 0
    private var historyBytes = 0
    /// How much the history may take, or what waits of a stream that does not play.
    private var historyLimit = mostHistoryBytes
    /// Whether something of this generation is gone already.
    private var isTrimmed = false
    private(set) var hasEnded = false
    /// Where the last packet ends, in nanoseconds; nil before the first.
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
        case .end(let isLoop):
            if !isLoop { hasEnded = true }
            items.append(.end(isLoop: isLoop))
        }
    }

    /// The next item, which stays on the shelf for a while. Nil where there is none, or no memory for another reference to it.
    func pop() -> PacketBuffer.Item? {
        let next: PacketBuffer.Item?? = items.peek(at: cursor) { item in
            switch item {
            case .packet(let packet):
                guard let copy = try? Packet(referring: packet.pointer) else { return nil }
                return PacketBuffer.Item.packet(copy)
            case .end(let isLoop): return PacketBuffer.Item.end(isLoop: isLoop)
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

    /// It is one of so many.
    func fraction(with count: Int) { historyLimit = min(Self.mostHistoryBytes, Self.allHistoryBytes / max(1, count)) }

    /// Lets go of what is beyond the bytes that a stream which does not play may take.
    func trim() {
        while bytes + historyBytes > historyLimit, !items.isEmpty { dropFirst() }
    }

    /// Lets go of what ended before `time`, in nanoseconds.
    func forget(before time: Int64) {
        while items.peek({ Self.isOver($0, by: time) }) == true { dropFirst() }
    }

    /// Goes to the packet from which what belongs at `time` can be decoded, or `takesAnything` to the first that there is;
    /// false where it is gone.
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
        // Nothing so early: that is right where the sound only begins later.
        guard found != nil || !isTrimmed || takesAnything else { return false }
        let target = max(0, (found ?? 0) - Self.lead)
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

    func removeAll() {
        items.removeAll()
        (cursor, bytes, nanoseconds, historyBytes) = (0, 0, 0, 0)
        isTrimmed = false
        hasEnded = false
        end = nil
    }

    private static func isOver(_ item: borrowing PacketBuffer.Item, by time: Int64) -> Bool {
        switch item {
        case .packet(let packet): packet.time ?? .min < time
        case .end(let isLoop): isLoop
        }
    }

    private func weight(at index: Int) -> (bytes: Int, nanoseconds: Int64) {
        items.peek(at: index) { item in
            switch item {
            case .packet(let packet): (packet.byteCount, packet.duration)
            case .end: (0, 0)
            }
        } ?? (0, 0)
    }

    private func dropFirst() {
        let weight = weight(at: 0)
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
