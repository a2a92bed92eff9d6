package import GlissadeCFFmpeg
import GlissadeTime

/// Finds out the length of a file from the packets that are read of it, while it plays or ahead of that: the length in a
/// header may be wrong, and that of files that were joined is often the length of one of them.
package struct LengthMeter {
    /// The smallest error of a header that counts. Frames and packets end a little later or earlier than it says.
    package static let tolerance = Duration.milliseconds(500)

    /// The longest plausible pause between two packets, in nanoseconds.
    private static let longestPause: Int64 = 60_000_000_000

    /// How far into the media packets are expected by now, in nanoseconds from its start.
    private var reach: Int64 = 0
    /// How far the media has been read, in nanoseconds from its start.
    private var farthest: Int64 = 0

    package init() {}

    /// Notes that reading continues at `place`, in nanoseconds from the media's start.
    package mutating func expect(_ place: Int64) { reach = max(reach, place) }

    /// Notes that the playing streams have been read to `length`, in nanoseconds from the media's start. Returns false,
    /// and ignores it, if it is implausible: a single wrong time far away is no length.
    package mutating func note(_ length: Int64) -> Bool {
        guard length <= reach.addingClamped(Self.longestPause) else { return false }
        reach = max(reach, length)
        farthest = max(farthest, length)
        return true
    }

    /// The length of a file that was read to its end, in nanoseconds.
    ///
    /// - Parameter last: `PacketTimeline.roundLength` at the end.
    package func whole(_ last: Int64) -> Int64 { max(min(last, reach), farthest) }

    /// Whether `length` differs from a header's `duration` by more than `tolerance`.
    package static func corrects(_ duration: Duration, to length: Duration) -> Bool {
        (length > duration ? length - duration : duration - length) > tolerance
    }
}

extension PacketTimeline {
    /// Creates a timeline for the packets of an open container.
    package init(of input: borrowing MediaInput, _ info: MediaInfo) {
        self.init(
            start: info.startTime, restarts: input.restarts, isChained: ["flac", "ogg"].contains(info.container))
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
            position: restarts ? packet.pointer.pointee.pos : -1, follows: follows)
    }
}

extension MediaInput {
    /// Whether the container's timestamps may jump anywhere, as in a broadcast.
    package var restarts: Bool { context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 }

    /// The largest file to read for its length, in bytes, without moving pictures and with them.
    private static let (longestSound, longestFilm) = (256 << 20, 64 << 20)
    /// How long to read a file for its length.
    private static let longestMeasuring = Duration.seconds(1)
    /// How many packets in a row may be unreadable.
    private static let mostFailures = 64

    /// The length of a file by its packets, which are read to the end but not decoded. What is read afterwards is
    /// undefined.
    ///
    /// - Returns: Nil if the length in the header is right or unknown, if the location is no file, if the container has
    ///   a table of all its packets, and if reading would take long.
    func measuredLength(_ info: MediaInfo) -> Duration? {
        guard resource == nil, !Self.isAddress(location), let header = info.duration, let size = info.byteCount,
            info.isSeekable, !info.container.hasPrefix("mov,mp4")
        else { return nil }
        let video = info.videoTrack.flatMap { stream($0) }.flatMap { GlissadeMedia.isStill($0) ? nil : $0 }
        let tracks = [video.map { Int($0.pointee.index) }, info.audioTrack].compactMap { $0 }
        guard !tracks.isEmpty, size <= (video == nil ? Self.longestSound : Self.longestFilm) else { return nil }
        for index in 0..<Int(context.pointee.nb_streams) {
            stream(index)?.pointee.discard = tracks.contains(index) ? AVDISCARD_DEFAULT : AVDISCARD_ALL
        }
        guard let packet = try? Packet() else { return nil }
        let deadline = HostTime.now() + Self.longestMeasuring
        var (timeline, meter) = (PacketTimeline(of: self, info), LengthMeter())
        var (failures, count) = (0, 0)
        while true {
            let code = read(packet.pointer)
            if code == Self.indexTooLarge { return nil }
            if code < 0 {
                failures += 1
                if code == glissade_averror_exit() { return nil }
                if code == glissade_averror_eof() || hasReachedEnd || failures >= Self.mostFailures { break }
                continue
            }
            defer { av_packet_unref(packet.pointer) }
            failures = 0
            guard tracks.contains(packet.track), let stream = stream(packet.track),
                !hasReachedEnd || !packet.isIncomplete(of: stream)
            else { continue }
            timeline.place(packet, of: stream, tellsEnd: true)
            _ = meter.note(timeline.roundLength)
            count += 1
            if count % 64 == 0, HostTime.now() > deadline { return nil }
        }
        let length = Duration.nanoseconds(meter.whole(timeline.roundLength))
        return count > 0 && length > .zero && LengthMeter.corrects(header, to: length) ? length : nil
    }
}

extension Packet {
    /// Whether bytes of the packet are missing without which it cannot be decoded: only PCM can be decoded in part.
    package func isIncomplete(of stream: UnsafeMutablePointer<AVStream>) -> Bool {
        pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0
            && av_get_bits_per_sample(stream.pointee.codecpar.pointee.codec_id) == 0
    }
}
