import Media
import Time

// The packet buffer's state, protected by its lock.

extension PacketBuffer {
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

        mutating func removeAll() {
            items.removeAll()
            bytes = 0
            nanoseconds = 0
            end = nil
        }
    }

    /// Whether a queue of `count` packets that last `nanoseconds` reaches the duration `enough`, with at least 8
    /// packets. For a file, 256 packets are always enough; over a network, only if they have no usable duration. The
    /// shortest packets with a duration (TrueHD) last 0.8 ms.
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
        /// The queue of the audio stream that plays; nil if there is no audio.
        var selected: AudioPacketQueue?
        var generation = Generation(number: 0, start: nil)
        /// The audio generation: the same as `generation`, or a newer one if audio was restarted within it.
        var audioGeneration = 0
        /// Whether audio packets are held back from the decoder until it is told where to restart.
        var isAudioHeld = false
        package var seek: SeekOrder?
        var isStopped = false
        var isLooping = false
        /// Whether the demuxer has reached the end and pushes nothing more in this generation.
        var hasEnded = false
        /// Whether the demuxer reads nothing, because a scrub preview has enough packets.
        var rests = false
        /// Whether the demuxer must apply another selection of tracks.
        var isSelectionOrdered = false
        /// How far to read ahead.
        var enough = enoughDuration
        /// The reason why the connection was given up; nil if it was not.
        var loss: String?
        var isRetryOrdered = false
        var isReconnecting = false
        /// The time of the last packet that the audio decoder took in this generation, in nanoseconds.
        var decodedAudioTime: Int64?
        /// Whether to drop video packets until the next keyframe, because frames that they depend on were dropped.
        var awaitsKeyframe = false
        /// Whether video packets were dropped since the decoder took its last one. The decoder must be drained before
        /// it gets the next keyframe. Otherwise, frames displayed before that keyframe would refer to dropped ones.
        var isVideoCut = false
        /// How many video packets were dropped to keep audio playing.
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

        /// Drops packets of streams that are not playing, if they precede `time`, in nanoseconds, by more than
        /// `AudioPacketQueue.history`.
        package func forget(before time: Int64) {
            for queue in audioQueues where queue !== selected {
                queue.forget(before: time.subtractingClamped(AudioPacketQueue.history.nanoseconds))
            }
        }
    }
}

extension PacketBuffer.Item {
    /// A packet's presentation time in nanoseconds; nil for an end marker, or if unknown.
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
