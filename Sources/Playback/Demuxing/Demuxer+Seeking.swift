import CFFmpeg
import Media
import Time

// How the demuxer goes to another place, and finds out where it landed.

extension Demuxer {
    package func seek(_ reading: inout Reading, _ order: PacketBuffer.SeekOrder) {
        reading.timeline.reset()
        reading.packetsThisRound = 0
        reading.failures = 0
        reading.landing = nil
        reading.glance = .off
        reading.held.removeAll()
        if order.isGlance { return glance(&reading, order) }
        pushStill(reading)
        let hasMovingPicture = reading.video.map { !isStill($0) } ?? false
        // Sound alone can begin anywhere.
        if order.mode != .exact, hasMovingPicture {
            if let (stream, time) = keyframe(for: order, reading),
                av_seek_frame(reading.input.context, stream, time, AVSEEK_FLAG_BACKWARD) >= 0
            {
                return
            }
            let target = order.target.nanoseconds / 1000
            if order.mode == .fast, avformat_seek_file(reading.input.context, -1, .min, target, .max, 0) >= 0 { return }
        }
        packets.setStart(order.target, generation: order.generation)
        if order.target > reading.info.startTime, seekBefore(order.target, reading) {
            if hasMovingPicture { reading.landing = (order.target, 0) }
        } else if !packets.isInterrupted, !goToStart(reading) {
            // A media that cannot seek goes on from where it is.
            packets.setStart(nil, generation: order.generation)
        }
    }

    /// Goes to a place from which `target` can be decoded, as far as the container knows one.
    func seekBefore(_ target: MediaTime, _ reading: borrowing Reading) -> Bool {
        let context = reading.input.context
        if let video = reading.video, !isStill(video) {
            let time = av_rescale_q_rnd(
                target.nanoseconds, glissade_time_base_nanoseconds(), video.pointee.time_base, AV_ROUND_DOWN)
            return avformat_seek_file(context, video.pointee.index, .min, time, time, 0) >= 0
        }
        let time = target.nanoseconds / 1000
        return avformat_seek_file(context, -1, .min, time, time, 0) >= 0
    }

    /// Goes to the first packet. A container that seeks by guessing may land anywhere near it: there the first byte is
    /// sure. So it is for raw streams, which know no times.
    func goToStart(_ reading: borrowing Reading) -> Bool {
        let context = reading.input.context
        if reading.restarts, av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0 { return true }
        let start = reading.info.startTime.nanoseconds / 1000
        return avformat_seek_file(context, -1, .min, start, start, 0) >= 0
            || av_seek_frame(context, -1, 0, AVSEEK_FLAG_BYTE) >= 0
    }

    /// The keyframe that a fast seek is to land on, by the container's index; nil where it has none that serves.
    func keyframe(for order: PacketBuffer.SeekOrder, _ reading: borrowing Reading) -> (CInt, Int64)? {
        // Broadcasts have no index; what FFmpeg notes of them in passing are any packets, not keyframes alone.
        guard let video = reading.video, !reading.restarts else { return nil }
        let base = video.pointee.time_base
        let index = KeyframeIndex(video)
        let target = KeyframeIndex.timestamp(order.target, base)
        // An index at the file's end is read with the first seek beyond what was read so far.
        if index.entry(after: target) == nil { _ = seekBefore(order.target, reading) }
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
    /// Takes in a packet while an exact seek looks for the keyframe before its target: containers without an index seek
    /// by guessing, and may land between keyframes, or too late.
    ///
    /// Pictures before the first keyframe are left out, as no decoder makes anything of them; sound is held until it is
    /// clear that it belongs to this landing.
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

    /// Tries an exact seek again from further ahead, the last time from the start, where anything goes; false where that
    /// cannot be done.
    func seekEarlier(_ reading: inout Reading) -> Bool {
        guard let (target, attempts) = reading.landing else { return false }
        reading.held.removeAll()
        reading.timeline.reset()
        let earlier = target - .seconds(1 << attempts)
        if attempts < 5, earlier > reading.info.startTime, seekBefore(earlier, reading) {
            reading.landing = (target, attempts + 1)
            return true
        }
        reading.landing = nil
        return goToStart(reading)
    }

    /// The landing is good: the sound that was held may go.
    package func settle(_ reading: inout Reading) {
        reading.landing = nil
        while let packet = reading.held.popFirst() {
            packets.push(.packet(packet), to: .audio, generation: reading.generation)
        }
    }
}
