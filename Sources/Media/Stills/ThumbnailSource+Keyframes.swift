import CFFmpeg
public import Geometry
public import Picture
import Time

/// Where `ThumbnailSource.findKeyframe` has come to.
package struct FoundKeyframe {
    /// When it is to be seen; in the stream's time base.
    var timestamp: Int64
    /// Its time in the container's index, likewise; nil where it was read, for want of an index.
    var entry: Int64?
}

extension ThumbnailSource {
    /// The media's length, where it is a film in which places can be met; nil where it is a cover, does not know its length,
    /// or cannot seek.
    public var seekableDuration: Duration? {
        guard !isStill, info.isSeekable, let duration = info.duration, duration > .zero else { return nil }
        return duration
    }

    /// Looks for the keyframe nearest to a place. Where the container has an index, nothing is read for it.
    ///
    /// - Parameter place: from the media's beginning; beyond its ends, the nearest within.
    /// - Returns: when the keyframe is to be seen, from the media's beginning; the same for all places near it. Nil where
    ///   there is none, or the search was interrupted.
    public mutating func findKeyframe(near place: Duration) -> Duration? {
        found = nil
        guard let duration = seekableDuration else { return nil }
        let target = KeyframeIndex.timestamp(
            info.startTime + min(max(place, .zero), duration), stream.pointee.time_base)
        // Broadcasts have no index; what FFmpeg notes of them in passing are any packets, not keyframes alone.
        let isBroadcast = input.context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
        if !isBroadcast, let keyframe = indexedKeyframe(near: target) {
            found = keyframe
        } else if let timestamp = readKeyframe(near: target) {
            found = FoundKeyframe(timestamp: timestamp, entry: nil)
        }
        return found.map { found in
            let time = av_rescale_q(found.timestamp, stream.pointee.time_base, glissade_time_base_nanoseconds())
            return max(.zero, MediaTime(nanoseconds: time) - info.startTime)
        }
    }

    /// The picture of the keyframe that was found; where it is damaged, of the next that can be decoded, or, where none
    /// follows, of one before it. Nil where nothing was found or can be decoded, or that was interrupted.
    public mutating func foundKeyframePicture(fitting limit: PixelSize) -> Bitmap? {
        guard let found else { return nil }
        avcodec_flush_buffers(decoder.pointer)
        if found.entry != nil {
            seek(before: found.timestamp)
        } else if decodeAlone(foundPacket.pointer) {
            return bitmap(fitting: limit)
        }
        if decodeKeyframe() { return bitmap(fitting: limit) }
        // Some containers count their end as one more keyframe.
        seek(before: (found.entry ?? found.timestamp).subtractingClamped(1))
        avcodec_flush_buffers(decoder.pointer)
        return decodeKeyframe() ? bitmap(fitting: limit) : nil
    }

    @discardableResult private func seek(before timestamp: Int64) -> Bool {
        av_seek_frame(input.context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// The keyframe nearest to `target` by the container's index; nil where it has none.
    private func indexedKeyframe(near target: Int64) -> FoundKeyframe? {
        let index = KeyframeIndex(stream)
        // An index at the file's end is read with the first seek beyond what was read so far.
        if index.entry(after: target) == nil { seek(before: target) }
        return index.entries(around: target)
            .min { $0.timestamp.distance(from: target) < $1.timestamp.distance(from: target) }
            .map { FoundKeyframe(timestamp: $0.timestamp, entry: $0.indexed) }
    }

    /// The keyframe nearest to `target`, where no index tells: reads from ahead of it up to the first one behind it, and
    /// keeps the nearest one's packet.
    private func readKeyframe(near target: Int64) -> Int64? {
        guard let base = ratio(stream.pointee.time_base) else { return nil }
        let start = KeyframeIndex.timestamp(info.startTime, stream.pointee.time_base)
        var best: Int64?
        for ahead in [1.0, 4, 16] {
            let from = target.subtractingClamped(Int64(clamping: (ahead / base).rounded()))
            if from <= start { seekToStart() } else if !seek(before: from) { return best }
            for _ in 0..<Self.packetLimit {
                guard read() else { break }
                let pointer = packet.pointer
                let unknown = glissade_nopts()
                let time = pointer.pointee.pts != unknown ? pointer.pointee.pts : pointer.pointee.dts
                guard pointer.pointee.flags & AV_PKT_FLAG_KEY != 0,
                    KeyframeIndex.isSane(time, stream.pointee.time_base)
                else { continue }
                if best.map({ time.distance(from: target) < $0.distance(from: target) }) ?? true {
                    best = time
                    av_packet_unref(foundPacket.pointer)
                    av_packet_move_ref(foundPacket.pointer, pointer)
                }
                if time >= target { break }
            }
            // One that lies before all that was read is further away than this.
            let isNear = best.map { $0.distance(from: target) <= from.distance(from: target) } ?? false
            if from <= start || isNear { break }
        }
        return best
    }

    /// A container that seeks by guessing may land anywhere near its start: there the first byte is sure.
    private func seekToStart() {
        if av_seek_frame(input.context, -1, 0, AVSEEK_FLAG_BYTE) < 0 {
            seek(before: KeyframeIndex.timestamp(info.startTime, stream.pointee.time_base))
        }
    }
}
