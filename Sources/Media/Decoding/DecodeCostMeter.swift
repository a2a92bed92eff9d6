import Platform
import Time

/// The CPU time spent on a frame before the frame loop got it. This is not elapsed time: threads decode ahead of the
/// clock, several at once, and nothing waits for them while they keep up.
public struct DecodingCost: Hashable, Sendable {
    /// Decoding: the CPU time of FFmpeg's threads, of threads in libraries that it uses, and of the decoder's own
    /// thread, including packet handling.
    ///
    /// This is the work since the previous frame came out. Frame threads work on several frames at once, so the sum
    /// over a film is exact, while the costs of neighboring frames mix. The first frame after a seek includes
    /// everything decoded on the way to it. Nil if the decoder's threads are unknown. For hardware decoding, only the
    /// CPU's part is counted.
    public var decode: Duration?
    /// Preparing: conversion to a format that can be drawn, on the decoder's thread, and, for the CPU renderer,
    /// conversion to RGB at display size on another thread. Nil if the frame is used as decoded.
    public var prepare: Duration?

    public init(decode: Duration? = nil, prepare: Duration? = nil) {
        self.decode = decode
        self.prepare = prepare
    }
}

/// A decoder's worker threads, without the thread that feeds it.
package struct CodecThreads: Sendable {
    private var meters: [ThreadCPUClock]
    private let maker: String?
    private var isSorted = false

    /// Opens a decoder and records the threads created meanwhile; nil if the system does not list threads.
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

    /// Returns their CPU time so far. Call on the decoder's thread, after it has decoded something.
    mutating func cpuTime() -> Duration {
        if !isSorted {
            isSorted = true
            // Other subsystems, such as a rasterizer, may have created threads at the same moment. Those name
            // themselves when they start. A codec's threads have FFmpeg's or dav1d's names, or inherit their creator's.
            meters.removeAll { meter in
                guard let name = meter.name else { return true }
                return !(name.hasPrefix("av:") || name.hasPrefix("dav1d") || name == maker)
            }
        }
        return meters.reduce(.zero) { $0 + ($1.cpuTime ?? .zero) }
    }
}

/// Attributes the CPU time of a decoder's threads to its output frames. Confined to the decoder's thread.
package struct DecodeCostMeter: Sendable {
    private var threads: CodecThreads?
    private let own = ThreadCPUClock.current
    /// CPU time of all threads already attributed to frames.
    private var counted = Duration.zero
    private var ownBefore = Duration.zero
    private var worked: Duration?

    /// - Parameter threads: nil if they are unknown; decoding cost is then not reported.
    package init(_ threads: CodecThreads?) {
        self.threads = threads
        // Earlier work of this thread was not for this decoder.
        counted = own.cpuTime ?? .zero
    }

    /// Call when a frame has been decoded, before preparing it.
    package mutating func decoded() {
        ownBefore = own.cpuTime ?? .zero
        guard let others = threads?.cpuTime() else { return }
        worked = max(.zero, others + ownBefore - counted)
        counted = others + ownBefore
    }

    /// Call when the frame has been prepared.
    ///
    /// - Parameter isChanged: whether it needed any conversion.
    package mutating func prepared(isChanged: Bool) -> DecodingCost {
        let time = (own.cpuTime ?? .zero) - ownBefore
        // Attributes the other threads' work in the meantime to the next frame.
        counted += time
        return DecodingCost(decode: worked.take(), prepare: isChanged ? time : nil)
    }
}
