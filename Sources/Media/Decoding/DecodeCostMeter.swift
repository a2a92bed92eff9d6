import Platform
import Time

/// What a picture cost the processor before the frame loop got it: the time that threads worked, not the time that
/// passed, for they work ahead of the clock, several at once, and nobody waits for them while they keep up.
public struct DecodingCost: Hashable, Sendable {
    /// Decoding: FFmpeg's threads, and those of libraries beneath it, and this decoder's own between two pictures, packets
    /// taken and sent included.
    ///
    /// What was worked since the picture before came out: the sum over a film is exact, single pictures are mixed with
    /// their neighbours, as frame threads work on several at once. The first one after a seek has all in it that was
    /// decoded on the way there. Nil where the decoder's threads are not known. On a GPU that decodes, only what the
    /// processor does for it is in it.
    public var decode: Duration?
    /// Preparing: converting what cannot be shown as it is, on the decoder's thread, and, where the CPU draws, resolving to
    /// RGB on another at the size at which it will be seen. Nil for a picture that goes on as it was decoded.
    public var prepare: Duration?

    public init(decode: Duration? = nil, prepare: Duration? = nil) {
        self.decode = decode
        self.prepare = prepare
    }
}

/// The threads that work for one decoder beside the one that feeds it.
package struct CodecThreads: Sendable {
    private var meters: [ThreadCPUClock]
    private let maker: String?
    private var isSorted = false

    /// Opens a decoder, and notes which threads came meanwhile; nil where the system does not tell.
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

    /// What they have worked. On the decoder's thread, not before it has decoded something.
    mutating func cpuTime() -> Duration {
        if !isSorted {
            isSorted = true
            // The program's other threads may have been made in the same moment, such as a rasterizer's. They name
            // themselves as they begin; a codec's have FFmpeg's names, dav1d's, or none but their maker's.
            meters.removeAll { meter in
                guard let name = meter.name else { return true }
                return !(name.hasPrefix("av:") || name.hasPrefix("dav1d") || name == maker)
            }
        }
        return meters.reduce(.zero) { $0 + ($1.cpuTime ?? .zero) }
    }
}

/// Shares out what a decoder's threads have worked among the pictures that come out. On the decoder's thread.
package struct DecodeCostMeter: Sendable {
    private var threads: CodecThreads?
    private let own = ThreadCPUClock.current
    /// What all of them had worked when the last picture was done.
    private var counted = Duration.zero
    private var ownBefore = Duration.zero
    private var worked: Duration?

    /// - Parameter threads: nil where they are not known: then nothing is said of decoding.
    package init(_ threads: CodecThreads?) {
        self.threads = threads
        // What this thread has done before was not for this decoder.
        counted = own.cpuTime ?? .zero
    }

    /// A picture is out, and is about to be prepared.
    package mutating func decoded() {
        ownBefore = own.cpuTime ?? .zero
        guard let others = threads?.cpuTime() else { return }
        worked = max(.zero, others + ownBefore - counted)
        counted = others + ownBefore
    }

    /// It is prepared.
    ///
    /// - Parameter isChanged: whether there was anything to do.
    package mutating func prepared(isChanged: Bool) -> DecodingCost {
        let time = (own.cpuTime ?? .zero) - ownBefore
        // What comes next is counted from here on; what the other threads did meanwhile is the next one's.
        counted += time
        return DecodingCost(decode: worked.take(), prepare: isChanged ? time : nil)
    }
}
