import Media
import Platform
import Time

/// The room between the demuxer and the decoders: a queue of packets for each, and the orders that pass between them.
///
/// Shared: the demuxer's thread pushes, a decoder's thread each pops, the player orders seeks from the main thread.
///
/// Bounded in bytes for what waits of the streams that play, and in time: once each of them has `enoughDuration` ahead, of an
/// address `enoughDurationOfAddress`, the demuxer rests. Where a file interleaves its streams badly, one queue may grow until
/// the bytes run out. Beside that each sound stream, also of those that do not play, keeps `AudioPacketQueue.mostHistoryBytes` at
/// most of what it has had lately.
///
/// Threads: the demuxer's thread blocks while full, a decoder's thread while its queue is empty; the main thread
/// never waits.
final class PacketBuffer: Sendable {
    /// What waits of picture and sound together; 64 MiB hold 5 s of a stream of 100 Mbit/s.
    static let byteLimit = MemoryBudget.waitingPackets
    /// What is read ahead of a file where the interleaving allows.
    static let enoughDuration = Duration.seconds(1)
    /// The same of an address: what a connection that stalls or is lost is bridged with.
    static let enoughDurationOfAddress = Duration.seconds(20)
    /// After a wait for the network, it goes on with so much.
    static let resumingDuration = Duration.seconds(2)
    /// A second of the most finely cut sound there is (2.5 ms Opus), with room.
    static let countLimit = 4096

    enum Stream { case video, audio }

    enum Item: ~Copyable {
        case packet(Packet)
        /// Nothing follows. With `isLoop`, the start follows: drain what is in the decoder and go on.
        case end(isLoop: Bool)

        static func end(of item: borrowing Item?) -> Item? {
            switch item {
            case .end(let isLoop)?: .end(isLoop: isLoop)
            default: nil
            }
        }
    }

    /// Where decoding begins, and which generation of packets belongs to it. A seek makes a new one; what is of an older
    /// one is thrown away wherever it is found.
    struct Generation: Sendable {
        var number: Int
        /// Show nothing from before this; nil after a fast seek, which begins at the keyframe that it finds.
        var start: MediaTime?
        /// One picture is wanted, and nothing after it.
        var isGlance = false
        /// The stream that the sound is of.
        var track = 0
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
        /// Other tracks are wanted, or subtitles by another receiver.
        case select
        /// What was lost is to be read on.
        case retry
        case stop
    }

    enum Delivery: ~Copyable {
        case item(Item, Generation)
        case stop
    }

    let state: Monitor<State>

    /// - Parameter isOfAddress: whether a network is what it is read from.
    init(isOfAddress: Bool = false) {
        var state = State()
        state.enough = isOfAddress ? Self.enoughDurationOfAddress : Self.enoughDuration
        self.state = Monitor(state)
    }

    // MARK: - The demuxer's side

    /// A stream is going to be read; of several sound streams the last one activated plays, but for `isSelected`.
    ///
    /// - Parameter isStill: of video: it is one picture, a cover.
    func activate(_ stream: Stream, track: Int = 0, isSelected: Bool = true, isStill: Bool = false) {
        state.withLock { state in
            switch stream {
            case .video: (state.isVideoActive, state.isVideoStill) = (true, isStill)
            case .audio:
                let shelf = AudioPacketQueue(track: track)
                state.shelves.append(shelf)
                for shelf in state.shelves { shelf.fraction(with: state.shelves.count) }
                if isSelected { state.selected = shelf }
            }
        }
    }

    /// The sound stream that plays.
    var audioTrack: Int? { state.withLock { $0.selected?.track } }

    /// Whether a sound stream is among those that can be chosen.
    func reads(_ track: Int) -> Bool { state.withLock { $0.shelves.contains { $0.track == track } } }

    /// The demuxer is to take up the chosen tracks.
    func orderSelection() { state.update { $0.isSelectionOrdered = true } }

    /// Sleeps until there is something for the demuxer to do.
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

    /// Whether the demuxer should break off what it is doing: a blocking read of a network stream, say.
    var isInterrupted: Bool { state.withLock { $0.isStopped || $0.seek != nil } }

