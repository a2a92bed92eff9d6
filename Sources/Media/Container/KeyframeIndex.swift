package import CFFmpeg
package import Time

/// A stream's keyframes, as its container's index tells them; times are in the stream's time base.
///
/// On the thread that reads the container, while that is open. An index is content: what it says may be any number.
/// Nothing that leaves here is beyond `PacketTimeline.farthest`, so that sums and differences of two cannot overflow.
package struct KeyframeIndex {
    /// A keyframe of the index.
    package struct Entry: Hashable {
        /// When it is to be seen.
        package var timestamp: Int64
        /// Its time in the index.
        var indexed: Int64
    }

    private let stream: UnsafeMutablePointer<AVStream>
    /// Indices count by decode times in some containers. What lies between those and the times of presentation is about
    /// the same at each keyframe.
    package let delay: Int64

    package init(_ stream: UnsafeMutablePointer<AVStream>) {
        self.stream = stream
        let base = stream.pointee.time_base
        guard let first = avformat_index_get_entry(stream, 0)?.pointee.timestamp, Self.isSane(first, base),
            Self.isSane(stream.pointee.start_time, base)
        else {
            delay = 0
            return
        }
        let delay = max(0, stream.pointee.start_time - first)
        self.delay = Double(delay) * (ratio(base) ?? 0) > 1 ? 0 : delay
    }

    /// Whether a time is one that a media can have; a missing one is not.
    static func isSane(_ timestamp: Int64, _ base: AVRational) -> Bool {
        // What does not fit becomes the least number there is.
        return PacketTimeline.sane(timestamp) != nil
            && PacketTimeline.sane(av_rescale_q(timestamp, base, glissade_time_base_nanoseconds())) != nil
    }

    /// A place in the media, on its own time line, in the stream's time base; the farthest that there is for what is
    /// farther.
    package static func timestamp(_ time: MediaTime, _ base: AVRational) -> Int64 {
        let limit = PacketTimeline.farthest
        let near = time.nanoseconds.clamped(to: limit)
        let timestamp = av_rescale_q(near, glissade_time_base_nanoseconds(), base)
        if timestamp == glissade_nopts() { return near < 0 ? -limit : limit }
        return timestamp.clamped(to: limit)
    }

    /// The last keyframe that is not after `target`; nil where the index knows none.
    package func entry(before target: Int64) -> Entry? { entry(target, AVSEEK_FLAG_BACKWARD) }

    /// The first keyframe that is not before `target`; likewise.
    package func entry(after target: Int64) -> Entry? { entry(target, 0) }

    /// What lies around `target`: two keyframes at most.
    package func entries(around target: Int64) -> [Entry] {
        [entry(before: target), entry(after: target)].compactMap { $0 }
    }

    private func entry(_ target: Int64, _ flags: CInt) -> Entry? {
        let sought = target.subtractingClamped(delay)
        guard let found = avformat_index_get_entry_from_timestamp(stream, sought, flags) else { return nil }
        let indexed = found.pointee.timestamp
        let base = stream.pointee.time_base
        guard Self.isSane(indexed, base), Self.isSane(indexed.addingClamped(delay), base) else { return nil }
        return Entry(timestamp: indexed + delay, indexed: indexed)
    }
}
