import GlissadePlatform
package import GlissadeTime

/// Follows a video over the screen with a `PictureTracker`, and keeps its `FrameTimeline` and how well the observer itself kept
/// up.
package struct FilmObserver {
    /// What goes into the summary.
    package struct Result: Codable {
        package var version = 1
        package var all: Phase.Summary
        package var phases: [String: Phase.Summary]
        /// How often the picture's middle was drawn, and how often the witness looked after that: where there are fewer
        /// looks, something was drawn over before it had come to look, and a frame that it missed may have been on show.
        package var drawings: Int
        package var looks: Int
        /// How often all of the screen had to be searched.
        package var searches: Int
        /// Whether the server told of drawing; else the screen was looked at each two milliseconds.
        package var isTold: Bool
        /// What the witness cost.
        package var cpuSeconds: Double
        package var wallSeconds: Double
    }

    package var isTold = true
    private var tracker = PictureTracker()
    private var selector: PictureSelector
    private var timeline: FrameTimeline
    private var last = ""
    private var drawings = 0
    private var looks = 0
    private let began = HostTime.now()

    package init(filmLength: Int?) {
        selector = PictureSelector(filmLength: filmLength)
        timeline = FrameTimeline(filmLength: filmLength)
    }

    /// Looks at what was drawn; a line goes to `tell` where anything is other than at the look before.
    package mutating func look(at screen: XScreen, drawn: [Region], time: HostTime, tell: (String) -> Void) {
        guard !drawn.isEmpty else { return }
        var pictures = tracker.look(at: screen, drawn: drawn)
        var chosen = selector.pick(pictures, at: time)
        if chosen == nil, !tracker.hasSearched {
            // Only a still where it was: the film may be elsewhere.
            pictures = tracker.search(screen)
            chosen = selector.pick(pictures, at: time)
        }
        if chosen?.number == nil, tracker.hasSearched, let cut = selector.pick(tracker.cuts) { chosen = cut }
        let window = chosen.map { screen.window(x: $0.pixel.x, y: $0.pixel.y) }
        if let (x, y) = chosen?.middle {
            let count = drawn.count { $0.x.contains(x) && $0.y.contains(y) }
            drawings += count
            looks += min(count, 1)
        }
        let observation: FrameObservation =
            chosen.map { $0.number.map { .frame($0) } ?? .unreadable }
            ?? (tracker.seesCutPicture ? .unreadable : .black)
        timeline.add(observation, window: window ?? 0, at: time)
        let line = Self.line(observation, chosen, window, pictures.count)
        if line != last { tell("\(time.nanoseconds),\(line)") }
        last = line
    }

    private static func line(
        _ observation: FrameObservation, _ picture: PictureTracker.Picture?, _ window: UInt?, _ count: Int
    ) -> String {
        let what =
            switch observation {
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

    /// The result until now, and of each phase.
    package mutating func finished(_ phases: [Phase]) -> Result {
        timeline.end(at: .now())
        return Result(
            all: timeline.summary(),
            phases: Dictionary(phases.map { ($0.name, timeline.summary($0.time)) }) { $1 },
            drawings: drawings, looks: looks, searches: tracker.searchCount, isTold: isTold,
            cpuSeconds: ResourceUsage().cpuTime.inSeconds, wallSeconds: (HostTime.now() - began).inSeconds)
    }
}
