import Layers

extension TextStyle {
    /// Room for `text` in one line, in points, or a little more.
    ///
    /// What a text takes is known only where it is set, which is neither here nor at once: signs of the Latin script are
    /// taken to be as wide as its wide ones are on average, all others to be square. Of what is longer than any label the
    /// rest does not count.
    func roomyWidth(of text: String) -> Double {
        let ems = text.prefix(Label.longestText).reduce(0) { $0 + ($1.isNarrow ? 0.6 : 1.05) }
        return (ems * size).rounded(.up)
    }
}

extension Character {
    /// Whether it is of a script whose letters are narrower than high: those before Arabic, and punctuation.
    fileprivate var isNarrow: Bool {
        unicodeScalars.allSatisfy { $0.value < 0x0600 || (0x2000..<0x2070).contains($0.value) }
    }
}
