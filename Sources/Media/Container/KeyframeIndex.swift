package import GlissadeCFFmpeg
package import GlissadeTime

/// The keyframes of a stream, as listed in its container's index. Times are in the stream's time base.
///
/// Use on the thread that reads the container, while the container is open. Index entries are untrusted and may have
/// any value. All returned times are within ±`PacketTimeline.farthest`, so sums and differences of two times cannot
/// overflow.
package struct KeyframeIndex {
    package struct Entry: Hashable {
        /// The presentation time.
        package var timestamp: Int64
        /// The time in the index, which may be a decode time.
        var indexed: Int64
    }

    private let stream: UnsafeMutablePointer<AVStream>
    /// The offset from index times to presentation times, for containers that index by decode time. Computed from the
    /// first entry. An offset of more than a second is implausible and is replaced by 0.
    package let delay: Int64

    /// Creates a view of the index of `stream`. The stream must outlive the view.
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

    /// Whether the entries are in the order of their times, so that FFmpeg, which halves the index again and again, finds
    /// a time in it. Those of several edits need not be.
    package var isOrdered: Bool {
        var last = Int64.min
        for index in 0..<avformat_index_get_entries_count(stream) {
            guard let time = avformat_index_get_entry(stream, index)?.pointee.timestamp else { break }
            if time < last { return false }
            last = time
        }
        return true
    }

    /// A timestamp before those of all entries, which leads FFmpeg to the first one; nil if there is no entry. Later
    /// entries may have earlier times than the first.
    package var beforeAll: Int64? { avformat_index_get_entry(stream, 0) == nil ? nil : -PacketTimeline.farthest }

    /// Whether `timestamp` is known and within ±`PacketTimeline.farthest`, both in the time base `base` and in
    /// nanoseconds.
    static func isSane(_ timestamp: Int64, _ base: AVRational) -> Bool {
        // `av_rescale_q` returns `Int64.min` for results that do not fit.
        return PacketTimeline.sane(timestamp) != nil
            && PacketTimeline.sane(av_rescale_q(timestamp, base, glissade_time_base_nanoseconds())) != nil
    }

    /// Converts a media time to a timestamp in the time base `base`, clamped to ±`PacketTimeline.farthest`.
    package static func timestamp(_ time: MediaTime, _ base: AVRational) -> Int64 {
        let limit = PacketTimeline.farthest
        let near = time.nanoseconds.clamped(to: limit)
        let timestamp = av_rescale_q(near, glissade_time_base_nanoseconds(), base)
        if timestamp == glissade_nopts() { return near < 0 ? -limit : limit }
        return timestamp.clamped(to: limit)
    }

    /// Returns the last keyframe at or before the timestamp `target`; nil if the index has none.
    package func entry(before target: Int64) -> Entry? { entry(target, AVSEEK_FLAG_BACKWARD) }

    /// Returns the first keyframe at or after the timestamp `target`; nil if the index has none.
    package func entry(after target: Int64) -> Entry? { entry(target, 0) }

    /// Returns the keyframes that `entry(before:)` and `entry(after:)` find for `target`. Both may be the same
    /// keyframe.
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
