import Foundation
import Glibc
import Testing
import Time
import Witnessing

extension EndToEnd {
    /// The player's controls under a real pointer and real keys, judged from the screen.
    @Suite("Controls", .enabled(if: Glissade.hasDisplay, "no display"))
    struct ControlsTests {
        @Test("The controls come with the pointer and go by themselves, and the film continues beneath")
        func comeAndGo() throws {
            try Overlay.run { overlay in
                try overlay.waitForFrame("it plays") { $0 > 10 }
                try overlay.showControls()
                let shown = try #require(overlay.frames.last)
                try overlay.waitUntil("the controls go") { !overlay.showsBar }
                #expect(overlay.frames.last ?? 0 > shown)
                try overlay.showControls()
                #expect(zip(overlay.frames, overlay.frames.dropFirst()).allSatisfy { $0 < $1 })
            }
        }

        @Test("--no-controls: they do not come with the pointer, but with a click")
        func kept() throws {
            try Overlay.run(options: ["--no-controls"]) { overlay in
                let begun = try overlay.waitForFrame("it plays") { $0 > 10 }
                try Eye.drive("glide:340,250,0.2")
                try overlay.waitForFrame("it goes on") { $0 > begun + 10 }
                #expect(!overlay.showsBar)
                try overlay.click(Int(Overlay.aside.x), Int(Overlay.aside.y))
                try overlay.waitUntil("the controls") { overlay.showsBar }
            }
        }

        @Test("A drag on the progress bar shows pictures of where it is, and lands on the exact frame")
        func scrub() throws {
            try Overlay.run(options: ["--paused"]) { overlay in
                try overlay.waitForFrame("the first") { $0 == 0 }
                // In the middle between two keyframes: what is exact is no keyframe.
                for target in [450 + 6, 198 + 6, 798 + 6].map({ $0 / 12 * 12 + 6 }) {
                    let begun = overlay.frames.count
                    let x = Overlay.place(of: Double(target) + 0.5).rounded()
                    let row = Overlay.barRow
                    try Eye.drive(
                        "move:\(x - 60),\(row)", "press", "glide:\(x - 30),\(row),0.4", "glide:\(x),\(row),0.4",
                        "wait:0.3")
                    // The hand's own end lets go.
                    let frame = try overlay.waitForFrame("\(target)") { abs($0 - target) <= 1 }
                    #expect(try overlay.waitForStandstill() == frame)
                    #expect(Set(overlay.frames.dropFirst(begun)).count >= 3, "pictures on the way to \(target)")
                }
            }
        }

        @Test("A film that played continues after a drag on its progress bar, from the exact frame")
        func scrubbedOn() throws {
            try Overlay.run { overlay in
                try overlay.waitForFrame("it plays") { $0 > 10 }
                let target = 606
                let x = Overlay.place(of: Double(target) + 0.5).rounded()
                let row = Overlay.barRow
                try Eye.drive("move:\(x - 60),\(row)", "press", "glide:\(x),\(row),0.4", "wait:0.2")
                try overlay.waitForFrame("it goes on") { $0 > target + 10 }
                let frames = overlay.frames
                let exact = frames.first { (target - 1...target + 6).contains($0) }
                #expect(exact != nil, "\(frames.suffix(20))")
            }
        }

        @Test("A paused bar stays where it is seen: its edge does not move, and continues without a jump")
        func pausedEdge() throws {
            try Overlay.run { overlay in
                try overlay.waitForFrame("it plays") { $0 > 60 }
                for _ in 1...3 {
                    try overlay.showControls()
                    try overlay.screen.press("space")
                    let frame = try overlay.waitForStandstill()
                    let edge = try #require(overlay.edge)
                    // Where a running animation would have come to its end, it would be 7 pixels on.
                    #expect(abs(Double(edge) - Overlay.place(of: Double(frame))) <= 3, "at frame \(frame)")
                    var looks: [Int?] = []
                    try overlay.waitUntil("forty looks") {
                        looks.append(overlay.edge)
                        return looks.count == 40
                    }
                    #expect(looks.allSatisfy { $0 == edge }, "\(looks)")

                    var places = [edge]
                    try overlay.showControls()
                    try overlay.screen.press("space")
                    try overlay.waitUntil("the edge goes on") {
                        if let place = overlay.edge, place != places.last { places.append(place) }
                        return places.count > 6
                    }
                    #expect(zip(places, places.dropFirst()).allSatisfy { $0 < $1 }, "\(places): none back")
                    try overlay.waitForFrame("the film goes on") { $0 > frame + 5 }
                }
            }
        }

