import GlissadeMedia
import GlissadeTime

// The packet buffer's state, protected by its lock.

extension PacketBuffer {
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

    struct Queue: ~Copyable {
        var items = RingBuffer<Item>(capacity: countLimit)
        var bytes = 0
        var nanoseconds: Int64 = 0
        /// The latest end of a packet in this generation, in nanoseconds; nil before the first packet.
        var end: Int64?

        mutating func push(_ item: consuming Item) {
            switch consume item {
            case .packet(let packet):
                bytes += packet.byteCount
                nanoseconds += packet.duration
                if let time = packet.time { end = max(end ?? .min, time.addingClamped(packet.duration)) }
                items.append(.packet(packet))
            case .end(let isLoop): items.append(.end(isLoop: isLoop))
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

        /// Removes all packets after the last one that starts before `time`, in nanoseconds, and an end marker.
        mutating func cut(at time: Int64) {
            while items.peek(at: items.count - 1, { $0.time.map { $0 >= time } ?? true }) == true {
                guard case .packet(let packet)? = items.popLast() else { continue }
                bytes -= packet.byteCount
                nanoseconds -= packet.duration
            }
            end = end.map { min($0, time) }
        }

        mutating func removeAll() {
            items.removeAll()
            bytes = 0
            nanoseconds = 0
            end = nil
        }
    }

    /// Returns whether `count` packets, which last `nanoseconds` in total, are enough. At least 8 packets are enough if
    /// they last at least `enough` in total. For a file, 256 packets are always enough. Over a network, 256 packets are
    /// enough if they have no usable duration.
    private static func isEnough(_ count: Int, _ nanoseconds: Int64, _ enough: Duration) -> Bool {
        count >= 8 && nanoseconds >= enough.nanoseconds
            || count >= 256 && (enough <= enoughDuration || nanoseconds < Int64(count) * 100_000)
    }

    package struct State: ~Copyable {
        package var video = Queue()
        var isVideoActive = false
        var isVideoStill = false
        /// Whether video packets are expected continuously. A cover shown with audio is a single packet.
        var awaitsVideo: Bool { isVideoActive && !(isVideoStill && selected != nil) }
        /// The queues of all audio streams that are being read.
        var audioQueues: [AudioPacketQueue] = []
        /// The queue of the audio stream that plays; nil for none.
        var selected: AudioPacketQueue?
        var generation = Generation(number: 0, start: nil)
        /// The number of the audio generation: that of `generation`, or a higher number if audio has been restarted
        /// since the last seek.
        var audioGeneration = 0
        /// Whether audio packets are held back from the decoder until audio is restarted, or until a seek.
        var isAudioHeld = false
        package var seek: SeekOrder?
        var isStopped = false
        var isLooping = false
        /// Whether the demuxer has reached the end, and will push nothing more in this generation.
        var hasEnded = false
        /// Whether the demuxer reads nothing because a scrub preview has enough packets.
        var rests = false
        /// Whether the demuxer must apply another selection of tracks.
        var isSelectionOrdered = false
        /// How far to read ahead.
        var enough = enoughDuration
        /// The reason why the connection is lost; nil if it is not.
        var loss: String?
        var isRetryOrdered = false
        var isReconnecting = false
        /// The time of the last packet that the audio decoder took in this generation, in nanoseconds.
        var decodedAudioTime: Int64?
        /// Whether to drop video packets until the next keyframe, because frames that they depend on were dropped.
        var awaitsKeyframe = false
        /// The latest time of a packet that the video decoder took in this generation, in nanoseconds.
        var decodedVideoTime: Int64?
        /// The index of the stream of the last packet that the audio decoder took; nil before the first one of an audio
        /// generation.
        var decodedAudioTrack: Int?
        var variants = VariantState()
        /// Whether video packets were dropped since the decoder took its last packet. In that case, the decoder must be
        /// drained before it gets the next keyframe.
        var isVideoCut = false
        /// Where parts of a playlist are missing, in nanoseconds, in this generation. Playback has not reached them yet.
        var missingParts: [Int64] = []
        /// The number of video packets that were dropped to keep audio playing.
        var droppedVideo = 0

        package var bytes: Int { video.bytes + (selected?.bytes ?? 0) }

        var isFull: Bool { isFilled(to: enough) }

        /// Whether each playing stream has `duration` buffered, or there is no room for more.
        func isFilled(to duration: Duration) -> Bool {
            let audioIsEnough = selected.map { $0.hasEnded || isEnough($0.count, $0.nanoseconds, duration) } ?? true
            return bytes >= byteLimit || video.items.isFull || selected?.isFull == true
                || audioIsEnough && (!awaitsVideo || isEnough(video.items.count, video.nanoseconds, duration))
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
        package func forget(before time: Int64) {
            for queue in audioQueues where queue !== selected {
                queue.forget(before: time.subtractingClamped(AudioPacketQueue.history.nanoseconds))
            }
        }
    }
}

extension PacketBuffer.Item {
    /// The packet's time in nanoseconds (see `Packet.time`); nil if it is unknown, and for an end marker.
    package var time: Int64? {
        switch self {
        case .packet(let packet): packet.time
        case .end: nil
        }
    }

    /// The index of a packet's stream; nil for an end marker.
    package var track: Int? {
        switch self {
        case .packet(let packet): packet.track
        case .end: nil
        }
    }
}
