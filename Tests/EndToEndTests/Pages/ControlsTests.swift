import Foundation
import Glibc
import Testing
import GlissadeTime
import GlissadeScreenProbe

extension EndToEnd {
    /// The player's controls under a real pointer and real keys, judged from the screen.
    @Suite("Player controls", .enabled(if: Glissade.hasDisplay, "no display"))
    struct ControlsTests {
        @Test("The controls appear with the pointer and hide by themselves, while the video keeps playing")
        func comeAndGo() throws {
            try ControlsHarness.run { harness in
                try harness.waitForFrame("it plays") { $0 > 10 }
                try harness.showControls()
                let shown = try #require(harness.frames.last)
                try harness.waitUntil("the controls go") { !harness.showsBar }
                #expect(harness.frames.last ?? 0 > shown)
                try harness.showControls()
                #expect(zip(harness.frames, harness.frames.dropFirst()).allSatisfy { $0 < $1 })
            }
        }

        @Test("With --no-controls a click shows the controls, and moving the pointer does not")
        func kept() throws {
            try ControlsHarness.run(options: ["--no-controls"]) { harness in
                let begun = try harness.waitForFrame("it plays") { $0 > 10 }
                try WitnessTool.drive("glide:340,250,0.2")
                try harness.waitForFrame("it goes on") { $0 > begun + 10 }
                #expect(!harness.showsBar)
                try harness.click(Int(ControlsHarness.aside.x), Int(ControlsHarness.aside.y))
                try harness.waitUntil("the controls") { harness.showsBar }
            }
        }

        @Test("A drag on the progress bar shows thumbnails and ends at the exact frame")
        func scrub() throws {
            try ControlsHarness.run(options: ["--paused"]) { harness in
                try harness.waitForFrame("the first") { $0 == 0 }
                // In the middle between two keyframes: what is exact is no keyframe.
                for target in [450 + 6, 198 + 6, 798 + 6].map({ $0 / 12 * 12 + 6 }) {
                    let begun = harness.frames.count
                    let x = ControlsHarness.place(of: Double(target) + 0.5).rounded()
                    let row = ControlsHarness.barRow
                    try harness.showControls()
                    try WitnessTool.drive(
                        "move:\(x - 60),\(row)", "press", "glide:\(x - 30),\(row),0.4", "glide:\(x),\(row),0.4",
                        "wait:0.3")
                    // The button is released at the end of the steps.
                    let frame = try harness.waitForFrame("\(target)") { abs($0 - target) <= 1 }
                    #expect(try harness.waitForStandstill() == frame)
                    #expect(Set(harness.frames.dropFirst(begun)).count >= 3, "pictures on the way to \(target)")
                }
            }
        }

        @Test("A playing video continues from the exact frame after a drag on the progress bar")
        func scrubbedOn() throws {
            try ControlsHarness.run { harness in
                try harness.waitForFrame("it plays") { $0 > 10 }
                let target = 606
                let x = ControlsHarness.place(of: Double(target) + 0.5).rounded()
                let row = ControlsHarness.barRow
                try harness.showControls()
                try WitnessTool.drive("move:\(x - 60),\(row)", "press", "glide:\(x),\(row),0.4", "wait:0.2")
                try harness.waitForFrame("it goes on") { $0 > target + 10 }
                let frames = harness.frames
                let exact = frames.first { (target - 1...target + 6).contains($0) }
                #expect(exact != nil, "\(frames.suffix(20))")
            }
        }

        @Test("The progress bar stands still during a pause and continues without a jump")
        func pausedEdge() throws {
            try ControlsHarness.run { harness in
                try harness.waitForFrame("it plays") { $0 > 60 }
                for _ in 1...3 {
                    try harness.showControls()
                    try harness.screen.press("space")
                    let frame = try harness.waitForStandstill()
                    let edge = try #require(harness.edge)
                    // Where a running animation would have come to its end, it would be 7 pixels on.
                    #expect(abs(Double(edge) - ControlsHarness.place(of: Double(frame))) <= 3, "at frame \(frame)")
                    var looks: [Int?] = []
                    try harness.waitUntil("forty looks") {
                        looks.append(harness.edge)
                        return looks.count == 40
                    }
                    #expect(looks.allSatisfy { $0 == edge }, "\(looks)")

                    var places = [edge]
                    try harness.showControls()
                    try harness.screen.press("space")
                    try harness.waitUntil("the edge goes on") {
                        if let place = harness.edge, place != places.last { places.append(place) }
                        return places.count > 6
                    }
                    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(places): none back")
                    try harness.waitForFrame("the film goes on") { $0 > frame + 5 }
                }
            }
        }

