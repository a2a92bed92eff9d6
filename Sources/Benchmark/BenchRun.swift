import GlissadeApp
import GlissadePresentation

/// One measured run of the player.
struct BenchRun: Sendable {
    let scenario: Scenario
    var options: LaunchOptions
    /// Layers and pages added at the start of the run, in order to measure their cost.
    var pages = BenchmarkPages()

    /// - Parameter options: The command-line options. The scenario changes some of them.
    init(_ scenario: Scenario, _ options: LaunchOptions) {
        self.scenario = scenario
        self.options = options
        scenario.apply(to: &self.options)
    }

    /// Returns the hooks that run the scenario and, at the end, pass the report to `receive`.
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
