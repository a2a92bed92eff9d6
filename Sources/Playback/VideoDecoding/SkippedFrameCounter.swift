import CFFmpeg

/// Finds out which packets became no frame while the decoder was allowed to skip.
///
/// Which it skips, the decoder does not say. But frames come out in the order of their times: what has a time before the
/// one that comes, and has not come, never will.
struct SkippedFrameCounter {
    /// The times of packets that may be skipped and have not come out yet.
    private var times: [Int64] = []

    /// A packet that may be skipped goes into the decoder. One without a time cannot be followed, and is not counted.
    mutating func note(_ time: Int64) {
        if time != glissade_nopts() { times.append(time) }
    }

    /// A frame has come out. - Returns: how many were skipped before it.
    mutating func take(before time: Int64) -> Int {
        guard !times.isEmpty, time != glissade_nopts() else { return 0 }
        let count = times.count { $0 < time }
        times.removeAll { $0 <= time }
        return count
    }

    /// Nothing comes any more. - Returns: how many were skipped since the last frame.
    mutating func takeAll() -> Int {
        defer { times.removeAll(keepingCapacity: true) }
        return times.count
    }
}
