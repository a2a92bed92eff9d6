package import GlissadeCFFmpeg

extension PacketTimeline {
    /// Creates a timeline for the packets of an open container.
    package init(of input: borrowing MediaInput, _ info: MediaInfo) {
        self.init(
            start: info.startTime, restarts: input.restarts, isChained: input.mayBeChained,
            notesJoins: input.restarts || input.flacStart != nil)
        joins = input.joins
    }

    /// Puts the times of a packet, which are in its stream's time base, on the timeline.
    ///
    /// - Parameter tellsEnd: Whether the stream counts toward the media's end.
    package mutating func place(
        _ packet: borrowing Packet, of stream: UnsafeMutablePointer<AVStream>, tellsEnd: Bool
    ) {
        av_packet_rescale_ts(packet.pointer, stream.pointee.time_base, glissade_time_base_nanoseconds())
        var times = packet.times
        // Where FLAC files were joined, FFmpeg's reader does not know the times of some frames, nor their number.
        var follows = false
        if times.order == nil, stream.pointee.codecpar.pointee.codec_id == AV_CODEC_ID_FLAC {
            let (data, size) = (packet.pointer.pointee.data, max(0, Int(packet.pointer.pointee.size)))
            times.duration = FLACFrames.length(
                of: UnsafeRawBufferPointer(start: data, count: data == nil ? 0 : size),
                rate: Int(stream.pointee.codecpar.pointee.sample_rate))
            follows = true
        }
        packet.times = place(
            times, stream: packet.track, tellsEnd: tellsEnd,
            isDiscarded: packet.pointer.pointee.flags & AV_PKT_FLAG_DISCARD != 0,
            position: notesJoins ? packet.pointer.pointee.pos : -1, follows: follows)
    }
}

extension Packet {
    /// Whether bytes of the packet are missing without which it cannot be decoded: only PCM can be decoded in part.
    package func isIncomplete(of stream: UnsafeMutablePointer<AVStream>) -> Bool {
        pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
            && av_get_bits_per_sample(stream.pointee.codecpar.pointee.codec_id) == 0
    }
}
