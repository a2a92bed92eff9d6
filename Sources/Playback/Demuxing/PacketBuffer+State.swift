import Media
import Time

// What the packet buffer holds under its lock.

extension PacketBuffer {
    struct Queue: ~Copyable {
        var items = RingBuffer<Item>(capacity: countLimit)
        var bytes = 0
        var nanoseconds: Int64 = 0
        /// Where the last packet ends, in nanoseconds; nil before the first.
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

    /// Packets that do not say how long they last are judged by their number. The shortest that do (TrueHD's) last 0.8 ms.
    private static func isEnough(_ count: Int, _ nanoseconds: Int64, _ enough: Duration) -> Bool {
        count >= 8 && nanoseconds >= enough.nanoseconds
            || count >= 256 && (enough <= enoughDuration || nanoseconds < Int64(count) * 100_000)
    }

    package struct State: ~Copyable {
        package var video = Queue()
        var isVideoActive = false
        var isVideoStill = false
        /// Whether packets of the picture are to come as long as the media lasts. Beside sound a cover is one alone.
        var awaitsVideo: Bool { isVideoActive && !(isVideoStill && selected != nil) }
        /// One for each sound stream that is read.
        var shelves: [AudioPacketQueue] = []
        /// The one that plays; nil where no sound does.
        var selected: AudioPacketQueue?
        var generation = Generation(number: 0, start: nil)
        /// Of the sound: the same, or a newer one, that began in the midst of it.
        var audioGeneration = 0
        /// The sound's decoder gets nothing until it is said where it begins anew.
        var isAudioHeld = false
        package var seek: SeekOrder?
        var isStopped = false
        var isLooping = false
        /// The demuxer has met the end and pushes nothing more in this generation.
        var hasEnded = false
        /// What a glance needs has been read.
        var rests = false
        /// Other tracks are wanted.
        var isSelectionOrdered = false
        /// How far it is read ahead.
        var enough = enoughDuration
        /// Why the connection was given up; nil while there is one.
        var loss: String?
        var isRetryOrdered = false
        var isReconnecting = false
        /// The time of the last packet that the audio decoder took in this generation, in nanoseconds.
        var decodedAudioTime: Int64?
        /// Video packets before the next keyframe are dropped, since what they depend on was.
        var awaitsKeyframe = false
        /// How many video packets were dropped to keep audio playing.
        var droppedVideo = 0

        package var bytes: Int { video.bytes + (selected?.bytes ?? 0) }

        var isFull: Bool { isFilled(to: enough) }

        /// Whether each stream that plays has `duration` ahead, or there is no room for more.
        func isFilled(to duration: Duration) -> Bool {
            let audioIsEnough = selected.map { $0.hasEnded || isEnough($0.count, $0.nanoseconds, duration) } ?? true
            return bytes >= byteLimit || video.items.isFull || selected?.isFull == true
                || audioIsEnough && (!awaitsVideo || isEnough(video.items.count, video.nanoseconds, duration))
        }

        mutating func pushAudio(_ item: consuming Item, track: Int?) {
            var item: Item? = item
            for shelf in shelves where track == nil || shelf.track == track {
                // Of several, the mark of an end: it can be made anew.
                guard let one = track == nil ? Item.end(of: item) : item.take() else { return }
                if shelf === selected {
                    if !shelf.isFull { shelf.push(one) }
                } else {
                    shelf.push(one)
                    shelf.trim()
                }
            }
        }

        /// What nobody will ask for any more goes from the shelves that do not play.
        package func forget(before time: Int64) {
            for shelf in shelves where shelf !== selected {
                shelf.forget(before: time.subtractingClamped(AudioPacketQueue.history.nanoseconds))
            }
        }
    }
}

extension PacketBuffer.Item {
    /// When a packet is presented, in nanoseconds; nil for an end, and where unknown.
    package var time: Int64? {
        switch self {
        case .packet(let packet): packet.time
        case .end: nil
        }
    }

    /// The stream of a packet; nil for an end.
    package var track: Int? {
        switch self {
        case .packet(let packet): packet.track
        case .end: nil
        }
    }
}
