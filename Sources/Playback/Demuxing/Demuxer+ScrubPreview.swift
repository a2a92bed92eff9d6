import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

// Decoding one frame near a position, as fast as possible.

extension Demuxer {
    /// The largest difference, in nanoseconds, at which two distances to the target count as equal. Containers round
    /// timestamps.
    private static let previewTolerance: UInt64 = 2_000_000

    /// Seeks to the keyframe nearest to a scrub preview's target. Ends the generation at once if the frame on screen is
    /// at least as near, if there is no moving video, or if seeking fails.
    func seekForPreview(_ reading: inout Reading, _ order: PacketBuffer.SeekOrder) {
        guard let video = reading.video else { return packets.pushEnd(generation: order.generation) }
        reading.scrubPreview = .seeking
        if let (stream, time) = keyframe(for: order, reading) {
            if let shown = order.shown {
                let found = av_rescale_q(time, video.pointee.time_base, glissade_time_base_nanoseconds())
                let target = order.target.nanoseconds
                if shown.nanoseconds.distance(from: target)
                    <= found.distance(from: target).addingClamped(Self.previewTolerance)
                {
                    return packets.pushEnd(generation: order.generation)
                }
            }
            if av_seek_frame(reading.input.context, stream, time, AVSEEK_FLAG_BACKWARD) >= 0 { return }
        }
        if !reading.timeline.joins.isEmpty {
            if !seekInPart(order.target, &reading), !packets.isInterrupted {
                packets.pushEnd(generation: order.generation)
            }
            return
        }
        let target = order.target.nanoseconds / 1000
        if avformat_seek_file(reading.input.context, -1, .min, target, .max, 0) < 0, !packets.isInterrupted {
            packets.pushEnd(generation: order.generation)
        }
    }

    /// Handles a packet during a scrub preview. Passes on the first video keyframe after the seek, and further video
    /// packets only if the decoder asks for more. Drops audio.
    func takeScrubPreview(_ packet: consuming Packet, of kind: PacketBuffer.Stream, _ reading: inout Reading) {
        guard kind == .video else { return }
        if reading.scrubPreview == .seeking, packet.pointer.pointee.flags & AV_PKT_FLAG_KEY == 0 { return }
        reading.scrubPreview = .found
        // Rest before pushing, since the decoder may ask for more as soon as it has the packet.
        packets.rest(true, generation: reading.generation)
        packets.push(.packet(packet), to: .video, generation: reading.generation)
    }
}
