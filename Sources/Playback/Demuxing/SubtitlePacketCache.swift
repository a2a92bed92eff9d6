import GlissadeCFFmpeg
import GlissadeMedia
import GlissadePlatform

/// The selected subtitle track, and the receiver of its packets.
///
/// Threads: the main thread sets the track and the receiver. The demuxer's thread reads them.
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

/// Keeps recent packets of every subtitle stream, so that the current subtitle appears as soon as its stream is
/// selected. Forwards the packets of the selected stream to its receiver.
///
/// Confined to the demuxer's thread.
struct SubtitlePacketCache: ~Copyable {
    /// The capacity of each stream's cache, in packets.
    static let countLimit = 256
    /// The byte limit for each stream. A full-screen subtitle image takes about 100 KiB; a line of text takes about 100
    /// bytes.
    static let byteLimit = 4 << 20
    /// The byte limit for all streams together.
    static let allBytes = MemoryBudget.keptSubtitlePackets
    /// The maximum number of subtitle streams whose packets are cached.
    static let streamLimit = 64

    private final class StreamCache {
        let track: Int
        var packets = RingBuffer<Packet>(capacity: SubtitlePacketCache.countLimit)
        var bytes = 0

        init(track: Int) { self.track = track }

        /// Keeps a reference to a packet, unless the same packet was read before and is still cached. Drops the oldest
        /// packets beyond the limits.
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

    private var caches: [StreamCache] = []
    private(set) var selected: Int?
    private var receiver: (any SubtitleReceiver)?

    init(_ input: borrowing MediaInput) {
        for index in 0..<Int(input.context.pointee.nb_streams) where caches.count < Self.streamLimit {
            guard input.stream(index)?.pointee.codecpar.pointee.codec_type == AVMEDIA_TYPE_SUBTITLE else { continue }
            caches.append(StreamCache(track: index))
        }
    }

    /// Whether `track` is a subtitle stream whose packets are cached.
    func takes(_ track: Int) -> Bool { caches.contains { $0.track == track } }

    /// Selects a stream; nil for none. Notifies `receiver`, and sends the stream's cached packets to it.
    mutating func select(_ track: Int?, for receiver: (any SubtitleReceiver)?, in input: borrowing MediaInput) {
        if let old = self.receiver, old !== receiver { old.select(nil, of: nil) }
        self.receiver = receiver
        let cache = caches.first { $0.track == track }
        selected = cache?.track
        guard let cache, let stream = input.stream(cache.track) else {
            receiver?.select(nil, of: nil)
            return
        }
        receiver?.select(stream, of: input.context)
        for index in 0..<cache.packets.count {
            _ = cache.packets.peek(at: index) { receiver?.receive($0.pointer, of: stream) }
        }
    }

    /// Caches a packet, and forwards it if its stream is selected.
    func take(_ packet: borrowing Packet, of stream: UnsafeMutablePointer<AVStream>) {
        guard let cache = caches.first(where: { $0.track == packet.track }) else { return }
        cache.keep(packet, atMost: min(Self.byteLimit, Self.allBytes / caches.count))
        if selected == cache.track { receiver?.receive(packet.pointer, of: stream) }
    }
}
