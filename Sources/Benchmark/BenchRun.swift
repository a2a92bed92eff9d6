import App
import Presentation

/// One run of the player under measurement.
struct BenchRun: Sendable {
    let scenario: Scenario
    var options: LaunchOptions
    /// Added to the pages that the run starts with.
    var pages = BenchmarkPages()

    /// - Parameter options: The options of the command line, to which those of the scenario are added.
    init(_ scenario: Scenario, _ options: LaunchOptions) {
        self.scenario = scenario
        self.options = options
        scenario.apply(to: &self.options)
    }

    /// Has the player run the scenario, and report to `receive` at the end.
    @MainActor func hooks(receive: @escaping (FrameReport) -> Void) -> LaunchHooks {
        var hooks = LaunchHooks()
        if let script = InputScript(scenario) {
            hooks.wrapSurface = { ScriptedInputSurface($0, script: script) }
        }
        hooks.preparePages = { pages.add(to: $0) }
        hooks.willWriteReport = { report in
            report.scenario = scenario.rawValue
            receive(report)
        }
        return hooks
    }
}
