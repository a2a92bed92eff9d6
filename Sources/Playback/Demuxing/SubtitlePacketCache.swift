import CFFmpeg
import Media
import Platform

/// Which subtitles are wanted, and by whom. Shared: the player sets it, the demuxer asks when it is told to.
///
/// Threads: the main thread sets it; the demuxer's thread reads it. The lock is held to copy it.
final class SubtitleSelection: Sendable {
    private struct State {
        var track: Int?
        var receiver: (any SubtitleReceiver)?
    }

    private let state: Monitor<State>

    init(track: Int?) { state = Monitor(State(track: track)) }

    var current: (track: Int?, receiver: (any SubtitleReceiver)?) { state.withLock { ($0.track, $0.receiver) } }

    func select(_ track: Int?) { state.withLock { $0.track = track } }
    func attach(_ receiver: (any SubtitleReceiver)?) { state.withLock { $0.receiver = receiver } }
}

/// The packets of every subtitle stream that were read lately, and the way to whoever takes those of the selected one:
/// so that a line which is on show is there when its stream is chosen.
///
/// On the demuxer's thread.
struct SubtitlePacketCache: ~Copyable {
    /// Of each stream. Pictures of whole screens are some 100 KiB, lines of text a hundred bytes.
    static let countLimit = 256
    static let byteLimit = 4 << 20
    /// Of all streams together.
    static let allBytes = MemoryBudget.keptSubtitlePackets
    /// More are not kept: nobody chooses among so many.
    static let streamLimit = 64

    private final class Shelf {
        let track: Int
        var packets = RingBuffer<Packet>(capacity: SubtitlePacketCache.countLimit)
        var bytes = 0

        init(track: Int) { self.track = track }

        /// Keeps a reference, unless it has the packet from an earlier passage.
        func keep(_ packet: borrowing Packet, atMost byteLimit: Int) {
            let (time, position) = (packet.pointer.pointee.pts, packet.pointer.pointee.pos)
            let size = packet.pointer.pointee.size
            for index in 0..<packets.count {
                let isSame = packets.peek(at: index) {
                    let other = $0.pointer.pointee
                    return other.pts == time && other.pos == position && other.size == size
                }
                if isSame == true { return }
            }
            guard let copy = try? Packet(referring: packet.pointer) else { return }
            packets.append(copy)
            bytes += packet.byteCount
            while packets.isFull || bytes > byteLimit {
                guard let oldest = packets.popFirst() else { return }
                bytes -= oldest.byteCount
            }
        }
    }

    private var shelves: [Shelf] = []
    private(set) var selected: Int?
    private var receiver: (any SubtitleReceiver)?

    init(_ input: borrowing MediaInput) {
        for index in 0..<Int(input.context.pointee.nb_streams) where shelves.count < Self.streamLimit {
            guard input.stream(index)?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE else { continue }
            shelves.append(Shelf(track: index))
        }
    }

    /// Whether the stream is one of subtitles.
    func takes(_ track: Int) -> Bool { shelves.contains { $0.track == track } }

    /// Says to `receiver` what is selected from now on, and gives it what there is.
    mutating func select(_ track: Int?, for receiver: (any SubtitleReceiver)?, in input: borrowing MediaInput) {
        if let old = self.receiver, old !== receiver { old.select(nil, of: nil) }
        self.receiver = receiver
        let shelf = shelves.first { $0.track == track }
        selected = shelf?.track
        guard let shelf, let stream = input.stream(shelf.track) else {
            receiver?.select(nil, of: nil)
            return
        }
        receiver?.select(stream, of: input.context)
        for index in 0..<shelf.packets.count {
            _ = shelf.packets.peek(at: index) { receiver?.receive($0.pointer, of: stream) }
        }
    }

    /// Keeps a packet, and gives it on where it is of the selected stream.
    func take(_ packet: borrowing Packet, of stream: UnsafeMutablePointer<AVStream>) {
        guard let shelf = shelves.first(where: { $0.track == packet.track }) else { return }
        shelf.keep(packet, atMost: min(Self.byteLimit, Self.allBytes / shelves.count))
        if selected == shelf.track { receiver?.receive(packet.pointer, of: stream) }
    }
}
