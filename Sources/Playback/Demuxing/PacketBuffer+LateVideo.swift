import CFFmpeg
import Media
import Time

/// Keeps audio playing while no video is taken: if a display holds frames back, video packets would fill the buffer,
/// and the demuxer could read no more audio.
///
/// Audio has priority: as soon as its decoder runs out of packets while video lags behind, the oldest video packets are
/// dropped, up to a keyframe, from which the decoder can continue.
extension PacketBuffer.State {
    /// Video that lags this far behind the audio decoder is late. Well-interleaved files differ by much less, and in
    /// badly interleaved ones, video is ahead.
    static let lateness = Duration.seconds(1.5)
    /// With less audio than this buffered, the buffer's limit must not stop the demuxer.
    static let leastAudio = Duration.milliseconds(250)

    /// Drops late video packets if audio needs the demuxer to read on.
    mutating func dropLateVideo() {
        guard isVideoActive, !isVideoStill, let selected, !selected.hasEnded,
            selected.nanoseconds < Self.leastAudio.nanoseconds, let decoded = decodedAudioTime,
            bytes >= PacketBuffer.byteLimit || video.items.isFull
        else { return }
        let limit = decoded.subtractingClamped(Self.lateness.nanoseconds)
        guard let first = video.items.peek({ $0.time }) ?? nil, first < limit else { return }
        // At least one, then all that depend on a dropped keyframe.
        repeat {
            guard video.items.peek({ $0.isPacket }) == true, let dropped = video.pop() else { return }
            _ = consume dropped
            droppedVideo += 1
            isVideoCut = true
        } while video.items.peek({ $0.isPacket && !$0.isKeyframe }) == true
        if video.items.isEmpty { awaitsKeyframe = true }
    }

    /// Whether a video packet is useless, because the keyframe that it depends on was dropped.
    mutating func refusesVideo(_ item: borrowing PacketBuffer.Item) -> Bool {
        guard awaitsKeyframe, item.isPacket else { return false }
        if item.isKeyframe {
            awaitsKeyframe = false
            return false
        }
        droppedVideo += 1
        return true
    }
}

extension PacketBuffer {
    /// How many video packets were dropped because they were not taken in time.
    var droppedVideoCount: Int { state.withLock { $0.droppedVideo } }
}

extension PacketBuffer.Item {
    var isPacket: Bool {
        switch self {
        case .packet: true
        case .end: false
        }
    }

    var isKeyframe: Bool {
        switch self {
        case .packet(let packet): packet.pointer.pointee.flags & AV_PKT_FLAG_KEY != 0
        case .end: false
        }
    }
}
