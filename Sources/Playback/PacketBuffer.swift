import Host
import Motion

/// The room between the demuxer and the decoders: a queue of packets for each, and the orders that pass between them.
///
/// Shared: the demuxer's thread pushes, a decoder's thread each pops, the player orders seeks from the main thread.
///
/// Bounded in bytes for both queues together, and in time: once each stream that plays has `enoughDuration` ahead the
/// demuxer rests. Where a file interleaves its streams badly, one queue may grow until the bytes run out.
final class PacketBuffer: Sendable {
    /// Packets of both queues together; 64 MiB hold 5 s of a stream of 100 Mbit/s.
    static let byteLimit = 64 << 20
    /// What is read ahead where the interleaving allows.
    static let enoughDuration = Duration.seconds(1)
    /// A second of the most finely cut sound there is (2.5 ms Opus), with room.
    private static let countLimit = 4096

    enum Stream { case video, audio }

    enum Item: ~Copyable {
        case packet(Packet)
        /// Nothing follows. With `isLoop`, the start follows: drain what is in the decoder and go on.
        case end(isLoop: Bool)
    }

    /// Where decoding begins, and which generation of packets belongs to it. A seek makes a new one; what is of an older
    /// one is thrown away wherever it is found.
    struct Generation: Sendable {
        var number: Int
        /// Show nothing from before this; nil after a fast seek, which begins at the keyframe that it finds.
        var start: MediaTime?
        /// One picture is wanted, and nothing after it.
        var isGlance = false
    }

    struct SeekOrder: Sendable {
        var generation: Int
        var target: MediaTime
        var mode: SeekMode
        /// One picture near the target is all that is wanted: the keyframe's, or the one on show, if that is as near.
        var isGlance = false
        /// The time of the picture on show.
        var shown: MediaTime?
    }

    enum Order {
        case read
        case seek(SeekOrder)
        case stop
    }

    enum Delivery: ~Copyable {
        case item(Item, Generation)
        case stop
    }

    private struct Queue: ~Copyable {
        var items = Ring<Item>(capacity: countLimit)
        var bytes = 0
        var nanoseconds: Int64 = 0
        var isActive = false
        var hasEnded = false

        /// Packets that do not say how long they last are judged by their number.
        var hasEnough: Bool {
            !isActive || hasEnded || (items.count >= 8 && nanoseconds >= enoughDuration.nanoseconds)
                || items.count >= 256
        }

        mutating func push(_ item: consuming Item) {
            switch consume item {
            case .packet(let packet):
                bytes += packet.byteCount
                nanoseconds += packet.duration
                items.append(.packet(packet))
            case .end(let isLoop):
                if !isLoop { hasEnded = true }
                items.append(.end(isLoop: isLoop))
            }
        }

        mutating func pop() -> Item? {
            switch items.popFirst() {
            case .packet(let packet):
                bytes -= packet.byteCount
                nanoseconds -= packet.duration
                return .packet(packet)
            case .end(let isLoop): return .end(isLoop: isLoop)
            case nil: return nil
            }
        }

        mutating func removeAll() {
            items.removeAll()
            bytes = 0
            nanoseconds = 0
            hasEnded = false
        }
    }

    private struct State: ~Copyable {
        var video = Queue()
        var audio = Queue()
        var generation = Generation(number: 0, start: nil)
        var seek: SeekOrder?
        var isStopped = false
        var isLooping = false
        /// The demuxer has met the end and pushes nothing more in this generation.
        var hasEnded = false
        /// What a glance needs has been read.
        var rests = false

        mutating func queue<R: ~Copyable>(_ stream: Stream, _ body: (inout Queue) -> R) -> R {
            switch stream {
            case .video: body(&video)
            case .audio: body(&audio)
            }
        }

        var isFull: Bool {
            video.bytes + audio.bytes >= byteLimit || video.items.isFull || audio.items.isFull
                || (video.hasEnough && audio.hasEnough)
        }
    }

    private let state = Monitor(State())

    // MARK: - The demuxer's side

    func activate(_ stream: Stream) {
        state.withLock { state in state.queue(stream) { $0.isActive = true } }
    }

    /// Sleeps until there is something for the demuxer to do.
    func nextOrder() -> Order {
        let order: Order? = state.wait { state in
            if state.isStopped { return .stop }
            if let seek = state.seek {
                state.seek = nil
                state.hasEnded = false
                state.rests = false
                return .seek(seek)
            }
            return state.hasEnded || state.rests || state.isFull ? nil : .read
        }
        return order ?? .stop
    }

    /// Whether the demuxer should break off what it is doing: a blocking read of a network stream, say.
    var isInterrupted: Bool { state.withLock { $0.isStopped || $0.seek != nil } }

    /// Pushes unless a seek has made `generation` obsolete.
    func push(_ item: consuming Item, to stream: Stream, generation: Int) {
        // The closure takes the item out of an optional: closures cannot consume what they capture.
        var item: Item? = item
        state.update { state in
            guard state.generation.number == generation else { return }
            state.queue(stream) { queue in
                guard let item = item.take(), !queue.items.isFull else { return }
                queue.push(item)
            }
        }
    }

    /// The end of the media: each active queue gets its mark, and the demuxer sleeps until a seek.
    func pushEnd(generation: Int) {
        state.update { state in
            guard state.generation.number == generation else { return }
            state.hasEnded = true
            if state.video.isActive, !state.video.items.isFull { state.video.push(.end(isLoop: false)) }
            if state.audio.isActive, !state.audio.items.isFull { state.audio.push(.end(isLoop: false)) }
        }
    }

    /// The demuxer sleeps until a seek, or until the decoder wants more for its glance.
    func rest(_ rests: Bool, generation: Int) {
        state.update { state in
            if state.generation.number == generation { state.rests = rests }
        }
    }

    /// Corrects where `generation` begins: what the demuxer found differs from what was asked.
    func setStart(_ start: MediaTime?, generation: Int) {
        state.withLock { state in
            if state.generation.number == generation { state.generation.start = start }
        }
    }

    var isLooping: Bool {
        get { state.withLock { $0.isLooping } }
        set { state.withLock { $0.isLooping = newValue } }
    }

    // MARK: - The decoders' side

    /// Sleeps until there is an item for the stream's decoder.
    func next(_ stream: Stream) -> Delivery {
        let delivery: Delivery? = state.wait { state in
            if state.isStopped { return .stop }
            let generation = state.generation
            guard let item = state.queue(stream, { $0.pop() }) else { return nil }
            return .item(item, generation)
        }
        return delivery ?? .stop
    }

    func isCurrent(_ generation: Int) -> Bool {
        state.withLock { !$0.isStopped && $0.generation.number == generation }
    }

    // MARK: - The player's side

    /// Orders a seek; one that the demuxer has not begun yet is superseded.
    func seek(_ order: SeekOrder) {
        state.update { state in
            state.video.removeAll()
            state.audio.removeAll()
            state.seek = order
            state.generation = Generation(
                number: order.generation, start: order.mode == .exact ? order.target : nil, isGlance: order.isGlance)
        }
    }

    /// Whether the present generation begins at an exact place.
    var startsExactly: Bool { state.withLock { $0.generation.start != nil } }

    func stop() {
        state.update { $0.isStopped = true }
    }

    /// The video stream's decoder starves although the file goes on.
    var isVideoStarved: Bool {
        state.withLock { $0.video.isActive && $0.video.items.isEmpty && !$0.hasEnded }
    }
    /// Nothing more can be read in before something is taken out.
    var isAtLimit: Bool { state.withLock { $0.isFull || $0.hasEnded || $0.rests } }
}
