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
///
/// Audio has priority: if the video decoder takes no packets and audio is running out, late video packets are dropped.
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

    /// What comes after the packets so far.
    enum End: Sendable {
        /// Nothing.
        case last
        /// Packets that start over, or skip to a later keyframe.
        case gap
        /// Another of joined files, with a stream of its own. Of audio alone.
        case part(AudioStream)

        var isLast: Bool { if case .last = self { true } else { false } }
    }

    enum Item: ~Copyable {
        case packet(Packet)
        /// The decoder has to be drained.
        case end(End)

        /// What to go on with at the beginning of another of joined files; otherwise nil.
        var part: AudioStream? {
            switch self {
            case .end(.part(let stream)): stream
            case .end: nil
            case .packet: nil
            }
        }

        static func end(of item: borrowing Item?) -> Item? {
            switch item {
            case .end(let end)?: .end(end)
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
        /// Change to the variant with this index in `MediaInfo.variants`. From the given time on, even if little is
        /// buffered.
        case variant(Int, by: HostTime)
        case stop
    }

    enum Delivery: ~Copyable {
        case item(Item, Generation)
        case stop
    }

    private let state: Monitor<State>

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
            case .video: state.picture = isStill ? .cover : .film
            case .audio:
                let queue = AudioPacketQueue(track: track)
                state.audioQueues.append(queue)
                for queue in state.audioQueues { queue.divideHistory(among: state.audioQueues.count) }
                if isSelected { state.feed = .flowing(queue) }
            }
        }
    }

    /// The index of the audio stream that plays; nil for none.
    var audioTrack: Int? { state.withLock { $0.selected?.track } }

    /// Whether `track` is an audio stream registered with `activate`. Only such a stream can be selected.
    func reads(_ track: Int) -> Bool { state.withLock { $0.audioQueues.contains { $0.track == track } } }

    /// Makes the demuxer apply the selection of tracks.
    func orderSelection() { state.update { $0.orders.add(.select) } }

    /// Sleeps until there is work for the demuxer, and returns it.
    func nextOrder() -> Order { state.wait { $0.takeOrder(now: .now()) } ?? .stop }

    /// Returns the work for the demuxer; nil if there is none at `now`.
    func takeOrder(now: HostTime) -> Order? { state.update { $0.takeOrder(now: now) } }

    /// Whether the demuxer should abort its current operation, such as a blocking network read.
    var isInterrupted: Bool { state.withLock { $0.orders.isInterrupted || $0.isVariantTooSlow(at: .now()) } }

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
            case .video: state.video.push(item)
            case .audio: state.pushAudio(item, track: track)
            }
        }
    }

    /// Marks the end of the media in each active queue. The demuxer then reads nothing until a seek.
    func pushEnd(generation: Int) {
        state.update { state in
            guard state.generation.number == generation else { return }
            state.orders.end()
            if state.picture != .none { state.video.push(.end(.last)) }
            state.pushAudio(.end(.last), track: nil)
        }
    }

    /// Records a lost connection. The demuxer then reads nothing until a seek or `retry`. Buffered packets are still
    /// played.
    func lose(_ reason: String, generation: Int) {
        state.update { state in
            if state.generation.number == generation { state.orders.lose(reason) }
        }
    }

    /// Sleeps for `duration`, or until the demuxer `isInterrupted`.
    func pause(for duration: Duration) {
        _ = state.wait(until: .now() + duration) { $0.orders.isInterrupted ? true : nil }
    }

    /// Whether the demuxer is waiting to reconnect to a server.
    var isReconnecting: Bool {
        get { state.withLock { $0.orders.reading == .reconnecting } }
        set { state.withLock { $0.orders.setReconnecting(newValue) } }
    }

    /// Sets whether the demuxer rests: it reads nothing because a scrub preview has enough packets. A seek makes the
    /// demuxer read again.
    func rest(_ rests: Bool, generation: Int) {
        state.update { state in
            if state.generation.number == generation { state.orders.rest(rests) }
        }
    }

    /// Corrects the start time of `generation` if the demuxer does not start as requested. Pass nil if it starts at an
    /// arbitrary packet.
    func setStart(_ start: MediaTime?, generation: Int) {
        state.withLock { state in
            if state.generation.number == generation { state.generation.start = start }
        }
    }

    /// Whether the file is being written while it plays.
    var isGrowing: Bool {
        get { state.withLock { $0.isGrowing } }
        set { state.withLock { $0.isGrowing = newValue } }
    }

    var isLooping: Bool {
        get { state.withLock { $0.isLooping } }
        set { state.withLock { $0.isLooping = newValue } }
    }

    // MARK: - The decoders' side

    /// Sleeps until there is an item for the stream's decoder, and returns it.
    func next(_ stream: Stream) -> Delivery { state.wait { $0.take(stream) } ?? .stop }

    /// Returns the next item for the stream's decoder; nil if none is waiting.
    func take(_ stream: Stream) -> Delivery? { state.update { $0.take(stream) } }

    func isCurrent(_ generation: Int, of stream: Stream = .video) -> Bool {
        state.withLock {
            !$0.orders.isStopped && generation == (stream == .video ? $0.generation.number : $0.audioGeneration)
        }
    }

    // MARK: - The player's side

    /// Requests a seek. Replaces an earlier request that the demuxer has not taken yet. Drops all packets in the
    /// buffer.
    func seek(_ order: SeekOrder) {
        state.update { state in
            state.video.removeAll()
            (state.decodedAudioTime, state.decodedAudioTrack) = (nil, nil)
            state.missingParts.removeAll()
            for queue in state.audioQueues { queue.removeAll() }
            state.audioGeneration = order.generation
            state.feed.release()
            state.orders.add(.seek(order))
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
            // The current generation's decoder belongs to another stream.
            state.feed = queue.map { .held($0) } ?? .off
            state.decodedAudioTrack = nil
            return true
        }
    }

    /// Withholds audio packets from the decoder until audio is restarted, or until a seek. Without this, the decoder
    /// would use up the buffered packets while the output rejects samples of the old generation.
    func holdAudio() { state.withLock { $0.feed.hold() } }

    /// Begins a new generation for audio alone. It plays `track` from `time` on, starting with packets already
    /// buffered.
    ///
    /// - Parameter takesAnything: Whether to start with a later packet if `time` is not buffered.
    /// - Returns: Whether audio was restarted. If the packets needed are gone or not enough, there is no such track, or a
    ///   seek is pending, returns false and changes nothing.
    func restartAudio(track: Int, from time: MediaTime, generation: Int, takesAnything: Bool) -> Bool {
        state.update { state in
            guard !state.orders.isInterrupted,
                let queue = state.audioQueues.first(where: { $0.track == track }),
                queue.rewind(to: time.nanoseconds, takesAnything: takesAnything)
            else { return false }
            state.feed = .flowing(queue)
            state.decodedAudioTrack = nil
            state.audioGeneration = generation
            return true
        }
    }

    /// Whether the current generation starts at an exact time.
    var startsExactly: Bool { state.withLock { $0.generation.start != nil } }

    func stop() {
        state.update { $0.orders.add(.stop) }
    }

    /// Whether a decoder has run out of packets before the end: the video decoder or, if no video is expected, the
    /// audio decoder.
    var isStarved: Bool {
        state.withLock { state in
            let isEmpty = state.awaitsVideo ? state.video.isEmpty : state.selected?.isEmpty ?? false
            return isEmpty && !state.orders.hasEnded
        }
    }

    /// The reason why the connection is lost; nil if it is not.
    var loss: String? { state.withLock { $0.orders.loss } }

    /// Makes the demuxer resume reading after the connection was lost. Does nothing if the connection is not lost.
    func retry() {
        state.update { state in
            if state.orders.loss != nil { state.orders.add(.retry) }
        }
    }

    /// Whether enough is buffered to resume after waiting for the network, or whether no more will be read for now.
    var isReadyToResume: Bool {
        state.withLock { $0.isFilled(to: min($0.enough, Self.resumingDuration)) || $0.orders.isDone }
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
                packets: state.video.count + (state.selected?.count ?? 0), bytes: state.bytes,
                end: end.flatMap { $0 == .min ? nil : MediaTime(nanoseconds: $0) })
        }
    }

    /// Whether the demuxer need not read more for now: enough is buffered, the demuxer has reached the end, or a scrub
    /// preview has enough packets. A lost connection does not count.
    var isAtLimit: Bool { state.withLock { $0.isFull || $0.orders.isDone } }

    /// The number of video packets that were dropped because the decoder did not take them in time.
    var droppedVideoCount: Int { state.withLock { $0.video.dropped } }

    // MARK: - Missing parts

    /// The maximum number of missing parts that are kept.
    private static let missingPartLimit = 16

    /// Notes that a part of a playlist is missing from `time` on, in nanoseconds, unless `generation` is obsolete.
    func noteMissingPart(from time: Int64, generation: Int) {
        state.withLock { state in
            let hasRoom = state.missingParts.count < Self.missingPartLimit
            guard state.generation.number == generation, hasRoom else { return }
            state.missingParts.append(time)
        }
    }

    /// Returns whether a part is missing that begins at `time` or before, and forgets such parts.
    func takeMissingParts(until time: MediaTime) -> Bool {
        state.withLock { state in
            let count = state.missingParts.count
            if count > 0 { state.missingParts.removeAll { $0 <= time.nanoseconds } }
            return state.missingParts.count < count
        }
    }

    // MARK: - Variants, the player's side

    /// Orders a change to the variant at the index `variant`. Replaces an earlier order.
    func orderVariant(_ variant: Int) {
        state.update { $0.orders.add(.variant(variant, by: .now() + Self.bufferingTimeout)) }
    }

    /// Takes the result of the last change of variant; nil if there is none.
    func takeVariantChange() -> VariantChange? { state.withLock { $0.variants.answer.take() } }

    /// The measured rate of the connection in bits per second; nil if unknown.
    var rate: Double? { state.withLock { $0.variants.rate } }

    /// The height of the screen in pixels; nil if unknown.
    var screenLines: Int? {
        get { state.withLock { $0.variants.screenLines } }
        set { state.withLock { $0.variants.screenLines = newValue } }
    }

    // MARK: - Variants, the demuxer's side

    /// Orders a change to the variant at the index `variant`, unless there is a later order.
    func orderVariantAgain(_ variant: Int) {
        state.withLock { state in
            guard !state.orders.hasVariant else { return }
            state.orders.add(.variant(variant, by: .now() + Self.bufferingTimeout))
        }
    }

    /// Makes the queue of the playing audio stream take the packets of `track` from the next seek on; nil for none.
    func useAudio(_ track: Int?) {
        if let track { state.withLock { $0.useAudio(track) } }
    }

    func noteRate(_ rate: Double) { state.withLock { $0.variants.rate = rate } }

    /// Begins a change of variant. Returns the earliest time at which the new variant may begin, in nanoseconds; nil if
    /// nothing has been decoded yet.
    ///
    /// - Parameter overlaps: Whether the current variant is being read as well.
    func beginVariantChange(overlaps: Bool) -> Int64? {
        state.withLock { state in
            state.variants.change = .inProgress(overlaps: overlaps, until: .now() + Self.changeTimeout)
            return state.earliestVariantTime
        }
    }

    /// Ends a change of variant, successful or not.
    func endVariantChange() { state.withLock { $0.variants.change = .none } }

    /// Makes the demuxer rest until the seek with which the new variant begins. Until then, there is no other change.
    func awaitVariantSeek(generation: Int) {
        state.update { state in
            guard state.generation.number == generation else { return }
            state.orders.rest(true)
            state.variants.change = .awaitsSeek
        }
    }

    /// Whether the change of variant in progress must be given up.
    var isVariantTooSlow: Bool { state.withLock { $0.isVariantTooSlow(at: .now()) } }

    /// Whether too little is buffered to read another variant meanwhile.
    var isRunningOut: Bool { state.withLock { $0.isRunningOut } }

    /// Whether a seek is pending, or the buffer has been stopped.
    var isSought: Bool { state.withLock { $0.orders.isInterrupted } }

    func noteVariant(_ answer: VariantChange) { state.withLock { $0.variants.answer = answer } }

    enum Join {
        case joined
        /// The decoders have reached that point meanwhile. The variant may begin from `earliest` on, in nanoseconds.
        case late(earliest: Int64)
        /// The packets of the old variant end earlier.
        case gap
    }

    /// Removes the packets of the old variant from where the new one begins.
    ///
    /// - Parameters:
    ///   - video: The time of the new variant's first video packet, in nanoseconds.
    ///   - audio: The time and the track of its first audio packet; nil if there is no audio.
    func join(video: Int64, audio: (time: Int64, track: Int)?, generation: Int) -> Join {
        state.update { state in
            guard !state.orders.isInterrupted, state.generation.number == generation else { return .gap }
            let isLate =
                state.video.decodedTime.map { $0 >= video } ?? true
                || audio.map { audio in state.decodedAudioTime.map { $0 >= audio.time } ?? false } ?? false
            if isLate, let earliest = state.earliestVariantTime { return .late(earliest: earliest) }
            guard let end = state.video.end, end.addingClamped(Self.tolerance) >= video else { return .gap }
            if let audio, let selected = state.selected {
                guard let end = selected.end, end.addingClamped(Self.tolerance) >= audio.time else {
                    return .gap
                }
                selected.cut(at: audio.time)
                state.useAudio(audio.track)
            }
            state.video.cut(at: video)
            state.orders.continueAfterEnd()
            return .joined
        }
    }

    // MARK: - Limits of a change of variant

    /// How far ahead to buffer before a change. A variant can only begin at a keyframe, which is rarely farther away.
    static let enoughForVariant = Duration.seconds(12)
    /// How long to wait for that much.
    private static let bufferingTimeout = Duration.seconds(2)
    /// How far ahead of the decoders a variant may begin.
    private static let variantMargin = Duration.milliseconds(500)
    /// How long a change may take.
    private static let changeTimeout = Duration.seconds(15)
    /// If less than this is buffered for the video decoder, a change in progress is given up.
    private static let leastVideo = Duration.milliseconds(1500)
    /// The largest distance between the end of the old variant and the beginning of the new one that does not count as
    /// a gap. Audio packets are about 20 ms long, and frames up to 42 ms.
    private static let tolerance: Int64 = 50_000_000

    // MARK: - Limits of dropping

    /// How far video must lag behind the audio decoder to count as late. Normally, the lag is much smaller.
    private static let lateness = Duration.seconds(1.5)
    /// The minimum duration of waiting audio. If less is waiting while the buffer is full, late video packets are
    /// dropped.
    private static let leastAudio = Duration.milliseconds(250)

    /// Returns whether `count` packets, which last `nanoseconds` in total, are enough. At least 8 packets are enough if
    /// they last at least `enough` in total. For a file, 256 packets are always enough. Over a network, 256 packets are
    /// enough if they have no usable duration.
    private static func isEnough(_ count: Int, _ nanoseconds: Int64, _ enough: Duration) -> Bool {
        count >= 8 && nanoseconds >= enough.nanoseconds
            || count >= 256 && (enough <= enoughDuration || nanoseconds < Int64(count) * 100_000)
    }

    // MARK: - The state behind the lock

    /// Which video is expected.
    private enum Picture { case none, cover, film }

    /// Which audio packets go to the decoder.
    private enum Feed {
        /// No audio stream plays.
        case off
        /// The packets of the stream that plays are held back until audio is restarted, or until a seek.
        case held(AudioPacketQueue)
        case flowing(AudioPacketQueue)

        /// The queue of the stream that plays; nil for none.
        var queue: AudioPacketQueue? {
            switch self {
            case .off: nil
            case .held(let queue), .flowing(let queue): queue
            }
        }

        mutating func hold() { if let queue { self = .held(queue) } }
        mutating func release() { if let queue { self = .flowing(queue) } }
    }

    /// What the buffer knows about variants.
    private struct Variants {
        enum Change {
            case none
            /// The demuxer reads another variant to find where it can begin. It must not take longer than until the
            /// given time. If `overlaps`, the current variant is read as well.
            case inProgress(overlaps: Bool, until: HostTime)
            /// The new variant begins with the next seek.
            case awaitsSeek
        }

        var change = Change.none
        /// The result of the last change; nil if the player has taken it.
        var answer: VariantChange?
        /// The measured rate of the connection, in bits per second; nil if unknown.
        var rate: Double?
        /// The height of the screen in pixels; nil if unknown.
        var screenLines: Int?

        var awaitsSeek: Bool { if case .awaitsSeek = change { true } else { false } }
    }

    private struct State: ~Copyable {
        var orders = DemuxerOrders()
        var generation = Generation(number: 0, start: nil)
        var isLooping = false
        var isGrowing = false
        /// How far to read ahead.
        var enough = enoughDuration

        var picture = Picture.none
        var video = VideoPacketQueue()
        /// Whether video packets are expected continuously. A cover shown with audio is a single packet.
        var awaitsVideo: Bool { picture == .film || picture == .cover && selected == nil }

        /// The queues of all audio streams that are being read.
        var audioQueues: [AudioPacketQueue] = []
        var feed = Feed.off
        /// The queue of the audio stream that plays; nil for none.
        var selected: AudioPacketQueue? { feed.queue }
        /// The number of the audio generation: that of `generation`, or a higher number if audio has been restarted
        /// since the last seek.
        var audioGeneration = 0
        /// The time of the last packet that the audio decoder took in this generation, in nanoseconds.
        var decodedAudioTime: Int64?
        /// The index of the stream of the last packet that the audio decoder took; nil before the first one of an audio
        /// generation.
        var decodedAudioTrack: Int?

        var variants = Variants()
        /// Where parts of a playlist are missing, in nanoseconds, in this generation. Playback has not reached them yet.
        var missingParts: [Int64] = []

        // MARK: Orders

        mutating func takeOrder(now: HostTime) -> Order? {
            let readiness = variantReadiness
            let order = orders.take { deadline in
                switch readiness {
                case .blocked: false
                case .buffering: now >= deadline
                case .ready: true
                }
            }
            if let order {
                if case .seek = order, variants.awaitsSeek { variants.change = .none }
                return order
            }
            guard orders.canRead else { return nil }
            if isFull { dropLateVideo() }
            return isFull ? nil : .read
        }

        private enum VariantReadiness { case blocked, buffering, ready }

        /// Whether the demuxer may change to another variant.
        private var variantReadiness: VariantReadiness {
            guard orders.hasVariant, video.decodedTime != nil, !generation.isScrubPreview, !variants.awaitsSeek,
                orders.canRead || orders.hasEnded
            else { return .blocked }
            // Too late for a change; the order waits for the next seek.
            if orders.hasEnded, let earliest = earliestVariantTime, let end = video.end, earliest >= end {
                return .blocked
            }
            return isFull || orders.hasEnded || isFilled(to: min(enoughForVariant, enough)) ? .ready : .buffering
        }

        /// Whether the change in progress must be given up, because the old variant is running out of packets.
        func isVariantTooSlow(at now: HostTime) -> Bool {
            guard case .inProgress(let overlaps, let limit) = variants.change else { return false }
            return now >= limit || !overlaps && isRunningOut
        }

        /// Whether too little is buffered to read another variant meanwhile.
        var isRunningOut: Bool {
            !orders.hasEnded && video.nanoseconds < leastVideo.nanoseconds && video.count < 100
        }

        /// The earliest time at which another variant may begin, in nanoseconds; nil if nothing has been decoded yet.
        var earliestVariantTime: Int64? {
            let decoded = [video.decodedTime, selected == nil ? nil : decodedAudioTime].compactMap { $0 }.max()
            return decoded?.addingClamped(variantMargin.nanoseconds)
        }

        /// Makes the queue that plays take the packets of `track` from now on.
        func useAudio(_ track: Int) {
            guard let selected, selected.track != track else { return }
            let other = audioQueues.first { $0.track == track }
            other?.removeAll()
            other?.track = selected.track
            selected.track = track
        }

        // MARK: Packets

        /// Returns the next item for the stream's decoder; nil if none is waiting.
        mutating func take(_ stream: Stream) -> Delivery? {
            if orders.isStopped { return .stop }
            var generation = generation
            switch stream {
            case .video:
                guard let item = video.take() else { return nil }
                if let time = item.time, selected == nil { forget(before: time) }
                return .item(item, generation)
            case .audio:
                guard case .flowing(let queue) = feed, let item = queue.pop() else { return nil }
                if let time = item.time {
                    forget(before: time)
                    decodedAudioTime = time
                }
                generation.number = audioGeneration
                // After a change of variant, packets of the old stream come first.
                decodedAudioTrack = item.track ?? decodedAudioTrack
                generation.track = decodedAudioTrack ?? queue.track
                return .item(item, generation)
            }
        }

        /// Keeps audio playing while the video decoder takes no packets, for example because a display holds frames
        /// back. Video packets would otherwise fill the buffer, and the demuxer could not read any more audio. If the
        /// buffer is full and audio is running out, late video packets are dropped.
        private mutating func dropLateVideo() {
            guard picture == .film, let selected, !selected.hasEnded,
                selected.nanoseconds < leastAudio.nanoseconds, let decoded = decodedAudioTime,
                bytes >= byteLimit || video.isFull
            else { return }
            video.dropFirst(before: decoded.subtractingClamped(lateness.nanoseconds))
        }

        var bytes: Int { video.bytes + (selected?.bytes ?? 0) }

        var isFull: Bool { isFilled(to: enough) }

        /// Whether each playing stream has `duration` buffered, or there is no room for more.
        func isFilled(to duration: Duration) -> Bool {
            let audioIsEnough = selected.map { $0.hasEnded || isEnough($0.count, $0.nanoseconds, duration) } ?? true
            return bytes >= byteLimit || video.isFull || selected?.isFull == true
                || audioIsEnough && (!awaitsVideo || isEnough(video.count, video.nanoseconds, duration))
        }

        mutating func pushAudio(_ item: consuming Item, track: Int?) {
            var item: Item? = item
            for queue in audioQueues where track == nil || queue.track == track {
                // An end marker has no track: every stream gets a copy.
                guard let one = track == nil ? Item.end(of: item) : item.take() else { return }
                if queue === selected {
                    if !queue.isFull { queue.push(one) }
                } else {
                    queue.push(one)
                    queue.trim()
                }
            }
        }

        /// Drops audio packets of streams that are not playing if they start more than `AudioPacketQueue.history`
        /// before `time`, in nanoseconds.
        func forget(before time: Int64) {
            for queue in audioQueues where queue !== selected {
                queue.forget(before: time.subtractingClamped(AudioPacketQueue.history.nanoseconds))
            }
        }
    }
}

/// The result of a change of variant, for the player.
struct VariantChange: Hashable, Sendable {
    enum Result {
        /// The new variant follows the old one without a gap.
        case joined
        /// The new variant will play from the next seek on. Nothing is read until then.
        case awaitsSeek
        /// The variant cannot be played. The old one goes on.
        case refused
        /// The variant did not arrive in time. The old one goes on.
        case tooSlow
    }

    /// The variant's index in `MediaInfo.variants`.
    var variant: Int
    var result: Result
}
