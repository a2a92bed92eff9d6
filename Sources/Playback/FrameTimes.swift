import CFFmpeg
import Motion

/// Gives each decoded frame a time to be shown and a length, also where the media gives none or gives nonsense.
///
/// Nanoseconds throughout; frames come in the order in which they are shown.
struct FrameTimes {
    /// The length of a frame of which nothing else tells, from the stream's rate; 40 ms where that is unknown too.
    let nominal: Int64
    private var last: Int64?

    init(frameRate: Double?) {
        nominal = frameRate.map { Int64(clampingNanoseconds: 1 / $0) } ?? 40_000_000
    }

    /// Forgets the last frame: time may go on anywhere.
    mutating func reset() { last = nil }

    /// When the next frame is shown, and how long.
    ///
    /// - Parameters:
    ///   - time: its time as the decoder's best guess has it, or FFmpeg's "no value".
    ///   - duration: its length, 0 where unknown.
    ///   - repeats: extra half frames that the picture asks for (telecine).
    mutating func place(time: Int64, duration: Int64, repeats: Int) -> (time: Int64, duration: Int64) {
        let length = (duration > 0 ? duration : nominal) + Int64(repeats) * nominal / 2
        var placed = time == glissade_nopts() ? (last ?? 0) + length : time
        // Two frames never share a time: which of them is on show would be chance.
        if let last, placed <= last { placed = last + max(1, nominal / 4) }
        last = placed
        return (placed, length)
    }
}
