import Geometry

/// What is run to see how costs grow.
enum GrowthPlan {
    struct Step: Sendable {
        var options: LaunchOptions
        /// Of layers or pages.
        var count = 0
    }

    static let windows = [(640, 360), (960, 540), (1280, 720), (1920, 1080), (2560, 1440)]
    static let layers = [10, 30, 100, 300, 1000]
    static let pages = [0, 1, 2, 4, 8]
    /// What is not the window's growth is measured in this, unless another one is asked for.
    static let usualSize = Size(width: 1280, height: 720)
    /// How long each size is looked at, unless something else is asked for.
    static let usualDuration = Duration.seconds(4)

    static func steps(of kind: GrowthSeries.Kind, _ asked: LaunchOptions) -> [Step] {
        var options = asked
        options.scenario = kind.scenario
        options.size = asked.size ?? usualSize
        options.duration = asked.duration ?? usualDuration
        // A film that is shorter begins again.
        options.player.isLooping = true
        options.locations = Array(asked.locations.prefix(1))
        func step(_ count: Int = 0, _ change: (inout LaunchOptions) -> Void) -> Step {
            var options = options
            change(&options)
            return Step(options: options, count: count)
        }
        return switch kind {
        case .window:
            windows.map { size in step { $0.size = Size(width: Double(size.0), height: Double(size.1)) } }
        case .video: asked.locations.map { location in step { $0.locations = [location] } }
        case .layers: layers.map { count in step(count) { $0.load = BenchmarkPages(layers: count) } }
        case .pages: pages.map { count in step(count) { $0.load = BenchmarkPages(pagesBeneath: count) } }
        }
    }
}
