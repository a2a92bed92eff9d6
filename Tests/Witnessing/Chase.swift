import Platform
public import Time

/// A `Pursuit` over the screen with its `Chronicle`, and how well the witness itself could follow.
public struct Chase {
    /// What goes into the summary.
    public struct Result: Codable {
        public var version = 1
        public var all: Phase.Summary
        public var phases: [String: Phase.Summary]
        /// How often the picture's middle was drawn, and how often the witness looked after that: where there are fewer
        /// looks, something was drawn over before it had come to look, and a frame that it missed may have been on show.
        public var drawings: Int
        public var looks: Int
        /// How often all of the screen had to be searched.
        public var searches: Int
        /// Whether the server told of drawing; else the screen was looked at each two milliseconds.
        public var isTold: Bool
        /// What the witness cost.
        public var cpuSeconds: Double
        public var wallSeconds: Double
    }

    public var isTold = true
    private var pursuit = Pursuit()
    private var choice: Choice
    private var chronicle: Chronicle
    private var last = ""
    private var drawings = 0
    private var looks = 0
    private let began = HostTime.now()

    public init(filmLength: Int?) {
        choice = Choice(filmLength: filmLength)
        chronicle = Chronicle(filmLength: filmLength)
    }

    /// Looks at what was drawn; a line goes to `tell` where anything is other than at the look before.
    public mutating func look(at screen: XScreen, drawn: [Region], time: HostTime, tell: (String) -> Void) {
        guard !drawn.isEmpty else { return }
        var pictures = pursuit.look(at: screen, drawn: drawn)
        var chosen = choice.pick(pictures, at: time)
        if chosen == nil, !pursuit.hasSearched {
            // Only a still where it was: the film may be elsewhere.
            pictures = pursuit.search(screen)
            chosen = choice.pick(pictures, at: time)
        }
        if chosen?.number == nil, pursuit.hasSearched, let cut = choice.pick(pursuit.cuts) { chosen = cut }
        let window = chosen.map { screen.window(x: $0.pixel.x, y: $0.pixel.y) }
        if let (x, y) = chosen?.middle {
            let count = drawn.count { $0.x.contains(x) && $0.y.contains(y) }
            drawings += count
            looks += min(count, 1)
        }
        let sighting: Sighting =
            chosen.map { $0.number.map { .frame($0) } ?? .unreadable }
            ?? (pursuit.seesCutPicture ? .unreadable : .black)
        chronicle.add(sighting, window: window ?? 0, at: time)
        let line = Self.line(sighting, chosen, window, pictures.count)
        if line != last { tell("\(time.nanoseconds),\(line)") }
        last = line
    }

    private static func line(_ sighting: Sighting, _ picture: Pursuit.Picture?, _ window: UInt?, _ count: Int) -> String
    {
        let what =
            switch sighting {
            case .frame(let number): "\(number)"
            case .black: "black"
            case .unreadable: "unreadable"
            }
        let place = picture.map {
            [
                Int($0.columns.lowerBound.rounded()), Int($0.columns.upperBound.rounded()), $0.rows.lowerBound,
                $0.rows.upperBound,
            ].map { "\($0)" }
        }
        return ([what] + (place ?? ["", "", "", ""]) + [window.map { "\($0)" } ?? "", "\(count)"]).joined(
            separator: ",")
    }

    /// The account until now, and of each phase.
    public mutating func finished(_ phases: [Phase]) -> Result {
        chronicle.end(at: .now())
        return Result(
            all: chronicle.summary(),
            phases: Dictionary(phases.map { ($0.name, chronicle.summary($0.time)) }) { $1 },
            drawings: drawings, looks: looks, searches: pursuit.searchCount, isTold: isTold,
            cpuSeconds: ResourceUsage().cpuTime.inSeconds, wallSeconds: (HostTime.now() - began).inSeconds)
    }
}