        @Test("A menu turns subtitles off and selects their track again")
        func trackByPointer() throws {
            try withSubtitles { film in
                try ControlsHarness.run(options: ["--paused"], film: film) { harness in
                    try harness.waitForFrame("the first") { $0 == 0 }
                    try harness.showControls()
                    try harness.waitUntil("subtitles") { harness.showsSubtitle }
                    // While subtitles are shown the last row is their encoding. Above it is Off, and above that they are.
                    for (row, isShown) in [(1, false), (1, true)] {
                        try harness.click(ControlsHarness.tracks, ControlsHarness.buttonRow)
                        try harness.waitUntil("the menu") { harness.showsMenu }
                        try harness.click(ControlsHarness.tracks, ControlsHarness.buttonRow - 51 - row * 34)
                        try harness.waitUntil("a pick of row \(row)") { harness.showsSubtitle == isShown }
                        // A pick closes the menu.
                        try harness.waitUntil("no menu") { !harness.showsMenu }
                    }
                }
            }
        }

        @Test("The keyboard alone can open a file, change a track and return to playback")
        func trackByKeyboard() throws {
            try withSubtitles { film in
                try ControlsHarness.run(options: ["--paused"], film: film) { harness in
                    try harness.waitForFrame("the first") { $0 == 0 }
                    // Backwards from the last control: fullscreen, floating, lock, tracks.
                    try harness.screen.press("shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab")
                    try harness.waitUntil("the controls, and subtitles") { harness.showsBar && harness.showsSubtitle }
                    try harness.screen.press("Return")
                    try harness.waitUntil("the menu") { harness.showsMenu }
                    try harness.screen.press("End", "Up", "Return")
                    try harness.waitUntil("no subtitles") { !harness.showsSubtitle }
                    // The pick has closed the menu; what is left to be left is the button.
                    try harness.screen.press("Escape", "p")
                    try harness.waitForFrame("it plays") { $0 > 20 }
                }
            }
        }

        @Test("After a kill -9 the video resumes at the frame that was on screen")
        func killed() throws {
            try TemporaryFolder.with { folder in
                let state: [String: String?] = ["XDG_STATE_HOME": folder]
                var last = 0
                for round in 0...2 {
                    try ControlsHarness.run(options: round == 0 ? ["--start", "8"] : [], environment: state) {
                        harness in
                        let first = try harness.waitForFrame("the first") { _ in true }
                        if round > 0 {
                            let seen = harness.frames.first ?? 0
                            // What is remembered is a second old at most.
                            #expect((last - ControlsHarness.rate...last + 2).contains(seen), "from \(last) to \(seen)")
                        }
                        try harness.waitForFrame("it plays for two seconds") { $0 > first + 2 * ControlsHarness.rate }
                        harness.glissade.send(SIGKILL)
                        try harness.glissade.expect(.killed(signal: SIGKILL))
                        last = harness.frames.last ?? 0
                    }
                }
            }
        }

        @Test("A key binding in config.toml takes effect, and a removed one does nothing")
        func boundKey() throws {
            try withSettings("[keys]\n\"e\" = \"seek-exactly 10\"\n\"LEFT\" = \"none\"\n") { environment in
                try ControlsHarness.run(options: ["--paused"], environment: environment) { harness in
                    try harness.waitForFrame("the first") { $0 == 0 }
                    try harness.screen.press("e")
                    try harness.waitForFrame("10 s on") { $0 == 10 * ControlsHarness.rate }
                    try harness.screen.press("Left", "e")
                    try harness.waitForFrame("20 s on") { $0 == 20 * ControlsHarness.rate }
                    #expect(harness.glissade.errors == "")
                }
            }
        }

        @Test("A mistake in config.toml is reported with its line, the rest is applied, and the video plays")
        func mistake() throws {
            let text = "[playback]\nvolume = \"loud\"\n[keys]\n\"e\" = \"seek-exactly 10\"\n\"y\" = \"dance\"\n"
            try withSettings(text) { environment in
                try ControlsHarness.run(environment: environment) { harness in
                    try harness.waitForFrame("it plays") { $0 > 10 }
                    let errors = harness.glissade.errors.split(separator: "\n")
                    #expect(errors.count == 2)
                    #expect(errors.contains { $0.hasPrefix("glissade: config.toml:2: ") }, "\(errors)")
                    #expect(errors.contains { $0.hasPrefix("glissade: config.toml:5: ") }, "\(errors)")
                    try harness.screen.press("e")
                    try harness.waitForFrame("10 s on") { $0 >= 10 * ControlsHarness.rate }
                }
            }
        }

        private func withSettings(_ text: String, _ body: ([String: String?]) throws -> Void) throws {
            try TemporaryFolder.with { folder in
                try FileManager.default.createDirectory(
                    atPath: folder + "/glissade", withIntermediateDirectories: false)
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/glissade/config.toml"))
                try body(["XDG_CONFIG_HOME": folder])
            }
        }

        /// The film with a line of subtitles beside it, from beginning to end.
        private func withSubtitles(_ body: (String) throws -> Void) throws {
            try TemporaryFolder.with { folder in
                try FileManager.default.createSymbolicLink(
                    atPath: folder + "/film.mp4", withDestinationPath: Clip.controlled.get())
                let text = "1\n00:00:00,000 --> 00:00:30,000\nHHHHH\n"
                try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/film.srt"))
                try body(folder + "/film.mp4")
            }
        }
    }
}
