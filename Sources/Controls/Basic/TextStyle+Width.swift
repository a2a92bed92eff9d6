import Layers

extension TextStyle {
    /// An estimate of the width of `text` in one line, in points, usually slightly too large.
    ///
    /// The true width is known only after layout, which happens elsewhere and later. Each Latin letter counts as an
    /// average wide letter, and all others as squares. Text beyond the longest label does not count.
    func roomyWidth(of text: String) -> Double {
        let ems = text.prefix(Label.longestText).reduce(0) { $0 + ($1.isNarrow ? 0.6 : 1.05) }
        return (ems * size).rounded(.up)
    }
}

extension Character {
    /// Whether its script has letters narrower than they are high: those before Arabic in Unicode, and punctuation.
    fileprivate var isNarrow: Bool {
        unicodeScalars.allSatisfy { $0.value < 0x0600 || (0x2000..<0x2070).contains($0.value) }
    }
}
