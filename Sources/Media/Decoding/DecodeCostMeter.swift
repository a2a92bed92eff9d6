import GlissadePlatform
import GlissadeTime

/// The CPU time spent on a frame before the frame loop received it. This is not elapsed time: several threads decode in
/// parallel.
public struct DecodingCost: Hashable, Sendable {
    /// The CPU time for decoding; nil if the decoder's threads are unknown. Includes the decoder's own thread, FFmpeg's
    /// threads, and the threads of libraries that FFmpeg uses.
    ///
    /// Counts all work since the previous frame was output. With frame threads, this includes work on later frames, but
    /// the sum over a film is exact. The cost of the first frame after a seek also includes the frames decoded to reach
    /// it.
    public var decode: Duration?
    /// The CPU time for converting the frame to a format that can be drawn; nil if the frame is not converted. With the
    /// CPU renderer, this includes the conversion to RGB at display size.
    public var prepare: Duration?

    public init(decode: Duration? = nil, prepare: Duration? = nil) {
        self.decode = decode
        self.prepare = prepare
    }
}

/// A decoder's worker threads, not counting the thread that feeds it.
package struct CodecThreads: Sendable {
    private var meters: [ThreadCPUClock]
    private let maker: String?
    private var isSorted = false

    /// Calls `open`, and returns its result and the threads created during the call. The threads are nil if the system
    /// does not list them.
    static func noting<R>(_ open: () -> R) -> (R, CodecThreads?) {
        let before = ThreadCPUClock.all()
        let result = open()
        let new = ThreadCPUClock.all().subtracting(before)
        return (result, before.isEmpty ? nil : CodecThreads(meters: Array(new), maker: ThreadCPUClock.current.name))
    }

    private init(meters: [ThreadCPUClock], maker: String?) {
        self.meters = meters
        self.maker = maker
    }

    /// Returns the total CPU time that these threads have used so far. Call on the decoder's thread, after a frame has
    /// been decoded. Before that, some threads may not have their names yet.
    mutating func cpuTime() -> Duration {
        if !isSorted {
            isSorted = true
            // Drop threads that another subsystem, such as a rasterizer, created at the same moment. Those name
            // themselves when they start. A decoder's threads are named by FFmpeg or dav1d, or inherit their creator's
            // name.
            meters.removeAll { meter in
                guard let name = meter.name else { return true }
                return !(name.hasPrefix("av:") || name.hasPrefix("dav1d") || name == maker)
            }
        }
        return meters.reduce(.zero) { $0 + ($1.cpuTime ?? .zero) }
    }
}

/// Attributes the CPU time of a decoder's threads to the frames that it outputs. Confined to the decoder's thread.
package struct DecodeCostMeter: Sendable {
    private var threads: CodecThreads?
    private let own = ThreadCPUClock.current
    /// The part of all threads' CPU time that is already accounted for.
    private var counted = Duration.zero
    /// This thread's CPU time right after the last frame was decoded.
    private var ownBefore = Duration.zero
    /// The decoding cost of the last frame; nil once `prepared` has returned it.
    private var worked: Duration?

    /// Creates a meter. Call on the decoder's thread.
    ///
    /// - Parameter threads: The decoder's worker threads. If nil, decoding costs are not reported.
    package init(_ threads: CodecThreads?) {
        self.threads = threads
        // This thread's earlier work was not for this decoder.
        counted = own.cpuTime ?? .zero
    }

    /// Records the cost of decoding a frame. Call as soon as the frame has been decoded, before it is converted.
    package mutating func decoded() {
        ownBefore = own.cpuTime ?? .zero
        guard let others = threads?.cpuTime() else { return }
        worked = max(.zero, others + ownBefore - counted)
        counted = others + ownBefore
    }

    /// Returns the cost of the last decoded frame. Call when the frame is ready to be drawn.
    ///
    /// - Parameter isChanged: Whether the frame was converted.
    package mutating func prepared(isChanged: Bool) -> DecodingCost {
        let time = (own.cpuTime ?? .zero) - ownBefore
        // Add only this thread's time. What the other threads did meanwhile counts for the next frame.
        counted += time
        return DecodingCost(decode: worked.take(), prepare: isChanged ? time : nil)
    }
}
