public import GlissadeMedia
import GlissadePlatform
public import GlissadeTime

// The variants of an HLS or DASH stream.

/// How the variant of a stream is chosen.
public enum Quality: Hashable, Sendable {
    /// The best variant for the measured rate of the connection and for the screen.
    case automatic
    /// The variant with this index in `MediaInfo.variants`.
    case variant(Int)
}

/// The state of a player's variants. Main thread.
struct PlayerVariants {
    /// The variant that was ordered last, if the demuxer has not answered yet; otherwise nil.
    var ordered: Int?
    /// The variants that cannot be played.
    var refused: Set<Int> = []
    /// The choice to return to if the ordered variant cannot be played.
    var previous = Quality.automatic
    /// When the last change was ordered, or when the media was opened. Nil before that, and once the user has chosen
    /// `automatic`.
    var lastOrder: HostTime?

    /// The shortest time between two automatic changes, if the second one is to a better variant.
    static let riseInterval = Duration.seconds(10)
    /// The shortest time between two automatic changes, if the second one is to a worse variant.
    static let fallInterval = Duration.seconds(3)
}

extension Player {
    /// The variants of the stream, from the best to the worst; empty if there are fewer than two, and before the media
    /// is open.
    public var variants: [StreamVariant] { info?.variants ?? [] }

    /// The index of the variant that plays, or that will play once what is buffered ends; nil if there are no variants.
    public var currentVariant: Int? { info?.variant }

    /// Chooses a variant of the stream. Playback continues with the packets of the old variant until the new one begins
    /// at a keyframe. If too little is buffered for that, the player seeks to the current position. If the variant
    /// cannot be played, reports a problem and keeps the old one. Also keeps the old one if the variant does not
    /// arrive in time.
    ///
    /// - Returns: Whether the choice was accepted. False if there is no such variant, or if the media is not open.
    @discardableResult public func selectQuality(_ quality: Quality, now: HostTime) -> Bool {
        guard !variants.isEmpty else { return false }
        if case .variant(let index) = quality {
            guard variants.indices.contains(index) else { return false }
        }
        guard quality != self.quality else { return true }
        // Until the demuxer has answered an order, the variant before it is the one that plays.
        if variantState.ordered == nil { variantState.previous = self.quality }
        self.quality = quality
        switch quality {
        case .variant(let index):
            variantState.refused.remove(index)
            order(index, now)
        case .automatic:
            variantState.lastOrder = nil
            chooseVariant(now)
        }
        return true
    }

    private func order(_ index: Int, _ now: HostTime) {
        guard index != variantState.ordered ?? currentVariant else { return }
        variantState.ordered = index
        variantState.lastOrder = now
        pipeline.packets.orderVariant(index)
    }

    /// Applies the demuxer's answers, and chooses a variant automatically.
    func advanceVariants(_ now: HostTime) {
        guard !variants.isEmpty else { return }
        if let change = pipeline.packets.takeVariantChange() { apply(change, now) }
        if quality == .automatic, variantState.ordered == nil { chooseVariant(now) }
    }

    private func chooseVariant(_ now: HostTime) {
        guard let current = currentVariant, !isLost,
            let best = VariantChoice.best(
                of: variants, rate: pipeline.packets.rate, lines: screenLines, excluding: variantState.refused),
            best != current
        else { return }
        let interval = best < current ? PlayerVariants.riseInterval : PlayerVariants.fallInterval
        if let last = variantState.lastOrder, now - last < interval { return }
        order(best, now)
    }

    private func apply(_ change: VariantChange, _ now: HostTime) {
        if variantState.ordered == change.variant { variantState.ordered = nil }
        guard change.result == .joined || change.result == .awaitsSeek else {
            if change.result == .refused { variantState.refused.insert(change.variant) }
            if quality == .variant(change.variant) { quality = variantState.previous }
            return
        }
        guard var info, variants.indices.contains(change.variant) else { return }
        let audio = selectedAudioTrack
        info.useVariant(change.variant)
        if let audio { selectedAudioTrack = info.audioTrack(audio, inVariant: change.variant) }
        self.info = info
        switch (change.result, phase) {
        case (_, .opening), (_, .failed), (_, .ended), (.refused, _), (.tooSlow, _): break
        // A paused frame is replaced at once.
        case (.joined, .paused): refresh(now: now)
        case (.joined, _): break
        case (.awaitsSeek, .scrubbing): repeatOrder(now)
        case (.awaitsSeek, .preroll):
            seek(to: pendingSeek?.target ?? mediaTime(at: now), mode: pendingSeek?.mode ?? .exact, now: now)
        case (.awaitsSeek, _): seek(to: mediaTime(at: now), mode: .exact, now: now)
        }
    }
}
