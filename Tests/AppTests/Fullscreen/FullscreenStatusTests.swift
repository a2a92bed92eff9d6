import GlissadeDesktop
import GlissadeGeometry
import GlissadeLayers
import Testing
import GlissadeTime

@testable import GlissadeApp

/// What the bar on top of a fullscreen video shows of the battery.
@Suite("Status in fullscreen") @MainActor struct FullscreenStatusTests {
    /// The boxes of a color on the screen.
    private func boxes(_ color: Color, _ program: SteppedProgram) -> [PixelRect] {
        program.list.items.compactMap { item in
            guard case .box(let box) = item, box.gradient == Gradient(color) else { return nil }
            return box.destination
        }
    }

    /// A fullscreen film with its controls.
    private func fullscreenFilm() throws -> SteppedProgram {
        let program = try SteppedProgram.film(Films.plain())
        program.type("f")
        try program.run("it is fullscreen") { $0.application.fullscreen.state == .fullscreen }
        try program.showControls()
        // The controls have faded in.
        program.pass(.milliseconds(500))
        return program
    }

    @Test(
        "The battery is drawn as far as it is charged, in a color of its own while it charges or is nearly empty",
        arguments: [
            (0.0, false, "0 %", Theme.batteryLow, 1), (0.1, false, "10 %", Theme.batteryLow, 2),
            (0.15, false, "15 %", Theme.text, 3), (0.554, false, "55 %", Theme.text, 11),
            (0.1, true, "10 %", Theme.batteryCharging, 2), (1, true, "100 %", Theme.batteryCharging, 20),
        ])
    func battery(level: Double, isCharging: Bool, text: String, color: Color, width: Int) throws {
        let program = try fullscreenFilm()
        let page = try program.page
        let time = try #require(page.status.content?.time)
        let status = BatteryStatus(level: level, isCharging: isCharging)
        #expect(page.setStatus(FullscreenStatusView.Content(time: time, battery: status)))
        program.draw()
        #expect(program.texts.contains(text))
        let outline = try #require(boxes(Theme.batteryOutline, program).first { $0.width == 25 && $0.height == 12 })
        let charge = try #require(
            boxes(color, program).first { outline.contains($0) && $0.height < outline.height && $0.width < 21 })
        #expect(charge.width == width && charge.minX - outline.minX <= 3)
    }

    @Test("Without a battery, the bar shows neither its outline nor its charge")
    func noBattery() throws {
        let program = try fullscreenFilm()
        let page = try program.page
        let content = FullscreenStatusView.Content(
            time: try #require(page.status.content?.time), battery: BatteryStatus(level: 0.5, isCharging: false))
        _ = page.setStatus(content)
        program.draw()
        #expect(program.texts.contains("50 %") && !boxes(Theme.batteryOutline, program).isEmpty)
        #expect(page.setStatus(FullscreenStatusView.Content(time: content.time)))
        program.draw()
        #expect(program.texts.contains(content.time) && !program.texts.contains { $0.hasSuffix(" %") })
        #expect(boxes(Theme.batteryOutline, program).isEmpty)
    }
}
