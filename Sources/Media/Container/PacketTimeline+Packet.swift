package import GlissadeCFFmpeg

extension PacketTimeline {
    /// Creates a timeline for the packets of an open container.
    package init(of input: borrowing MediaInput, _ info: MediaInfo) {
        self.init(
            start: info.startTime, restarts: input.restarts, isChained: input.mayBeChained)
        joins = input.joins
    }

    /// Puts the times of a packet, which are in its stream's time base, on the timeline.
    ///
    /// - Parameter tellsEnd: Whether the stream counts toward the media's end.
    package mutating func place(
        _ packet: borrowing Packet, of stream: UnsafeMutablePointer<AVStream>, tellsEnd: Bool
    ) {
        av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
        packet.times = place(
            packet.times, stream: packet.track, tellsEnd: tellsEnd,
            isDiscarded: packet.pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0,
            position: restarts ? packet.pointer.pointee.pos : -1)
    }
}

extension Packet {
    /// Whether bytes of the packet are missing without which it cannot be decoded: only PCM can be decoded in part.
    package func isIncomplete(of stream: UnsafeMutablePointer<AVStream>) -> Bool {
        pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
            && av_get_bits_per_sample(stream.pointee.codecpar.pointee.codec_id) == 0
    }
}
