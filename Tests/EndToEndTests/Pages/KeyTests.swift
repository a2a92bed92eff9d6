import Foundation
import Testing

extension EndToEnd {
    @Suite("Keys", .enabled(if: Glissade.hasDisplay, "no display"))
    struct KeyTests {
        private let options = ["--size", "320x180", "--audio", "silent"]

        @Test("The period key steps one frame forward, the comma one back, and Space plays from there")
        func steps() throws {
            try TemporaryFolder.with { folder in
                let log = folder + "/l.csv"
                let arguments = options + ["--paused", "--frame-log", log, try Clip.long.get()]
                try Glissade.run(arguments) { glissade in
                    let screen = try Screen(of: glissade)
                    try screen.waitForFrame("the first") { $0 == 0 }
                    for frame in 1...3 {
                        try screen.press("period")
                        try screen.waitForFrame("\(frame)") { $0 == frame }
                    }
                    try screen.press("comma")
                    try screen.waitForFrame("2") { $0 == 2 }
                    try screen.press("space")
                    try screen.waitForFrame("it plays") { $0 > 5 }
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == "")
                }
                let frames = try Glissade.shownFrames(log, rate: Clip.rate)
                #expect(frames.prefix(5) == [0, 1, 2, 3, 2], "each step is one frame, and nothing plays in between")
                // The sound is fetched to where the steps have led, and the frame there with it.
                #expect(zip(frames.dropFirst(4), frames.dropFirst(5)).allSatisfy { $0 <= $1 })
            }
        }

        @Test("Space and p pause at the current frame and continue from it", arguments: ["space", "p"])
        func pause(key: String) throws {
            try TemporaryFolder.with { folder in
                let log = folder + "/l.csv"
                let arguments = options + ["--frame-log", log, try Clip.long.get()]
                try Glissade.run(arguments) { glissade in
                    let screen = try Screen(of: glissade)
                    try screen.waitForFrame("it plays") { $0 > 2 }
                    try screen.press(key)
                    let still = try screen.waitForStandstill()
                    #expect(still < 249, "it was stopped, it did not end")
                    try screen.press(key)
                    try screen.waitForFrame("it goes on") { $0 > still }
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                }
                let frames = try Glissade.shownFrames(log, rate: Clip.rate)
                #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 }, "none twice")
            }
        }

        @Test("Arrow keys seek 5 s to a keyframe, and with Shift exactly 1 s")
        func seeks() throws {
            try Glissade.run(options + ["--paused", try Clip.long.get()]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
                try screen.press("shift+Right")
                try screen.waitForFrame("1 s") { $0 == 25 }
                try screen.press("Right")
                let far = try screen.waitForFrame("6 s, at a keyframe") { $0 > 25 }
                #expect(far.isMultiple(of: 12))
                #expect(abs(far - 150) <= 12)
                try screen.press("shift+Left")
                try screen.waitForFrame("a second less") { $0 == far - 25 }
                try screen.press("Down")
                try screen.waitForFrame("the beginning") { $0 == 0 }
                try screen.press("q")
                try glissade.expect(.exited(0))
            }
        }

        @Test("The f key enters fullscreen and Escape leaves it")
        func fullscreen() throws {
            try Glissade.run(options + ["--paused", "--position", "100,80", try Clip.long.get()]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
                let before = try screen.area()
                let whole = try Screen.size()
                try screen.press("f")
                try Program.untilTrue("the window covers the screen") {
                    try screen.area() == .init(x: 0, y: 0, width: whole.width, height: whole.height)
                }
                try screen.press("period")
                try screen.waitForFrame("the second, large") { $0 == 1 }
                try screen.press("Escape")
                try Program.untilTrue("the window is as before") { try screen.area() == before }
                try screen.press("period")
                try screen.waitForFrame("the third, small") { $0 == 2 }
                try screen.press("q")
                try glissade.expect(.exited(0))
            }
        }

        @Test("Keys with Control or Alt are not commands")
        func foreign() throws {
            try Glissade.run(options + ["--paused", try Clip.long.get()]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 == 0 }
                try screen.press("ctrl+f", "alt+q", "ctrl+period", "period")
                try screen.waitForFrame("one step") { $0 == 1 }
                #expect(!glissade.hasEnded)
            }
        }
    }
}
