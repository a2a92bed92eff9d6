import Media
import Platform
import Time

/// The buffer between the demuxer and the decoders: a packet queue for each decoder, and the requests in the other
/// direction.
///
/// Threads: shared. The demuxer's thread pushes, each decoder's thread pops, and the player requests seeks from the
/// main thread.
///
/// Waiting packets of the playing streams are limited in bytes and in time: once each stream has `enoughDuration` ahead
/// (`enoughDurationOfAddress` over a network), the demuxer pauses. If a file interleaves its streams badly, one queue
/// may grow up to the byte limit. In addition, each audio stream, playing or not, keeps up to
/// `AudioPacketQueue.mostHistoryBytes` of recent packets.
final class PacketBuffer: Sendable {
    /// The limit for waiting video and audio packets together; 64 MiB hold 5 s of a 100 Mbit/s stream.
    static let byteLimit = MemoryBudget.waitingPackets
    /// How far to read ahead in a file, as the interleaving allows.
    static let enoughDuration = Duration.seconds(1)
    /// The same for a URL, to bridge stalled or lost connections.
    static let enoughDurationOfAddress = Duration.seconds(20)
    /// How much must be buffered to resume after waiting for the network.
    static let resumingDuration = Duration.seconds(2)
    /// A second of the most finely divided audio (2.5 ms Opus), plus a margin.
    static let countLimit = 4096

    enum Stream { case video, audio }

    enum Item: ~Copyable {
        case packet(Packet)
        /// The end of the stream. With `isLoop`, the start follows, or a later keyframe: drain the decoder and continue.
        case end(isLoop: Bool)

        static func end(of item: borrowing Item?) -> Item? {
            switch item {
            case .end(let isLoop)?: .end(isLoop: isLoop)
            default: nil
            }
        }
    }

    /// A sequence of packets between two seeks, and where to start in it. A seek begins a new generation; packets and
    /// frames of older generations are dropped wherever they are.
    struct Generation: Sendable {
        var number: Int
        /// Show nothing from before this time; nil after a fast seek, which starts at its keyframe.
        var start: MediaTime?
        /// Whether only one frame is wanted.
        var isScrubPreview = false
        /// The audio stream.
        var track = 0
    }

    struct SeekOrder: Sendable {
        var generation: Int
        var target: MediaTime
        var mode: SeekMode
        /// Whether only one frame near the target is wanted: that of the keyframe, or the current one if it is as near.
        var isScrubPreview = false
        /// The time of the current frame.
        var shown: MediaTime?
    }

    enum Order {
        case read
        case seek(SeekOrder)
        /// Another track or subtitle receiver was selected.
        case select
        /// Retry after a lost connection.
        case retry
        case stop
    }

    enum Delivery: ~Copyable {
        case item(Item, Generation)
        case stop
    }

    let state: Monitor<State>

    /// - Parameter isOfAddress: whether the source is a network.
    init(isOfAddress: Bool = false) {
        var state = State()
        state.enough = isOfAddress ? Self.enoughDurationOfAddress : Self.enoughDuration
        self.state = Monitor(state)
    }

    // MARK: - The demuxer's side

    /// Registers a stream that will be read. Of several audio streams, the last one registered with `isSelected` plays.
    ///
    /// - Parameter isStill: whether the video is only a cover.
    func activate(_ stream: Stream, track: Int = 0, isSelected: Bool = true, isStill: Bool = false) {
        state.withLock { state in
            switch stream {
            case .video: (state.isVideoActive, state.isVideoStill) = (true, isStill)
            case .audio:
                let queue = AudioPacketQueue(track: track)
                state.audioQueues.append(queue)
                for queue in state.audioQueues { queue.divideHistory(among: state.audioQueues.count) }
                if isSelected { state.selected = queue }
            }
        }
    }

    /// The audio stream that plays.
    var audioTrack: Int? { state.withLock { $0.selected?.track } }