        @Test("A menu picks a track: subtitles go with a click on Off, and come back with one on theirs")
        func trackByPointer() throws {
            try withSubtitles { film in
                try Overlay.run(options: ["--paused"], film: film) { overlay in
                    try overlay.waitForFrame("the first") { $0 == 0 }
                    try overlay.showControls()
                    try overlay.waitUntil("subtitles") { overlay.showsSubtitle }
                    // The menu's last row is Off, the one above it the subtitles'.
                    for (row, isShown) in [(0, false), (1, true)] {
                        try overlay.click(Overlay.tracks, Overlay.buttonRow)
                        try overlay.waitUntil("the menu") { overlay.showsMenu }
                        try overlay.click(Overlay.tracks, Overlay.buttonRow - 51 - row * 34)
                        try overlay.waitUntil("a pick of row \(row)") { overlay.showsSubtitle == isShown }
                        // A pick closes the menu.
                        try overlay.waitUntil("no menu") { !overlay.showsMenu }
                    }
                }
            }
        }

        @Test("The keyboard alone: from opening to a track change, and back to playing")
        func trackByKeyboard() throws {
            try withSubtitles { film in
                try Overlay.run(options: ["--paused"], film: film) { overlay in
                    try overlay.waitForFrame("the first") { $0 == 0 }
                    // Backwards from the last control: fullscreen, floating, lock, tracks.
                    try overlay.screen.press("shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab")
                    try overlay.waitUntil("the controls, and subtitles") { overlay.showsBar && overlay.showsSubtitle }
                    try overlay.screen.press("Return")
                    try overlay.waitUntil("the menu") { overlay.showsMenu }
                    try overlay.screen.press("End", "Return")
                    try overlay.waitUntil("no subtitles") { !overlay.showsSubtitle }
                    // The pick has closed the menu; what is left to be left is the button.
                    try overlay.screen.press("Escape", "p")
                    try overlay.waitForFrame("it plays") { $0 > 20 }
                }
            }
        }

        @Test("After kill -9 the film continues at the frame that was on show")
        func killed() throws {
            try TemporaryFolder.with { folder in
                let state: [String: String?] = ["XDG_STATE_HOME": folder]
                var last = 0
                for round in 0...2 {
                    try Overlay.run(options: round == 0 ? ["--start", "8"] : [], environment: state) { overlay in
                        let first = try overlay.waitForFrame("the first") { _ in true }
                        if round > 0 {
                            let seen = overlay.frames.first ?? 0
                            // What is remembered is a second old at most.
                            #expect((last - Overlay.rate...last + 2).contains(seen), "from \(last) to \(seen)")
                        }
                        try overlay.waitForFrame("it plays for two seconds") { $0 > first + 2 * Overlay.rate }
                        overlay.glissade.send(SIGKILL)
                        try overlay.glissade.expect(.killed(signal: SIGKILL))
                        last = overlay.frames.last ?? 0
                    }
                }
            }
        }

        @Test("A key from config.toml does what it says there, and one that is taken away does nothing")
        func boundKey() throws {
            try withSettings("[keys]\n\"e\" = \"seek-exactly 10\"\n\"LEFT\" = \"none\"\n") { environment in
                try Overlay.run(options: ["--paused"], environment: environment) { overlay in
                    try overlay.waitForFrame("the first") { $0 == 0 }
                    try overlay.screen.press("e")
                    try overlay.waitForFrame("10 s on") { $0 == 10 * Overlay.rate }
                    try overlay.screen.press("Left", "e")
                    try overlay.waitForFrame("20 s on") { $0 == 20 * Overlay.rate }
                    #expect(overlay.glissade.errors == "")
                }
            }
        }

        @Test("A mistake in config.toml is named with its line, the rest is used, and the film plays")
        func mistake() throws {
            let text = "[playback]\nvolume = \"loud\"\n[keys]\n\"e\" = \"seek-exactly 10\"\n\"y\" = \"dance\"\n"
            try withSettings(text) { environment in
                try Overlay.run(environment: environment) { overlay in
                    try overlay.waitForFrame("it plays") { $0 > 10 }
                    let errors = overlay.glissade.errors.split(separator: "\n")
                    #expect(errors.count == 2)
                    #expect(errors.contains { $0.hasPrefix("glissade: config.toml:2: ") }, "\(errors)")
                    #expect(errors.contains { $0.hasPrefix("glissade: config.toml:5: ") }, "\(errors)")
                    try overlay.screen.press("e")
                    try overlay.waitForFrame("10 s on") { $0 >= 10 * Overlay.rate }
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
