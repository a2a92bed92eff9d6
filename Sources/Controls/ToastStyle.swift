public import Motion
public import Stage

extension Toast {
    /// How it looks, and how long; lengths are points.
    public struct Style: Hashable, Sendable {
        public var background = Color(red: 0.09, green: 0.09, blue: 0.098, alpha: 0.86)
        public var text = TextStyle(
            size: 15, weight: .medium, color: Color(red: 0.95, green: 0.95, blue: 0.965), hasTabularDigits: true)
        /// The level bar's: all of it, and as far as the level goes.
        public var track = Color(red: 1, green: 1, blue: 1, alpha: 0.22)
        public var level = Color.white
        public var height = 44.0
        public var cornerRadius = 22.0
        public var padding = 18.0
        public var spacing = 10.0
        public var iconSide = 20.0
        public var levelLength = 120.0
        public var levelHeight = 4.0
        /// How long it takes to come and to go.
        public var fade = Duration.milliseconds(120)
        /// How long it stays.
        public var rest = Duration.milliseconds(1200)

        public init() {}

        /// Room for all that `message` says.
        ///
        /// What a text takes is known only where it is set, which is not here: signs of the Latin script are taken to be
        /// as wide as its wide ones are on average, all others to be square.
        func width(for message: Message) -> Double {
            var width = 2 * padding
            if message.icon != nil { width += iconSide + spacing }
            if message.level != nil { width += levelLength + spacing }
            let ems = message.text.prefix(Label.longestText).reduce(0) { $0 + ($1.isLatin ? 0.64 : 1.05) }
            return (width + ems * text.size).rounded(.up)
        }
    }
}

extension Character {
    /// Whether it is of a script whose letters are narrower than high.
    fileprivate var isLatin: Bool {
        unicodeScalars.allSatisfy { $0.value < 0x0600 || (0x2000..<0x2070).contains($0.value) }
    }
}