    /// Whether an audio stream is read, so that it can be selected.
    func reads(_ track: Int) -> Bool { state.withLock { $0.audioQueues.contains { $0.track == track } } }

    /// Makes the demuxer apply the selected tracks.
    func orderSelection() { state.update { $0.isSelectionOrdered = true } }

    /// Sleeps until there is work for the demuxer.
    func nextOrder() -> Order {
        let order: Order? = state.wait { state in
            if state.isStopped { return .stop }
            if let seek = state.seek {
                state.seek = nil
                state.hasEnded = false
                state.rests = false
                state.loss = nil
                return .seek(seek)
            }
            if state.isRetryOrdered {
                state.isRetryOrdered = false
                state.loss = nil
                return .retry
            }
            if state.isSelectionOrdered {
                state.isSelectionOrdered = false
                return .select
            }
            if state.hasEnded || state.rests || state.loss != nil { return nil }
            if state.isFull { state.dropLateVideo() }
            return state.isFull ? nil : .read
        }
        return order ?? .stop
    }

    /// Whether the demuxer should abort its current operation, such as a blocking network read.
    var isInterrupted: Bool { state.withLock { $0.isStopped || $0.seek != nil } }

    /// Pushes a packet or end marker unless `generation` is obsolete. An audio packet goes to its stream's queue, an
    /// audio end marker to all.
    func push(_ item: consuming Item, to stream: Stream, generation: Int) {
        // In an optional, since a closure cannot consume a captured value.
        var item: Item? = item
        state.update { state in
            guard state.generation.number == generation else { return }
            guard let item = item.take() else { return }
            let track = item.track
            switch stream {
            case .video: if !state.refusesVideo(item), !state.video.items.isFull { state.video.push(item) }
            case .audio: state.pushAudio(item, track: track)
            }
        }
    }

    /// Marks the end of the media in each active queue. The demuxer then sleeps until a seek.
    func pushEnd(generation: Int) {
        state.update { state in
            guard state.generation.number == generation else { return }
            state.hasEnded = true
            if state.isVideoActive, !state.video.items.isFull { state.video.push(.end(isLoop: false)) }
            state.pushAudio(.end(isLoop: false), track: nil)
        }
    }

    /// Records a lost connection. The demuxer sleeps until a seek or `retry`; buffered packets are still played.
    func lose(_ reason: String, generation: Int) {
        state.update { state in
            if state.generation.number == generation { state.loss = reason }
        }
    }

    /// Whether the demuxer waits for a lost server.
    var isReconnecting: Bool {
        get { state.withLock { $0.isReconnecting } }
        set { state.withLock { $0.isReconnecting = newValue } }
    }

    /// Makes the demuxer sleep until a seek, or until the decoder needs more for its scrub preview.
    func rest(_ rests: Bool, generation: Int) {
        state.update { state in
            if state.generation.number == generation { state.rests = rests }
        }
    }

