import GlissadeCFFmpeg
import GlissadeMedia
import GlissadeTime

/// Gives each decoded frame a presentation time and a duration, even if the media provides none or implausible ones.
///
/// All times are in nanoseconds. Frames must be passed in presentation order. If a container has only decode times, as
/// AVI does, FFmpeg's frame times are too late by the reordering delay. The delay is measured on the first frame and
/// subtracted from all times.
struct TimestampEstimator {
    /// The default duration of a frame in nanoseconds, from the stream's frame rate; 40 ms if that rate is unknown or
    /// below 1 frame per second.
    let nominal: Int64
    /// The most extra half frames to accept from a frame. H.264's frame tripling requests four.
    private static let mostRepeats = 10
    private var last: Int64?
    private var isAtBeginning = true
    /// The decode time of the first packet, if that packet has no presentation time.
    private var firstDecodeTime: Int64?
    private var delay: Int64?

    init(frameRate: Double?) {
        nominal = frameRate.map { $0 >= 1 ? Int64(clampingNanoseconds: 1 / $0) : 40_000_000 } ?? 40_000_000
    }

    /// Forgets the last frame and how to interpret timestamps. Call when the next frame may have any time, as after a
    /// seek.
    mutating func reset() {
        last = nil
        noteDrained()
    }

    /// Forgets the last frame, but not how to interpret timestamps. Call before earlier frames are decoded again.
    mutating func goBack() { last = nil }

    /// Discards what was learned about the timestamps. Call when a drained decoder starts over without a seek.
    mutating func noteDrained() {
        isAtBeginning = true
        firstDecodeTime = nil
        delay = nil
    }

    /// Examines a packet before it is decoded. Only the first one after `reset` or `noteDrained` matters.
    mutating func noteFirst(_ packet: UnsafePointer<AVPacket>) {
        guard isAtBeginning else { return }
        isAtBeginning = false
        let unknown = glissade_nopts()
        if packet.pointee.pts == unknown, packet.pointee.dts != unknown { firstDecodeTime = packet.pointee.dts }
    }

    /// Returns the time and duration of a decoded frame.
    mutating func place(_ frame: UnsafePointer<AVFrame>) -> (time: Int64, duration: Int64) {
        var time = frame.pointee.best_effort_timestamp
        if let first = firstDecodeTime {
            // There are presentation times after all.
            if frame.pointee.pts != glissade_nopts(), frame.pointee.pts != frame.pointee.pkt_dts {
                firstDecodeTime = nil
            } else if time != glissade_nopts() {
                let delay = delay ?? max(0, time.subtractingClamped(first))
                self.delay = delay
                time = time.subtractingClamped(delay)
            } else if last == nil {
                time = first
            }
        }
        return place(time: time, duration: glissade_frame_duration(frame), repeats: Int(frame.pointee.repeat_pict))
    }

    /// Returns the time and duration of a frame with these properties.
    ///
    /// - Parameters:
    ///   - time: The decoder's best estimate; FFmpeg's `AV_NOPTS_VALUE` if unknown.
    ///   - duration: The frame's declared duration; 0 if unknown.
    ///   - repeats: The number of extra half frames that the frame requests (telecine).
    mutating func place(time: Int64, duration: Int64, repeats: Int) -> (time: Int64, duration: Int64) {
        // More repeats than are possible indicate damage.
        let halves = Int64(min(max(0, repeats), Self.mostRepeats))
        let length = min(duration > 0 ? duration : nominal, PacketTimeline.longestPacket) + halves * nominal / 2
        var placed = PacketTimeline.sane(time) ?? last?.addingClamped(length) ?? 0
        // Two frames never share a time: which of them is shown would be arbitrary.
        if let last, placed <= last { placed = last.addingClamped(max(1, nominal / 4)) }
        last = placed
        return (placed, length)
    }
}
