import GlissadeCFFmpeg
public import GlissadeGeometry
public import GlissadePicture
import GlissadeTime

/// A keyframe found by `ThumbnailSource.findKeyframe`.
package struct FoundKeyframe {
    /// The keyframe's presentation time, in the stream's time base.
    var timestamp: Int64
    /// The keyframe's time in the container's index, in the stream's time base. Nil if the keyframe was found by
    /// reading packets.
    var entry: Int64?
}

extension ThumbnailSource {
    /// The duration of a seekable video. Nil for cover art, for an unknown duration, or for input that cannot seek.
    public var seekableDuration: Duration? {
        guard !isStill, info.isSeekable, let duration = info.duration, duration > .zero else { return nil }
        return duration
    }

    /// Finds the keyframe nearest to a position, and keeps it in `found`. Reads packets only if the container has no
    /// usable index.
    ///
    /// - Parameter place: The position relative to the media's start. It is clamped to the media's duration.
    /// - Returns: The keyframe's presentation time relative to the media's start. Nil if no keyframe was found, or if
    ///   `seekableDuration` is nil. An interruption ends the search early.
    public mutating func findKeyframe(near place: Duration) -> Duration? {
        found = nil
        guard let duration = seekableDuration else { return nil }
        let time = info.startTime + min(max(place, .zero), duration)
        let part = input.joins.part(at: time.nanoseconds)
        let target = KeyframeIndex.timestamp(time - .nanoseconds(part.offset), stream.pointee.time_base)
        // Broadcasts have no index. FFmpeg adds entries while it reads them, but not only for keyframes.
        let isBroadcast = input.context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0
        if !isBroadcast, let keyframe = indexedKeyframe(near: target) {
            found = keyframe
        } else if let timestamp = readKeyframe(near: target, in: part) {
            found = FoundKeyframe(timestamp: timestamp, entry: nil)
        }
        return found.map { found in
            let own = av_rescale_q(found.timestamp, stream.pointee.time_base, glissade_time_base_nanoseconds())
            return max(.zero, MediaTime(nanoseconds: own.addingClamped(part.offset)) - info.startTime)
        }
    }

    /// Decodes the keyframe that `findKeyframe` found, and returns it as an upright bitmap that fits `limit`. If the
    /// keyframe is damaged, tries the keyframes after it, then the one before it. Nil if `findKeyframe` found no
    /// keyframe, if none of these keyframes can be decoded, or if interrupted.
    public mutating func foundKeyframePicture(fitting limit: PixelSize) -> Bitmap? {
        guard let found else { return nil }
        avcodec_flush_buffers(decoder.pointer)
        if found.entry != nil {
            seek(before: found.timestamp)
        } else if decodeAlone(foundPacket.pointer) {
            return bitmap(fitting: limit)
        }
        if decodeKeyframe() { return bitmap(fitting: limit) }
        // Some containers list the end of the stream as a keyframe.
        seek(before: (found.entry ?? found.timestamp).subtractingClamped(1))
        avcodec_flush_buffers(decoder.pointer)
        return decodeKeyframe() ? bitmap(fitting: limit) : nil
    }

    @discardableResult private func seek(before timestamp: Int64) -> Bool {
        av_seek_frame(input.context, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    }

    /// Returns the keyframe nearest to `target` in the container's index; nil if the index lists no keyframe.
    private func indexedKeyframe(near target: Int64) -> FoundKeyframe? {
        let index = KeyframeIndex(stream)
        // FFmpeg loads an index at the end of the file only when a seek goes beyond the part already read.
        if index.entry(after: target) == nil { seek(before: target) }
        return index.entries(around: target)
            .min { $0.timestamp.distance(from: target) < $1.timestamp.distance(from: target) }
            .map { FoundKeyframe(timestamp: $0.timestamp, entry: $0.indexed) }
    }

    /// Finds the keyframe nearest to `target` without an index, and keeps its packet in `foundPacket`. Reads from a
    /// position before `target` up to the first keyframe at or after `target`. Returns the keyframe's timestamp, or nil
    /// if no keyframe is found.
    ///
    /// - Parameter part: The part of the file to stay in. The container's clock does not restart in it.
    private func readKeyframe(near target: Int64, in part: ClockJoins.Part) -> Int64? {
        guard let base = ratio(stream.pointee.time_base) else { return nil }
        let start = KeyframeIndex.timestamp(info.startTime, stream.pointee.time_base)
        var best: Int64?
        for ahead in [1.0, 4, 16] {
            let from = target.subtractingClamped(Int64(clamping: (ahead / base).rounded()))
            if !seek(toKeyframeBefore: from, start, in: part) { return best }
            for _ in 0..<Self.packetLimit {
                guard read() else { break }
                let pointer = packet.pointer
                if let end = part.end, pointer.pointee.pos >= end { break }
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
            // If `best` is nearer than `from`, all keyframes before `from` are farther away.
            let isNear = best.map { $0.distance(from: target) <= from.distance(from: target) } ?? false
            if from <= start || isNear { break }
        }
        return best
    }

    /// Seeks to a place before the time `from`, or to the start of the file if that is not after the time `start`. Returns
    /// whether the seek succeeded.
    private func seek(toKeyframeBefore from: Int64, _ start: Int64, in part: ClockJoins.Part) -> Bool {
        if !input.joins.isEmpty {
            let time = av_rescale_q(from, stream.pointee.time_base, glissade_time_base_nanoseconds())
            return input.seek(before: time, in: part, track: Int(stream.pointee.index))
        }
        if from > start { return seek(before: from) }
        seekToStart()
        return true
    }

    /// Seeks to the first byte, or to the start time if the input cannot seek by byte. Without an index, a seek by time
    /// may miss the start, because FFmpeg only estimates the position.
    private func seekToStart() {
        if !GlissadeMedia.seek(input.context, toByte: 0) {
            seek(before: KeyframeIndex.timestamp(info.startTime, stream.pointee.time_base))
        }
    }
}
