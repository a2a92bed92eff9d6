import GlissadeCFFmpeg

/// Counts the packets that produced no frame while the decoder was allowed to skip frames.
///
/// The decoder does not report which packets it skips. But frames are output in presentation order, so a packet that is
/// earlier than the current frame and has produced no frame will never produce one.
struct SkippedFrameCounter {
    /// The times of packets that may be skipped and have not produced a frame.
    private var times: [Int64] = []

    /// Records a packet that may be skipped. A packet without a time cannot be tracked and is not counted.
    mutating func note(_ time: Int64) {
        if time != glissade_nopts() { times.append(time) }
    }

    /// Records an output frame. Returns how many of the packets before this frame were skipped.
    mutating func take(before time: Int64) -> Int {
        guard !times.isEmpty, time != glissade_nopts() else { return 0 }
        let count = times.count { $0 < time }
        times.removeAll { $0 <= time }
        return count
    }

    /// Returns how many packets were skipped since the last frame, and starts over. Call at the end of the stream, or
    /// when the decoder is reset.
    mutating func takeAll() -> Int {
        defer { times.removeAll(keepingCapacity: true) }
        return times.count
    }
}
