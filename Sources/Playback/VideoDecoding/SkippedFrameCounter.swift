import CFFmpeg

/// Counts the packets that became no frame while the decoder was allowed to skip.
///
/// The decoder does not say which packets it skips. But frames come out in presentation order, so a packet with an
/// earlier time than the current frame that has not come out never will.
struct SkippedFrameCounter {
    /// The times of packets that may be skipped and have not come out.
    private var times: [Int64] = []

    /// Records a packet that may be skipped. A packet without a time cannot be tracked and is not counted.
    mutating func note(_ time: Int64) {
        if time != glissade_nopts() { times.append(time) }
    }

    /// Records a frame. - Returns: how many were skipped before it.
    mutating func take(before time: Int64) -> Int {
        guard !times.isEmpty, time != glissade_nopts() else { return 0 }
        let count = times.count { $0 < time }
        times.removeAll { $0 <= time }
        return count
    }

    /// Call when nothing more comes out. - Returns: how many were skipped since the last frame.
    mutating func takeAll() -> Int {
        defer { times.removeAll(keepingCapacity: true) }
        return times.count
    }
}
