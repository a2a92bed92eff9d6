import GlissadePlatform
package import GlissadeTime

/// Observes several regions, and how well the observer itself kept up.
package struct RegionObserver {
    /// What goes into the summary.
    package struct Result: Codable {
        package var version = 1
        package var regions: [String: FrameSummary]
        /// All regions as one: of each look, the frame that any of them showed. Nil where there is only one.
        package var together: FrameSummary?
        /// Drawings that touched a region, and looks that followed: where there are fewer looks, something was drawn over
        /// before the witness had come to look, and a frame that it missed may have been on show.
        package var drawings: Int
        package var looks: Int
        /// Whether the server told of drawing; else the screen was looked at each two milliseconds.
        package var isTold: Bool
        /// What the witness cost.
        package var cpuSeconds: Double
        package var wallSeconds: Double
    }

    package var isTold = true
    private var trackers: [RegionTracker]
    private var observations: [FrameObservation]
    private var together: FrameStatistics
    private var drawings = 0
    private var looks = 0
    private let began = HostTime.now()

    package init(trackers: [RegionTracker], length: Int?) {
        self.trackers = trackers
        observations = trackers.map { _ in .unreadable }
        together = FrameStatistics(filmLength: length)
    }

    /// Looks at the regions that one of the drawings touched; a line for each that shows anything new goes to `tell`.
    package mutating func look(at screen: XScreen, drawn: [Region], time: HostTime, tell: (String) -> Void) {
        let touching = drawn.count { area in trackers.contains { $0.region.overlaps(area) } }
        guard touching > 0 else { return }
        drawings += touching
        looks += 1
        for index in trackers.indices where drawn.contains(where: trackers[index].region.overlaps) {
            let look = trackers[index].look(at: screen, at: time)
            observations[index] = look.observation
            if look.isNew { tell(Self.line(trackers[index].region, look, time)) }
        }
        together.add(all, at: time)
    }

    private var all: FrameObservation {
        for case .frame(let number) in observations { return .frame(number) }
        return observations.allSatisfy { $0 == .black } ? .black : .unreadable
    }

    private static func line(_ region: Region, _ look: RegionTracker.Look, _ time: HostTime) -> String {
        let what =
            switch look.observation {
            case .frame(let number): "\(number)"
            case .black: "black"
            case .unreadable: "unreadable"
            }
        let numbers = [look.column, look.edges?.lowerBound, look.edges?.upperBound].map { $0.map(String.init) ?? "" }
        return (["\(time.nanoseconds)", region.name, what] + numbers).joined(separator: ",")
    }

    /// The result until now.
    package func finished() -> Result {
        Result(
            regions: Dictionary(uniqueKeysWithValues: trackers.map { ($0.region.name, $0.statistics.summary) }),
            together: trackers.count > 1 ? together.summary : nil, drawings: drawings, looks: looks, isTold: isTold,
            cpuSeconds: ResourceUsage().cpuTime.inSeconds, wallSeconds: (HostTime.now() - began).inSeconds)
    }
}
