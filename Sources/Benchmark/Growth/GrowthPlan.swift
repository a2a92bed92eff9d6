import GlissadeApp
import GlissadeGeometry

/// The runs of `bench --growth`.
enum GrowthPlan {
    struct Step: Sendable {
        var run: BenchRun
        /// The number of layers or pages; 0 in the series that vary the size of the window or of the video.
        var count = 0
    }

    static let windows = [(640, 360), (960, 540), (1280, 720), (1920, 1080), (2560, 1440)]
    static let layers = [10, 30, 100, 300, 1000]
    static let pages = [0, 1, 2, 4, 8]
    /// The window's size in the series that do not vary it, unless the command line sets another size.
    static let defaultSize = Size(width: 1280, height: 720)
    /// The duration of each run, unless the command line sets another duration.
    static let defaultDuration = Duration.seconds(4)

    /// Returns the runs of one series, in the order in which they are measured.
    ///
    /// - Parameter options: The command-line options. They apply to every run, except where the series varies them.
    static func steps(of kind: GrowthSeries.Kind, _ options: LaunchOptions) -> [Step] {
        var base = BenchRun(kind.scenario, options)
        base.options.size = options.size ?? defaultSize
        base.options.duration = options.duration ?? defaultDuration
        // A video that is shorter than the run starts over.
        base.options.player.isLooping = true
        base.options.locations = Array(options.locations.prefix(1))
        func step(_ count: Int = 0, _ change: (inout BenchRun) -> Void) -> Step {
            var run = base
            change(&run)
            return Step(run: run, count: count)
        }
        return switch kind {
        case .window:
            windows.map { width, height in
                step { $0.options.size = Size(width: Double(width), height: Double(height)) }
            }
        case .video: options.locations.map { location in step { $0.options.locations = [location] } }
        case .layers: layers.map { count in step(count) { $0.pages.layers = count } }
        case .pages: pages.map { count in step(count) { $0.pages.pagesBeneath = count } }
        }
    }
}
