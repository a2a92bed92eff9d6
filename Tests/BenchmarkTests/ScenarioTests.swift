import GlissadeSettings
import Testing

@testable import GlissadeApp
@testable import GlissadeBenchmark

/// How a scenario has the player run.
@Suite("Scenario")
struct ScenarioTests {
    @Test("Every scenario has fixed settings, leaves no trace, and ends with its media", arguments: Scenario.allCases)
    func everyScenario(scenario: Scenario) {
        let options = BenchRun(scenario, LaunchOptions()).options
        var settings = Settings()
        if scenario == .list { settings.library.view = .cards }
        #expect(options.fixedSettings == settings)
        #expect(options.isEphemeral && options.keepsRenderer && options.exitsAtEnd)
    }

    @Test("Scrubbing alone shows the controls, unless the command line hides them")
    func controls() {
        var hidden = LaunchOptions()
        hidden.showsControls = false
        for scenario in Scenario.allCases {
            #expect(BenchRun(scenario, LaunchOptions()).options.showsControls == (scenario == .scrub))
            #expect(!BenchRun(scenario, hidden).options.showsControls)
        }
    }

    @Test("The list of cards ends by itself, or after as long as the command line says")
    func list() {
        var options = LaunchOptions()
        #expect(BenchRun(.list, options).options.duration == .seconds(20))
        options.duration = .seconds(1)
        #expect(BenchRun(.list, options).options.duration == .seconds(1))
        #expect(BenchRun(.rest, LaunchOptions()).options.duration == nil)
    }

    @Test("Scripts press where the player's progress bar is")
    @MainActor func progressBar() {
        #expect(InputScript.progressBarHeight == PlayerControls.barHeight)
    }
}
