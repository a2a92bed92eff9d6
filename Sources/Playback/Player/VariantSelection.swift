import GlissadeMedia
import GlissadeTime

/// How the variant of a stream is chosen.
public enum Quality: Hashable, Sendable {
    /// The best variant for the measured rate of the connection and for the screen.
    case automatic
    /// The variant with this index in `MediaInfo.variants`.
    case variant(Int)
}

/// The choice of a variant, and the changes that were ordered.
///
/// Reads no clock: the time is passed in. Methods that return an index tell which variant to order from the demuxer.
///
/// Threads: main thread.
struct VariantSelection: Hashable {
    /// The user's choice.
    private(set) var quality = Quality.automatic
    /// The variants that cannot be played.
    private(set) var refused: Set<Int> = []
    /// The variant that was ordered last, if the demuxer has not answered yet; otherwise nil.
    private var ordered: Int?
    /// The choice to return to if the ordered variant cannot be played.
    private var previous = Quality.automatic
    /// When the last change was ordered, or when the media was opened. Nil before that, and once the user has chosen
    /// `automatic`.
    private var lastOrder: HostTime?

    /// The shortest time between two automatic changes, if the second one is to a better variant.
    static let riseInterval = Duration.seconds(10)
    /// The shortest time between two automatic changes, if the second one is to a worse variant.
    static let fallInterval = Duration.seconds(3)

    /// Whether an automatic choice may be made now.
    var isFree: Bool { quality == .automatic && ordered == nil }

    /// The media was opened.
    mutating func begin(now: HostTime) { lastOrder = now }

    /// Notes the user's choice. For a variant, returns the variant to order, if another one is playing.
    mutating func choose(_ quality: Quality, playing: Int?, now: HostTime) -> Int? {
        // Until the demuxer has answered an order, the variant before it is the one that plays.
        if ordered == nil { previous = self.quality }
        self.quality = quality
        switch quality {
        case .variant(let index):
            refused.remove(index)
            return order(index, playing: playing, now: now)
        case .automatic:
            lastOrder = nil
            return nil
        }
    }

    /// Returns `best` if it is to be ordered now instead of the variant `playing`.
    mutating func prefer(_ best: Int, to playing: Int, now: HostTime) -> Int? {
        guard best != playing else { return nil }
        let interval = best < playing ? Self.riseInterval : Self.fallInterval
        if let lastOrder, now - lastOrder < interval { return nil }
        return order(best, playing: playing, now: now)
    }

    private mutating func order(_ index: Int, playing: Int?, now: HostTime) -> Int? {
        guard index != ordered ?? playing else { return nil }
        ordered = index
        lastOrder = now
        return index
    }

    /// Notes the demuxer's answer. Returns whether the variant will play.
    mutating func take(_ change: VariantChange) -> Bool {
        if ordered == change.variant { ordered = nil }
        switch change.result {
        case .joined, .awaitsSeek: return true
        case .refused: refused.insert(change.variant)
        case .tooSlow: break
        }
        if quality == .variant(change.variant) { quality = previous }
        return false
    }
}
