import GlissadeMedia
import GlissadePlatform
import GlissadeTime

/// The buffer between the demuxer and the decoders. It holds a packet queue for each stream, and the player's requests
/// to the demuxer.
///
/// Threads: shared. The demuxer's thread pushes, each decoder's thread pops, and the player requests seeks from the
/// main thread.
///
/// The demuxer pauses once each playing stream has `enoughDuration` buffered (over a network and from a playlist:
/// `enoughDurationOfAddress`), or once the buffer is full. If a file interleaves its streams badly, a single queue may
/// fill the buffer.
///
/// In addition, each audio stream keeps recent packets, even if it is not playing. Their size is limited to
/// `AudioPacketQueue.mostHistoryBytes` or, if that is less, to the stream's share of
/// `AudioPacketQueue.allHistoryBytes`.
final class PacketBuffer: Sendable {
    /// The byte limit for waiting packets of the playing streams together.
    static let byteLimit = MemoryBudget.waitingPackets
    /// How far to read ahead in a file.
    static let enoughDuration = Duration.seconds(1)
    /// How far to read ahead from a URL, to bridge stalled or lost connections.
    static let enoughDurationOfAddress = Duration.seconds(20)
    /// How far ahead each playing stream must be buffered to resume after waiting for the network.
    static let resumingDuration = Duration.seconds(2)
    /// The maximum number of waiting video packets: more than a minute at 60 frames per second.
    static let countLimit = 4096

    enum Stream { case video, audio }

    enum Item: ~Copyable {
        case packet(Packet)
        /// The end of the stream or, if `isLoop` is true, a gap: the packets after it start over or skip to a later
        /// keyframe. At a gap, drain the decoder and continue.
        case end(isLoop: Bool)

        static func end(of item: borrowing Item?) -> Item? {
            switch item {
            case .end(let isLoop)?: .end(isLoop: isLoop)
            default: nil
            }
        }
    }

    /// The packets from one seek to the next. A seek begins a new generation, and all packets and frames of older
    /// generations are dropped.
    struct Generation: Sendable {
        var number: Int
        /// The exact time at which to start. Nil to start with the first decoded frame, as after a seek to a keyframe.
        var start: MediaTime?
        /// Whether this is a scrub preview: a single frame to show while the user drags the progress bar.
        var isScrubPreview = false
        /// The index of the audio stream that plays. Set only for audio.
        var track = 0
    }

    struct SeekOrder: Sendable {
        var generation: Int
        var target: MediaTime
        var mode: SeekMode
        /// Whether this is a scrub preview, for which only the keyframe nearest to the target is decoded. If the frame
        /// on screen is at least as near, nothing is decoded.
        var isScrubPreview = false
        /// For a scrub preview, the time of the frame on screen; nil if there is none.
        var shown: MediaTime?
    }

    enum Order {
        case read
        case seek(SeekOrder)
        /// Another track or subtitle receiver was selected.
        case select
        /// Retry after a lost connection.
        case retry
        /// Change to the variant with this index in `MediaInfo.variants`.
        case variant(Int)
        case stop
    }

    enum Delivery: ~Copyable {
        case item(Item, Generation)
        case stop
    }

    let state: Monitor<State>

    /// - Parameter isOfAddress: Whether the media is read over a network.
    init(isOfAddress: Bool = false) {
        var state = State()
        state.enough = isOfAddress ? Self.enoughDurationOfAddress : Self.enoughDuration
        self.state = Monitor(state)
    }

    // MARK: - The demuxer's side

    /// Reads as far ahead as from an address. Called when a file turns out to be a playlist.
    func readAhead() { state.update { $0.enough = Self.enoughDurationOfAddress } }

    /// Registers a stream that will be read. Of several audio streams, the last one for which `isSelected` is true
    /// plays.
    ///
    /// - Parameter isStill: Whether the video is only a cover.
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

    /// The index of the audio stream that plays; nil for none.
    var audioTrack: Int? { state.withLock { $0.selected?.track } }

    /// Whether `track` is an audio stream registered with `activate`. Only such a stream can be selected.
    func reads(_ track: Int) -> Bool { state.withLock { $0.audioQueues.contains { $0.track == track } } }

    /// Makes the demuxer apply the selection of tracks.
    func orderSelection() { state.update { $0.isSelectionOrdered = true } }