    /// Corrects the start of `generation` if the demuxer found one other than requested.
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
            var generation = state.generation
            switch stream {
            case .video:
                if state.isVideoCut, !state.video.items.isEmpty {
                    state.isVideoCut = false
                    return .item(.end(isLoop: true), generation)
                }
                guard let item = state.video.pop() else { return nil }
                if state.selected == nil, let time = item.time { state.forget(before: time) }
                return .item(item, generation)
            case .audio:
                guard !state.isAudioHeld, let queue = state.selected, let item = queue.pop() else { return nil }
                if let time = item.time {
                    state.forget(before: time)
                    state.decodedAudioTime = time
                }
                generation.number = state.audioGeneration
                generation.track = queue.track
                return .item(item, generation)
            }
        }
        return delivery ?? .stop
    }

    func isCurrent(_ generation: Int, of stream: Stream = .video) -> Bool {
        state.withLock {
            !$0.isStopped && generation == (stream == .video ? $0.generation.number : $0.audioGeneration)
        }
    }

    // MARK: - The player's side

    /// Requests a seek, replacing one that the demuxer has not begun.
    func seek(_ order: SeekOrder) {
        state.update { state in
            state.video.removeAll()
            state.decodedAudioTime = nil
            state.awaitsKeyframe = false
            state.isVideoCut = false
            for queue in state.audioQueues { queue.removeAll() }
            state.audioGeneration = order.generation
            state.isAudioHeld = false
            state.seek = order
            state.loss = nil
            state.generation = Generation(
                number: order.generation, start: order.mode == .exact ? order.target : nil,
                isScrubPreview: order.isScrubPreview)
        }
    }

    /// Selects the audio stream to play, or none, from the next seek or restart on; until then its decoder gets no
    /// packets. False if the stream is not being read.
    @discardableResult func selectAudio(track: Int?) -> Bool {
        state.update { state in
            let queue = state.audioQueues.first { $0.track == track }
            guard track == nil || queue != nil else { return false }
            state.selected = queue
            // The decoder of this generation belongs to another stream.
            state.isAudioHeld = true
            return true
        }
    }

    /// Stops audio packets until audio is restarted, or until a seek. Without this, the decoder would run through all
    /// buffered packets while the output rejects old samples.
    func holdAudio() { state.withLock { $0.isAudioHeld = true } }

    /// Begins a new generation of audio alone, at `time`, from the packets buffered for the stream.
    ///
    /// - Parameter takesAnything: whether to start with a later packet if `time` is not buffered.
    /// - Returns: false, changing nothing, if the packets are gone and a seek is needed.
    func restartAudio(track: Int, from time: MediaTime, generation: Int, takesAnything: Bool) -> Bool {
        state.update { state in
            guard state.seek == nil, let queue = state.audioQueues.first(where: { $0.track == track }),
                queue.rewind(to: time.nanoseconds, takesAnything: takesAnything)
            else { return false }
            state.selected = queue
            state.audioGeneration = generation
            state.isAudioHeld = false
            return true
        }
    }

    /// Whether the current generation starts at an exact time.
    var startsExactly: Bool { state.withLock { $0.generation.start != nil } }

    func stop() {
        state.update { $0.isStopped = true }
    }

    /// Whether the decoder of video, or of audio if there is none, lacks packets before the end.
    var isStarved: Bool {
        state.withLock { state in
            let isEmpty = state.awaitsVideo ? state.video.items.isEmpty : state.selected?.isEmpty ?? false
            return isEmpty && !state.hasEnded
        }
    }

    /// The reason why reading stopped if the connection is lost; nil otherwise.
    var loss: String? { state.withLock { $0.loss } }

    /// Resumes reading after a lost connection.
    func retry() {
        state.update { state in
            guard state.loss != nil else { return }
            state.isRetryOrdered = true
            state.loss = nil
        }
    }

    /// Whether enough is buffered to resume after a wait.
    var isReadyToResume: Bool {
        state.withLock { $0.isFilled(to: min($0.enough, Self.resumingDuration)) || $0.hasEnded || $0.rests }
    }

    /// How much is buffered for the decoders.
    struct Fill: Hashable, Sendable {
        var packets: Int
        var bytes: Int
        /// The time up to which every playing stream is buffered; nil while nothing is.
        var end: MediaTime?
    }

    var fill: Fill {
        state.withLock { state in
            let ends = [state.awaitsVideo ? state.video.end ?? .min : nil, state.selected.map { $0.end ?? .min }]
            let end = ends.lazy.compactMap { $0 }.min()
            return Fill(
                packets: state.video.items.count + (state.selected?.count ?? 0), bytes: state.bytes,
                end: end.flatMap { $0 == .min ? nil : MediaTime(nanoseconds: $0) })
        }
    }

    /// Whether nothing more can be read before something is taken out.
    var isAtLimit: Bool { state.withLock { $0.isFull || $0.hasEnded || $0.rests } }
}
