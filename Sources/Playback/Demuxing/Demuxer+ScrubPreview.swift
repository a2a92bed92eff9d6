import CFFmpeg
import Media
import Time

// One picture near a place, as fast as it can be had.

extension Demuxer {
    /// Positions that differ by less are the same: containers round times.
    private static let glanceTolerance: UInt64 = 2_000_000

    /// Goes to the keyframe nearest to a glance's target; ends at once where the picture on show is as near.
    func glance(_ reading: inout Reading, _ order: PacketBuffer.SeekOrder) {
        guard let video = reading.video, !isStill(video) else { return packets.pushEnd(generation: order.generation) }
        reading.glance = .seeking
        if let (stream, time) = keyframe(for: order, reading) {
            if let shown = order.shown {
                let found = av_rescale_q(time, video.pointee.time_base, glissade_time_base_nanoseconds())
                let target = order.target.nanoseconds
                if shown.nanoseconds.distance(from: target)
                    <= found.distance(from: target).addingClamped(Self.glanceTolerance)
                {
                    return packets.pushEnd(generation: order.generation)
                }
            }
            if av_seek_frame(reading.input.context, stream, time, AVSEEK_FLAG_BACKWARD) >= 0 { return }
        }
        let target = order.target.nanoseconds / 1000
        if avformat_seek_file(reading.input.context, -1, .min, target, .max, 0) < 0, !packets.isInterrupted {
            packets.pushEnd(generation: order.generation)
        }
    }

    /// Takes in a packet while a glance is on: the keyframe, and what follows only where the decoder asks for more.
    func takeGlance(_ packet: consuming Packet, of kind: PacketBuffer.Stream, _ reading: inout Reading) {
        guard kind == .video else { return }
        if reading.glance == .seeking, packet.pointer.pointee.flags & AV_PKT_FLAG_KEY == 0 { return }
        reading.glance = .found
        // First: the decoder may say that it wants more as soon as it has the packet.
        packets.rest(true, generation: reading.generation)
        packets.push(.packet(packet), to: .video, generation: reading.generation)
    }
}
