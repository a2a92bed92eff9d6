import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

// Seeks, and checks where a seek has landed.

extension Demuxer {
    package func seek(_ reading: inout Reading, _ order: PacketBuffer.SeekOrder) {
        reading.timeline.reset()
        reading.packetsThisRound = 0
        reading.failures = 0
        reading.landing = nil
        reading.packetsSinceJump = .max / 2
        reading.scrubPreview = .off
        reading.held.removeAll()
        if order.isScrubPreview { return seekForPreview(&reading, order) }
        pushStill(reading)
        // FFmpeg does not find keyframes by their times.
        let isUnordered = !reading.timeline.joins.isEmpty || !reading.hasOrderedIndex
        // Audio alone can start anywhere.
        if order.mode != .exact, reading.video != nil, !isUnordered {
            if let (stream, time) = keyframe(for: order, reading),
                av_seek_frame(reading.input.context, stream, time, AVSEEK_FLAG_BACKWARD) >= 0
            {
                return
            }
            let target = order.target.nanoseconds / 1000
            if order.mode == .fast, avformat_seek_file(reading.input.context, -1, .min, target, .max, 0) >= 0 { return }
        }
        packets.setStart(order.target, generation: order.generation)
        if order.target > reading.info.startTime, seekBefore(order.target, &reading) || seekNearEnd(order, &reading) {
            if reading.video != nil { reading.landing = (order.target, 0) }
        } else if !packets.isInterrupted, !goToStart(&reading) {
            // If the media cannot seek, reading continues from where it is.
            packets.setStart(nil, generation: order.generation)
        }
    }

    /// Seeks to a keyframe at or before `target`, as far as FFmpeg can find one. Returns whether the seek succeeded.
    func seekBefore(_ target: MediaTime, _ reading: inout Reading) -> Bool {
        if !reading.parts.isEmpty { return seekInParts(target, &reading) }
        return reading.timeline.joins.isEmpty ? seekFile(before: target, reading) : seekInPart(target, &reading)
    }

    /// Seeks by the container's own times.
    @discardableResult private func seekFile(before target: MediaTime, _ reading: borrowing Reading) -> Bool {
        let context = reading.input.context
        if !reading.hasOrderedIndex, let video = reading.video, let first = KeyframeIndex(video).beforeAll {
            return av_seek_frame(context, video.pointee.index, first, AVSEEK_FLAG_BACKWARD) >= 0
        }
        if let video = reading.video {
            let time = av_rescale_q_rnd(
                target.nanoseconds, glissade_time_base_nanoseconds(), video.pointee.time_base, AV_ROUND_DOWN)
            return avformat_seek_file(context, video.pointee.index, .min, time, time, 0) >= 0
        }
        let time = target.nanoseconds / 1000
        return avformat_seek_file(context, -1, .min, time, time, 0) >= 0
    }

    /// Seeks to the last packets before the header's end. Some containers refuse a target beyond it. Returns whether
    /// that was so, and the seek succeeded.
    private func seekNearEnd(_ order: PacketBuffer.SeekOrder, _ reading: inout Reading) -> Bool {
        guard !packets.isInterrupted, let duration = reading.info.duration else { return false }
        let end = reading.info.startTime + duration
        return order.target > end && seekBefore(end, &reading)
    }

    /// Seeks by byte to a place before `target` in a file whose clock restarts, so that the container's own times occur
    /// more than once. Returns whether the seek succeeded.
    func seekInPart(_ target: MediaTime, _ reading: inout Reading) -> Bool {
        let track = reading.video.map { Int($0.pointee.index) } ?? reading.playing
        let part = reading.timeline.joins.part(at: target.nanoseconds)
        let time = target.nanoseconds.subtractingClamped(part.offset)
        guard reading.input.seek(before: time, in: part, track: track) else { return false }
        reading.timeline.reset(base: part.offset)
        return true
    }

