import Synchronization

/// Whether a decoder has ever made anything of its packets.
///
/// Threads: shared. The decoder's thread sets it, and the player reads it.
final class DecoderOutput: Sendable {
    private let hasPackets = Atomic<Bool>(false)
    private let hasFrames = Atomic<Bool>(false)

    init() {}

    /// A generation begins: packets of the one before may have been left undecoded.
    func begin() { hasPackets.store(false, ordering: .relaxed) }
    func sawPacket() { hasPackets.store(true, ordering: .relaxed) }
    func sawFrame() { hasFrames.store(true, ordering: .releasing) }

    /// Whether this generation had packets, and no packet of any generation could be decoded. Of use once the generation has
    /// ended.
    var isEmpty: Bool { !hasFrames.load(ordering: .acquiring) && hasPackets.load(ordering: .relaxed) }
}
