import GlissadeMedia
import GlissadePlatform
import GlissadeTime

// Changing to another variant of the stream while the packets of the old variant play.

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

/// What a packet buffer knows about variants.
struct VariantState {
    /// The variant that the player has ordered; nil if there is no order.
    var ordered: Int?
    /// When the demuxer carries out the order even if little is buffered.
    var deadline = HostTime(nanoseconds: 0)
    /// Whether the demuxer is reading another variant to find where it can begin.
    var isChanging = false
    /// Whether the current variant is being read as well.
    var overlaps = false
    /// When the change in progress has taken too long.
    var limit = HostTime(nanoseconds: 0)
    /// The result of the last change; nil if the player has taken it.
    var change: VariantChange?
    /// The measured rate of the connection, in bits per second; nil if unknown.
    var rate: Double?
    /// The height of the screen in pixels; nil if unknown.
    var screenLines: Int?

    /// How far ahead to buffer before a change. A variant can only begin at a keyframe, which is rarely farther away.
    static let enough = Duration.seconds(12)
    /// How long to wait for that much.
    static let bufferingTimeout = Duration.seconds(2)
    /// How far ahead of the decoders a variant may begin.
    static let margin = Duration.milliseconds(500)
    /// How long a change may take.
    static let timeout = Duration.seconds(15)
    /// If less than this is buffered for the video decoder, a change in progress is given up.
    static let leastVideo = Duration.milliseconds(1500)
    /// The largest distance between the end of the old variant and the beginning of the new one that does not count as
    /// a gap. Audio packets are about 20 ms long, and frames up to 42 ms.
    static let tolerance: Int64 = 50_000_000
}

extension PacketBuffer.State {
    /// Returns the variant to change to, and removes the order; nil if there is no order, or if the order must wait.
    mutating func takeVariantOrder() -> Int? {
        guard let ordered = variants.ordered, decodedVideoTime != nil, !generation.isScrubPreview, !rests, loss == nil
        else { return nil }
        // Too late for a change; the order waits for the next seek.
        if hasEnded, let earliest = earliestVariantTime, let end = video.end, earliest >= end { return nil }
        let isReady = isFull || hasEnded || isFilled(to: min(VariantState.enough, enough))
        guard isReady || HostTime.now() >= variants.deadline else { return nil }
        variants.ordered = nil
        return ordered
    }

    /// Whether the change in progress must be given up, because the old variant is running out of packets.
    var isVariantTooSlow: Bool {
        guard variants.isChanging else { return false }
        if HostTime.now() >= variants.limit { return true }
        return !variants.overlaps && isRunningOut
    }

    /// Whether too little is buffered to read another variant meanwhile.
    var isRunningOut: Bool {
        !hasEnded && video.nanoseconds < VariantState.leastVideo.nanoseconds && video.items.count < 100
    }

    /// Makes the queue that plays take the packets of `track` from now on.
    mutating func useAudio(_ track: Int) {
        guard let selected, selected.track != track else { return }
        let other = audioQueues.first { $0.track == track }
        other?.removeAll()
        other?.track = selected.track
        selected.track = track
    }

    /// The earliest time at which another variant may begin, in nanoseconds; nil if nothing has been decoded yet.
    var earliestVariantTime: Int64? {
        let decoded = [decodedVideoTime, selected == nil ? nil : decodedAudioTime].compactMap { $0 }.max()
        return decoded?.addingClamped(VariantState.margin.nanoseconds)
    }
}

extension PacketBuffer {
    // MARK: - The player's side

    /// Orders a change to the variant at the index `variant`. Replaces an earlier order.
    func orderVariant(_ variant: Int) {
        state.update { state in
            state.variants.ordered = variant
            state.variants.deadline = .now() + VariantState.bufferingTimeout
        }
    }

    /// Takes the result of the last change of variant; nil if there is none.
    func takeVariantChange() -> VariantChange? { state.withLock { $0.variants.change.take() } }

    /// The measured rate of the connection in bits per second; nil if unknown.
    var rate: Double? { state.withLock { $0.variants.rate } }

    /// The height of the screen in pixels; nil if unknown.
    var screenLines: Int? {
        get { state.withLock { $0.variants.screenLines } }
        set { state.withLock { $0.variants.screenLines = newValue } }
    }

    // MARK: - The demuxer's side

    /// Orders a change to the variant at the index `variant`, unless there is a later order.
    func orderVariantAgain(_ variant: Int) {
        state.withLock { state in
            guard state.variants.ordered == nil else { return }
            state.variants.ordered = variant
            state.variants.deadline = .now() + VariantState.bufferingTimeout
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
            state.variants.overlaps = overlaps
            state.variants.isChanging = true
            state.variants.limit = .now() + VariantState.timeout
            return state.earliestVariantTime
        }
    }

    /// Ends a change of variant, successful or not.
    func endVariantChange() { state.withLock { $0.variants.isChanging = false } }

    /// Whether the change of variant in progress must be given up.
    var isVariantTooSlow: Bool { state.withLock { $0.isVariantTooSlow } }

    /// Whether too little is buffered to read another variant meanwhile.
    var isRunningOut: Bool { state.withLock { $0.isRunningOut } }

    /// Whether a seek is pending, or the buffer has been stopped.
    var isSought: Bool { state.withLock { $0.isStopped || $0.seek != nil } }

    func noteVariant(_ change: VariantChange) { state.withLock { $0.variants.change = change } }

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
            guard state.seek == nil, state.generation.number == generation else { return .gap }
            let isLate =
                state.decodedVideoTime.map { $0 >= video } ?? true
                || audio.map { audio in state.decodedAudioTime.map { $0 >= audio.time } ?? false } ?? false
            if isLate, let earliest = state.earliestVariantTime { return .late(earliest: earliest) }
            guard let end = state.video.end, end.addingClamped(VariantState.tolerance) >= video else { return .gap }
            if let audio, let selected = state.selected {
                guard let end = selected.end, end.addingClamped(VariantState.tolerance) >= audio.time else {
                    return .gap
                }
                selected.cut(at: audio.time)
                state.useAudio(audio.track)
            }
            state.video.cut(at: video)
            state.hasEnded = false
            return .joined
        }
    }
}
