import GlissadeCFFmpeg
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
    /// Whether all lengths were plausible. If not, the header may be right, and what was read is not the whole.
    private var isSure = true

    package init() {}

    /// Notes that reading continues at `place`, in nanoseconds from the media's start.
    package mutating func expect(_ place: Int64) { reach = max(reach, place) }

    /// Notes that the playing streams have been read to `length`, in nanoseconds from the media's start. Returns false,
    /// and ignores it, if it is implausible: a single wrong time far away is no length.
    package mutating func note(_ length: Int64) -> Bool {
        guard length <= reach.addingClamped(Self.longestPause) else {
            isSure = false
            return false
        }
        reach = max(reach, length)
        farthest = max(farthest, length)
        return true
    }

    /// The length of a file that was read to its end, in nanoseconds; nil if it cannot be told from what was read.
    ///
    /// - Parameter last: `PacketTimeline.roundLength` at the end.
    package func whole(_ last: Int64) -> Int64? { isSure ? max(min(last, reach), farthest) : nil }

    /// Whether `length` differs from a header's `duration` by more than `tolerance`.
    package static func corrects(_ duration: Duration, to length: Duration) -> Bool {
        (length > duration ? length - duration : duration - length) > tolerance
    }
}

extension MediaInput {
    /// Whether the container's timestamps may jump anywhere, as in a broadcast.
    package var restarts: Bool { context.pointee.iformat.pointee.flags & AVFMT_TS_DISCONT != 0 }

    /// Whether the container may be a chain of short parts that each start at 0.
    var mayBeChained: Bool { ["flac", "ogg"].contains(String(cString: context.pointee.iformat.pointee.name)) }

    /// The largest file to read for its length, in bytes, without moving pictures and with them.
    private static let (longestSound, longestFilm) = (256 << 20, 64 << 20)
    /// How long to read a file for its length.
    private static let longestMeasuring = Duration.seconds(1)
    /// How many packets in a row may be unreadable.
    private static let mostFailures = 64

    /// The length of a file by its packets, which are read to the end but not decoded. What is read afterwards is
    /// undefined.
    ///
    /// - Returns: Nil if the length in the header is right or unknown, if that of joined files is known, if the location is
    ///   no file, if the container has a table of all its packets, if the file cannot be read to its end, or if that would
    ///   take long.
    func measuredLength(_ info: MediaInfo) -> Duration? {
        guard resource == nil, !Self.isAddress(location), parts.isEmpty, let header = info.duration,
            let size = info.byteCount, info.isSeekable, !info.container.hasPrefix("mov,mp4")
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
        var (failures, hasPackets) = (0, false)
        while true {
            let code = read(packet.pointer)
            if HostTime.now() > deadline { return nil }
            if code < 0 {
                failures += 1
                let isUnreadable = code == Self.indexTooLarge || code == glissade_averror_exit() || readError < 0
                if isUnreadable || failures >= Self.mostFailures { return nil }
                if code == glissade_averror_eof() || hasReachedEnd { break }
                continue
            }
            defer { av_packet_unref(packet.pointer) }
            failures = 0
            guard tracks.contains(packet.track), let stream = stream(packet.track),
                !hasReachedEnd || !packet.isIncomplete(of: stream)
            else { continue }
            timeline.place(packet, of: stream, tellsEnd: true)
            guard meter.note(timeline.roundLength) else { return nil }
            hasPackets = true
        }
        guard hasPackets, let length = meter.whole(timeline.roundLength).map({ Duration.nanoseconds($0) }) else {
            return nil
        }
        return length > .zero && LengthMeter.corrects(header, to: length) ? length : nil
    }
}