    /// Pushes unless a seek has made `generation` obsolete. Sound goes to the shelf of its stream, an end of it to all.
    func push(_ item: consuming Item, to stream: Stream, generation: Int) {
        // The closure takes the item out of an optional: closures cannot consume what they capture.
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

    /// The end of the media: each active queue gets its mark, and the demuxer sleeps until a seek.
    func pushEnd(generation: Int) {
        state.update { state in
            guard state.generation.number == generation else { return }
            state.hasEnded = true
            if state.isVideoActive, !state.video.items.isFull { state.video.push(.end(isLoop: false)) }
            state.pushAudio(.end(isLoop: false), track: nil)
        }
    }

    /// The connection is lost: the demuxer sleeps until a seek or `retry`. What was read before is played.
    func lose(_ reason: String, generation: Int) {
        state.update { state in
            if state.generation.number == generation { state.loss = reason }
        }
    }

    /// Whether the demuxer waits for a server that was lost.
    var isReconnecting: Bool {
        get { state.withLock { $0.isReconnecting } }
        set { state.withLock { $0.isReconnecting = newValue } }
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
            var generation = state.generation
            switch stream {
            case .video:
                guard let item = state.video.pop() else { return nil }
                if state.selected == nil, let time = item.time { state.forget(before: time) }
                return .item(item, generation)
            case .audio:
                guard !state.isAudioHeld, let shelf = state.selected, let item = shelf.pop() else { return nil }
                if let time = item.time {
                    state.forget(before: time)
                    state.decodedAudioTime = time
                }
                generation.number = state.audioGeneration
                generation.track = shelf.track
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

    /// Orders a seek; one that the demuxer has not begun yet is superseded.
    func seek(_ order: SeekOrder) {
        state.update { state in
            state.video.removeAll()
            state.decodedAudioTime = nil
            state.awaitsKeyframe = false
            for shelf in state.shelves { shelf.removeAll() }
            state.audioGeneration = order.generation
            state.isAudioHeld = false
            state.seek = order
            state.loss = nil
            state.generation = Generation(
                number: order.generation, start: order.mode == .exact ? order.target : nil, isGlance: order.isGlance)
        }
    }

    /// Chooses the sound stream that plays, or none, from the next seek or restart on: until then its decoder gets no
    /// packets. False where it is not among those read.
    @discardableResult func selectAudio(track: Int?) -> Bool {
        state.update { state in
            let shelf = state.shelves.first { $0.track == track }
            guard track == nil || shelf != nil else { return false }
            state.selected = shelf
            // In this generation the decoder is another stream's.
            state.isAudioHeld = true
            return true
        }
    }

    /// The sound's decoder gets no packets until sound is restarted or sought: while the output takes none of the
    /// old ones any more, it would run through all that there is.
    func holdAudio() { state.withLock { $0.isAudioHeld = true } }

    /// Begins a new generation of sound alone, from what is on the stream's shelf, at what belongs to `time`.
    ///
    /// - Parameter takesAnything: whether to begin with what there is, where that belongs to a later time.
    /// - Returns: false, and nothing is done, where it is not there: then it takes a seek.
    func restartAudio(track: Int, from time: MediaTime, generation: Int, takesAnything: Bool) -> Bool {
        state.update { state in
            guard state.seek == nil, let shelf = state.shelves.first(where: { $0.track == track }),
                shelf.rewind(to: time.nanoseconds, takesAnything: takesAnything)
            else { return false }
            state.selected = shelf
            state.audioGeneration = generation
            state.isAudioHeld = false
            return true
        }
    }

    /// Whether the present generation begins at an exact place.
    var startsExactly: Bool { state.withLock { $0.generation.start != nil } }

    func stop() {
        state.update { $0.isStopped = true }
    }

    /// The decoder of the picture, or of sound without one, starves although the media goes on.
    var isStarved: Bool {
        state.withLock { state in
            let isEmpty = state.awaitsVideo ? state.video.items.isEmpty : state.selected?.isEmpty ?? false
            return isEmpty && !state.hasEnded
        }
    }

    /// Why nothing more is read, where the connection is lost; nil where it is not.
    var loss: String? { state.withLock { $0.loss } }

    /// Reads on after a loss, which is none from now on.
    func retry() {
        state.update { state in
            guard state.loss != nil else { return }
            state.isRetryOrdered = true
            state.loss = nil
        }
    }

    /// Enough has been read to go on with after a wait.
    var isReadyToResume: Bool {
        state.withLock { $0.isFilled(to: min($0.enough, Self.resumingDuration)) || $0.hasEnded || $0.rests }
    }

    /// What waits for the decoders.
    struct Fill: Hashable, Sendable {
        var packets: Int
        var bytes: Int
        /// Up to where every stream that plays has been read; nil before there is anything.
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

    /// Nothing more can be read in before something is taken out.
    var isAtLimit: Bool { state.withLock { $0.isFull || $0.hasEnded || $0.rests } }
}
