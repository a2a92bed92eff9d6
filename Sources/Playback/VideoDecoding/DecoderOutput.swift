import Synchronization

/// Whether a decoder has ever made anything of its packets.
///
/// Threads: shared. The decoder's thread sets it, and the player reads it.
final class DecoderOutput: Sendable {
    private let hasPackets = Atomic<Bool>(false)
    private let hasFrames = Atomic<Bool>(false)

    init() {}

    func sawPacket() { hasPackets.store(true, ordering: .relaxed) }
    func sawFrame() { hasFrames.store(true, ordering: .releasing) }

    /// Whether there have been packets, and none could be decoded.
    var isEmpty: Bool { !hasFrames.load(ordering: .acquiring) && hasPackets.load(ordering: .relaxed) }
}