    /// Seeks to the first packet, and returns whether that succeeded.
    ///
    /// In broadcasts, seeks by byte, because a seek by time may land anywhere near the start. Otherwise, seeks by byte
    /// only if a seek by time fails, as in raw streams without timestamps. The HLS demuxer refuses times before that of
    /// the first packet, although a stream that comes later may start earlier.
    func goToStart(_ reading: inout Reading) -> Bool {
        if !reading.parts.isEmpty { return goToFirstPart(&reading) }
        let context = reading.input.context
        if !reading.hasOrderedIndex { return seekFile(before: reading.info.startTime, reading) }
        if reading.restarts, GlissadeMedia.seek(context, toByte: 0) { return true }
        let start = reading.info.startTime.nanoseconds / 1000
        if avformat_seek_file(context, -1, .min, start, start, 0) >= 0 { return true }
        return reading.first.map { avformat_seek_file(context, $0.stream, .min, $0.time, $0.time, 0) >= 0 } == true
            || GlissadeMedia.seek(context, toByte: 0)
    }

    /// Returns the keyframe to seek to for `order`, as a stream index and a timestamp in the stream's time base. Nil if
    /// there is no video, for broadcasts, or if the container's index has no suitable entry.
    func keyframe(for order: PacketBuffer.SeekOrder, _ reading: borrowing Reading) -> (CInt, Int64)? {
        // Broadcasts have no index; the entries that FFmpeg adds while reading are not limited to keyframes.
        guard let video = reading.video, !reading.restarts else { return nil }
        let base = video.pointee.time_base
        let index = KeyframeIndex(video)
        let target = KeyframeIndex.timestamp(order.target, base)
        // An index at the end of the file is loaded by the first seek past the part that was read.
        if index.entry(after: target) == nil { seekFile(before: order.target, reading) }
        var candidates = index.entries(around: target).map(\.timestamp)
        if case .step(let from) = order.mode {
            let isForward = order.target >= from
            let from = KeyframeIndex.timestamp(from, base)
            candidates.removeAll {
                isForward ? $0 <= from.addingClamped(index.delay) : $0 >= from.subtractingClamped(index.delay)
            }
        }
        guard let best = candidates.min(by: { $0.distance(from: target) < $1.distance(from: target) }) else {
            return nil
        }
        return (video.pointee.index, best)
    }
}

// MARK: - Landing

extension Demuxer {
    /// Handles a packet while an exact seek looks for the keyframe before its target. In a container without an index,
    /// FFmpeg guesses the position and may land between keyframes or after the target.
    ///
    /// Video before the first keyframe cannot be decoded and is dropped. Audio is held back until the seek is known to
    /// have landed before its target, or until there is no room left.
    func land(_ packet: consuming Packet, to kind: PacketBuffer.Stream, _ reading: inout Reading) {
        guard let target = reading.landing?.target else { return }
        if kind == .audio {
            let plays = packet.track == reading.playing
            if reading.held.hasRoom(for: packet, isPlaying: plays) { return reading.held.append(packet) }
            if !plays { return }
        }
        let unknown = glissade_nopts()
        let pointer = packet.pointer
        let time = pointer.pointee.pts != unknown ? pointer.pointee.pts : pointer.pointee.dts
        if kind == .video {
            let isBeyond = time != unknown && time > target.nanoseconds
            if isBeyond, seekEarlier(&reading) { return }
            if !isBeyond, pointer.pointee.flags & AV_PKT_FLAG_KEY == 0 { return }
        }
        settle(&reading)
        packets.push(.packet(packet), to: kind, generation: reading.generation)
    }

    /// Repeats an exact seek with an earlier position. The last attempt goes to the start of the media and accepts any
    /// packet. Returns false if even the last attempt fails.
    func seekEarlier(_ reading: inout Reading) -> Bool {
        guard let (target, attempts) = reading.landing else { return false }
        reading.held.removeAll()
        reading.timeline.reset()
        let earlier = target - .seconds(1 << attempts)
        if attempts < 5, earlier > reading.info.startTime, seekBefore(earlier, &reading) {
            reading.landing = (target, attempts + 1)
            return true
        }
        reading.landing = nil
        return goToStart(&reading)
    }

    /// Accepts the position at which the seek has landed, and passes on the audio that was held back.
    package func settle(_ reading: inout Reading) {
        reading.landing = nil
        while let packet = reading.held.popFirst() {
            packets.push(.packet(packet), to: .audio, generation: reading.generation)
        }
    }
}