    /// Sleeps until there is work for the demuxer, and returns it.
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
            if let variant = state.takeVariantOrder() { return .variant(variant) }
            if state.hasEnded || state.rests || state.loss != nil { return nil }
            if state.isFull { state.dropLateVideo() }
            return state.isFull ? nil : .read
        }
        return order ?? .stop
    }

    /// Whether the demuxer should abort its current operation, such as a blocking network read.
    var isInterrupted: Bool { state.withLock { $0.isStopped || $0.seek != nil || $0.isVariantTooSlow } }

    /// Pushes a packet or end marker, unless `generation` is obsolete or the queue of a playing stream is full. An
    /// audio packet is added to its stream's queue. An audio end marker is added to the queues of all audio streams.
    func push(_ item: consuming Item, to stream: Stream, generation: Int) {
        // Wrapped in an optional, since a closure cannot consume a captured value.
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

    /// Marks the end of the media in each active queue. The demuxer then reads nothing until a seek.
    func pushEnd(generation: Int) {
        state.update { state in
            guard state.generation.number == generation else { return }
            state.hasEnded = true
            if state.isVideoActive, !state.video.items.isFull { state.video.push(.end(isLoop: false)) }
            state.pushAudio(.end(isLoop: false), track: nil)
        }
    }

    /// Records a lost connection. The demuxer then reads nothing until a seek or `retry`. Buffered packets are still
    /// played.
    func lose(_ reason: String, generation: Int) {
        state.update { state in
            if state.generation.number == generation { state.loss = reason }
        }
    }

    /// Sleeps for `duration`, or until the demuxer `isInterrupted`.
    func pause(for duration: Duration) {
        _ = state.wait(until: .now() + duration) { $0.isStopped || $0.seek != nil ? true : nil }
    }

    /// Whether the demuxer is waiting to reconnect to a server.
    var isReconnecting: Bool {
        get { state.withLock { $0.isReconnecting } }
        set { state.withLock { $0.isReconnecting = newValue } }
    }

    /// Sets whether the demuxer rests: it reads nothing because a scrub preview has enough packets. A seek makes the
    /// demuxer read again.
    func rest(_ rests: Bool, generation: Int) {
        state.update { state in
            if state.generation.number == generation { state.rests = rests }
        }
    }

    /// Corrects the start time of `generation` if the demuxer does not start as requested. Pass nil if it starts at an
    /// arbitrary packet.
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

    /// Sleeps until there is an item for the stream's decoder, and returns it.
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
                if let time = item.time {
                    state.decodedVideoTime = max(state.decodedVideoTime ?? .min, time)
                    if state.selected == nil { state.forget(before: time) }
                }
                return .item(item, generation)
            case .audio:
                guard !state.isAudioHeld, let queue = state.selected, let item = queue.pop() else { return nil }
                if let time = item.time {
                    state.forget(before: time)
                    state.decodedAudioTime = time
                }
                generation.number = state.audioGeneration
                // After a change of variant, packets of the old stream come first.
                state.decodedAudioTrack = item.track ?? state.decodedAudioTrack
                generation.track = state.decodedAudioTrack ?? queue.track
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

    /// Requests a seek. Replaces an earlier request that the demuxer has not taken yet. Drops all packets in the
    /// buffer.
    func seek(_ order: SeekOrder) {
        state.update { state in
            state.video.removeAll()
            (state.decodedVideoTime, state.decodedAudioTime, state.decodedAudioTrack) = (nil, nil, nil)
            state.awaitsKeyframe = false
            state.isVideoCut = false
            state.missingParts.removeAll()
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

    /// Selects the audio stream to play from the next seek or audio restart on; nil for none. Until that seek or
    /// restart, the audio decoder gets no packets. Returns false if there is no such stream.
    @discardableResult func selectAudio(track: Int?) -> Bool {
        state.update { state in
            let queue = state.audioQueues.first { $0.track == track }
            guard track == nil || queue != nil else { return false }
            state.selected = queue
            state.decodedAudioTrack = nil
            // The current generation's decoder belongs to another stream.
            state.isAudioHeld = true
            return true
        }
    }

    /// Withholds audio packets from the decoder until audio is restarted, or until a seek. Without this, the decoder
    /// would use up the buffered packets while the output rejects samples of the old generation.
    func holdAudio() { state.withLock { $0.isAudioHeld = true } }

    /// Begins a new generation for audio alone. It plays `track` from `time` on, starting with packets already
    /// buffered.
    ///
    /// - Parameter takesAnything: Whether to start with a later packet if `time` is not buffered.
    /// - Returns: Whether audio was restarted. If the packets needed are gone, there is no such track, or a seek is
    ///   pending, returns false and changes nothing.
    func restartAudio(track: Int, from time: MediaTime, generation: Int, takesAnything: Bool) -> Bool {
        state.update { state in
            guard state.seek == nil, let queue = state.audioQueues.first(where: { $0.track == track }),
                queue.rewind(to: time.nanoseconds, takesAnything: takesAnything)
            else { return false }
            state.selected = queue
            state.decodedAudioTrack = nil
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

    /// Whether a decoder has run out of packets before the end: the video decoder or, if no video is expected, the
    /// audio decoder.
    var isStarved: Bool {
        state.withLock { state in
            let isEmpty = state.awaitsVideo ? state.video.items.isEmpty : state.selected?.isEmpty ?? false
            return isEmpty && !state.hasEnded
        }
    }

    /// The reason why the connection is lost; nil if it is not.
    var loss: String? { state.withLock { $0.loss } }

    /// Makes the demuxer resume reading after the connection was lost. Does nothing if the connection is not lost.
    func retry() {
        state.update { state in
            guard state.loss != nil else { return }
            state.isRetryOrdered = true
            state.loss = nil
        }
    }

    /// Whether enough is buffered to resume after waiting for the network, or whether no more will be read for now.
    var isReadyToResume: Bool {
        state.withLock { $0.isFilled(to: min($0.enough, Self.resumingDuration)) || $0.hasEnded || $0.rests }
    }

    /// How much is buffered for the decoders.
    struct Fill: Hashable, Sendable {
        var packets: Int
        var bytes: Int
        /// The time up to which all playing streams are buffered; nil if one of them has no packet yet.
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

    /// Whether the demuxer need not read more for now: enough is buffered, the demuxer has reached the end, or a scrub
    /// preview has enough packets. A lost connection does not count.
    var isAtLimit: Bool { state.withLock { $0.isFull || $0.hasEnded || $0.rests } }
}
