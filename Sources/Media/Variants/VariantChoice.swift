/// Chooses a variant of a stream automatically. The functions are pure: they depend only on their arguments.
public enum VariantChoice {
    /// The largest part of the measured rate that a variant may use. The rest is a reserve, since rates vary.
    public static let usableFraction = 0.8

    /// Returns the index of the best variant for a connection and a screen: the highest one, and of several with the
    /// same height the one with the highest bit rate.
    ///
    /// - Parameters:
    ///   - variants: The variants, in any order.
    ///   - rate: The measured rate in bits per second; nil if unknown.
    ///   - lines: The height of the screen in pixels; nil if unknown.
    ///   - excluded: The indices of variants that cannot be played.
    /// - Returns: Nil if all variants are excluded. If no variant is within both limits, the one with the lowest bit
    ///   rate.
    public static func best(
        of variants: [StreamVariant], rate: Double?, lines: Int?, excluding excluded: Set<Int> = []
    ) -> Int? {
        let usable = variants.indices.filter { !excluded.contains($0) }
        let affordable = usable.filter { fits(variants[$0], rate: rate, lines: lines) }
        if let best = affordable.max(by: { variants[$0].rank < variants[$1].rank }) { return best }
        // A variant of unknown bit rate may be the most expensive.
        return usable.min { cost(variants[$0]) < cost(variants[$1]) }
    }

    private static func fits(_ variant: StreamVariant, rate: Double?, lines: Int?) -> Bool {
        if let lines, let height = variant.height, height > lines { return false }
        guard let rate, let bitRate = variant.bitRate else { return true }
        return Double(bitRate) < rate * usableFraction
    }

    private static func cost(_ variant: StreamVariant) -> (Int, Int) {
        (variant.bitRate ?? StreamVariant.mostBitRate, variant.height ?? StreamVariant.mostHeight)
    }
}
