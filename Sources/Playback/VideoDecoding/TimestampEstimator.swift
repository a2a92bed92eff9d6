import CFFmpeg
import Media
import Time

/// Gives each decoded frame a time to be shown and a length, also where the media gives none or gives nonsense.
///
/// Nanoseconds throughout; frames come in the order in which they are shown. Where a container tells only when its
/// pictures are decoded (AVI), they come out of the decoder late by the reordering; that delay, seen on the first one,
/// is taken off again.
struct TimestampEstimator {
    /// The length of a frame of which nothing else tells, from the stream's rate; 40 ms where that is unknown too, or
    /// a guess from damaged times.
    let nominal: Int64
    /// Extra half frames: H.264's frame tripling has four.
    private static let mostRepeats = 10
    private var last: Int64?
    private var isAtBeginning = true
    /// The decode time of the first packet, where that has no other.
    private var firstDecodeTime: Int64?
    private var delay: Int64?

    init(frameRate: Double?) {
        nominal = frameRate.map { $0 >= 1 ? Int64(clampingNanoseconds: 1 / $0) : 40_000_000 } ?? 40_000_000
    }

    /// Forgets the last frame: time may go on anywhere.
    mutating func reset() {
        last = nil
        noteDrained()
    }

    /// Forgets the last frame, but not how times are to be read: frames that came before it come once more.
    mutating func goBack() { last = nil }

    /// The decoder is empty and begins anew; time goes on.
    mutating func noteDrained() {
        isAtBeginning = true
        firstDecodeTime = nil
        delay = nil
    }

    /// Looks at the packets that go into the decoder.
    mutating func noteFirst(_ packet: UnsafePointer<AVPacket>) {
        guard isAtBeginning else { return }
        isAtBeginning = false
        let unknown = glissade_nopts()
        if packet.pointee.pts == unknown, packet.pointee.dts != unknown { firstDecodeTime = packet.pointee.dts }
    }

    /// When the next frame is shown, and how long.
    mutating func place(_ frame: UnsafePointer<AVFrame>) -> (time: Int64, duration: Int64) {
        var time = frame.pointee.best_effort_timestamp
        if let first = firstDecodeTime {
            // Presentation times of its own after all: they are right as they are.
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

    /// When the next frame is shown, and how long.
    ///
    /// - Parameters:
    ///   - time: its time as the decoder's best guess has it, or FFmpeg's "no value".
    ///   - duration: its length, 0 where unknown.
    ///   - repeats: extra half frames that the picture asks for (telecine).
    mutating func place(time: Int64, duration: Int64, repeats: Int) -> (time: Int64, duration: Int64) {
        // A picture that repeats more often than it can is damaged.
        let halves = Int64(min(max(0, repeats), Self.mostRepeats))
        let length = min(duration > 0 ? duration : nominal, PacketTimeline.longestPacket) + halves * nominal / 2
        var placed = PacketTimeline.sane(time) ?? last?.addingClamped(length) ?? 0
        // Two frames never share a time: which of them is on show would be chance.
        if let last, placed <= last { placed = last.addingClamped(max(1, nominal / 4)) }
        last = placed
        return (placed, length)
    }
}
