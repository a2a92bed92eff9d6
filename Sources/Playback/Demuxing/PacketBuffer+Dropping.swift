import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

/// Keeps audio playing while the video decoder takes no packets, for example because a display holds frames back. Video
/// packets would otherwise fill the buffer, and the demuxer could not read any more audio.
///
/// Audio has priority: if the audio decoder is running out of packets while video lags behind, the oldest video packets
/// are dropped. Decoding continues at the next keyframe.
extension PacketBuffer.State {
    /// How far video must lag behind the audio decoder to count as late. Normally, the lag is much smaller.
    static let lateness = Duration.seconds(1.5)
    /// The minimum duration of waiting audio. If less is waiting while the buffer is full, late video packets are
    /// dropped.
    static let leastAudio = Duration.milliseconds(250)

    /// Drops late video packets if the buffer is full and audio is running out.
    mutating func dropLateVideo() {
        guard isVideoActive, !isVideoStill, let selected, !selected.hasEnded,
            selected.nanoseconds < Self.leastAudio.nanoseconds, let decoded = decodedAudioTime,
            bytes >= PacketBuffer.byteLimit || video.items.isFull
        else { return }
        let limit = decoded.subtractingClamped(Self.lateness.nanoseconds)
        guard let first = video.items.peek({ $0.time }) ?? nil, first < limit else { return }
        // Drop one packet, then all packets up to the next keyframe, since they depend on dropped ones.
        repeat {
            guard video.items.peek({ $0.isPacket }) == true, let dropped = video.pop() else { return }
            _ = consume dropped
            droppedVideo += 1
            isVideoCut = true
        } while video.items.peek({ $0.isPacket && !$0.isKeyframe }) == true
        if video.items.isEmpty { awaitsKeyframe = true }
    }

    /// Returns whether to drop a video packet because its frame depends on a dropped frame. If so, counts the packet as
    /// dropped. From the next keyframe on, packets are accepted again.
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
    /// The number of video packets that were dropped because the decoder did not take them in time.
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
