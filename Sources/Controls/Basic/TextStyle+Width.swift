import GlissadeLayers

extension TextStyle {
    /// An estimate of the width of `text` on one line, in points. Usually slightly too large.
    ///
    /// Narrow characters count as 0.6 em, all others as 1.05 em. Only the first `Label.longestText` characters count.
    func roomyWidth(of text: String) -> Double {
        let ems = text.prefix(Label.longestText).reduce(0) { $0 + ($1.isNarrow ? 0.6 : 1.05) }
        return (ems * size).rounded(.up)
    }
}

extension Character {
    /// Whether the character counts as narrow: all of its code points are below the Arabic block (U+0600) or in the
    /// general punctuation block.
    fileprivate var isNarrow: Bool {
        unicodeScalars.allSatisfy { $0.value < 0x0600 || (0x2000..<0x2070).contains($0.value) }
    }
}
