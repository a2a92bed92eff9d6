package import GlissadeTime

/// What was heard at the sink, and when.
package struct Recording: Sendable {
    package let sampleRate: Int
    package let channelCount: Int
    /// Interleaved.
    package internal(set) var samples: [Float] = []
    /// For each time the server was asked: when the first frame was (or would have been) heard, by that answer.
    var starts: [Int64] = []

    /// The time from the mixing of a sample to its being heard, at the last answer.
    package internal(set) var sinkLatency: Duration?

    package var frameCount: Int { samples.count / channelCount }

    /// When the first frame was heard: the median of the server's answers. Nil before the first.
    package var start: HostTime? {
        guard !starts.isEmpty else { return nil }
        return HostTime(nanoseconds: starts.sorted()[starts.count / 2])
    }

    /// How far the server's answers lie apart.
    package var startSpread: Duration {
        guard let first = starts.min(), let last = starts.max() else { return .zero }
        return .nanoseconds(last - first)
    }

    /// When a frame was heard; nil before the server has answered.
    package func hostTime(ofFrame frame: Int) -> HostTime? {
        start.map { $0 + .nanoseconds(Int64(Double(frame) * 1e9 / Double(sampleRate))) }
    }

    /// The frame heard at `host`; nil if it is not recorded (yet).
    package func frame(at host: HostTime) -> Int? {
        guard let start else { return nil }
        let frame = Int(((host - start).inSeconds * Double(sampleRate)).rounded())
        return (0..<frameCount).contains(frame) ? frame : nil
    }

    package subscript(frame: Int, channel: Int) -> Float { samples[frame * channelCount + channel] }
}
