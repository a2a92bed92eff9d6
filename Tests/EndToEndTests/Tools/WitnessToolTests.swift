import Foundation
import Glibc
import Testing
import GlissadeScreenProbe

extension EndToEnd {
    @Suite("The witness tool", .enabled(if: Glissade.hasDisplay, "no display"))
    struct WitnessToolTests {
        private let options = ["--no-controls", "--audio", "silent"]

        @Test("The witness sees the frames of a 30 fps video in order, and none black")
        func rest() throws {
            try TemporaryFolder.with { folder in
                let (clip, report) = (folder + "/30.mp4", folder + "/r.json")
                try Clip.make(clip, frames: 90, size: (1280, 720), rate: 30)
                let place = ["--size", "1280x720", "--position", "0,0"]
                let result = try WitnessTool.watch(["picture=0,0,1280,720"], options: ["--edges"]) { witness in
                    try Glissade.run(options + place + ["--exit-at-end", "--report", report, clip]) { glissade in
                        try glissade.expect(.exited(0))
                    }
                }
                let summary = result.summary
                #expect(result.observed.isTold, "the server tells of drawing")
                #expect(summary.backwards == 0)
                #expect(summary.black == 0)
                #expect(summary.unreadable == 0)
                #expect(summary.positions == 1)
                #expect(result.changes.contains { $0.left == 0 })
                #expect(summary.first ?? -1 >= 0)
                #expect(summary.last ?? 90 < 90)
                // Not more than the program itself believes, and none of those it has not shown.
                let shown = try Glissade.Report(report).video.shown
                #expect((1...shown).contains(summary.seen))
            }
        }

        @Test("Any column of the picture gives the frame number, also in a small window")
        func columns() throws {
            for (width, height) in [(320, 180), (160, 90), (1280, 720)] {
                let place = ["--size", "\(width)x\(height)", "--position", "40,30", "--paused", "--start", "1"]
                try Glissade.run(options + place + [try Clip.short.get()]) { glissade in
                    let screen = try Screen(of: glissade)
                    try screen.waitForFrame("1 s") { $0 == 25 }
                    let display = try XScreen()
                    for column in 40..<40 + width {
                        let values = try #require(display.grey(x: column..<column + 1, y: 30..<30 + height))
                        let sighting = FrameCode.observation(in: values)
                        if sighting != .frame(25) { Issue.record("\(width)x\(height), column \(column): \(sighting)") }
                    }
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                }
            }
        }

        @Test("A moving picture is found at its new position and read on")
        func moved() throws {
            let place = ["--size", "320x180", "--position", "0,0", "--loop"]
            let regions = ["wide=0,0,640,180", "elsewhere=800,400,320,180"]
            let result = try WitnessTool.watch(regions, options: ["--edges", "--length", "50"]) { witness in
                try Glissade.run(options + place + [try Clip.short.get()]) { glissade in
                    let screen = try Screen(of: glissade)
                    func waitForLeft(_ left: Int) throws {
                        try Program.untilTrue("the picture at \(left)") {
                            witness.output.split(separator: "\n").last?.hasSuffix(",\(left),\(left + 320)") == true
                        }
                    }
                    try waitForLeft(0)
                    for left in [100, 320] {
                        try screen.command("windowmove", "\(left)", "0")
                        try waitForLeft(left)
                    }
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                }
            }
            #expect(result.summary.seen > 0)
            #expect(result.observed.regions["wide"]?.positions ?? 0 >= 3)
            #expect(result.observed.regions["elsewhere"]?.seen == 0)
            #expect(result.changes.filter { $0.region == "elsewhere" }.allSatisfy { $0.frame == "black" })
        }

        @Test("Skipped frames are reported as missed, and a step back is reported")
        func gaps() throws {
            // Numbered 0 to 49, and 128 to 177.
            let (low, high) = (try Clip.short.get(), try Clip.second.get())
            func summary(_ clips: [String]) throws -> FrameSummary {
                try WitnessTool.watch(["0,0,320,180"]) { _ in
                    let place = ["--size", "320x180", "--position", "0,0", "--exit-at-end"]
                    try Glissade.run(options + place + clips) { try $0.expect(.exited(0)) }
                }.summary
            }
            let gap = try summary([low, high])
            #expect(gap.backwards == 0)
            #expect(Set(50..<128).isSubset(of: gap.missed))
            #expect(try summary([high, low]).backwards == 1)
        }

        @Test("The driven pointer ends where its last step led, with no button pressed")
        func pointer() throws {
            try WitnessTool.drive("move:100,100", "press", "swing:100,300,0.1,0.1", "glide:150,160,0.1")
            #expect(try XScreen().pointer == .init(x: 150, y: 160))
            try WitnessTool.drive("move:500,300", "throw:-200,4000")
            #expect(try XScreen().pointer == .init(x: 300, y: 300))
            #expect(try XScreen().heldButtons == [])
        }

        @Test(
            "A malformed option of the witness is refused",
            arguments: [
                ["watch", "--region", "0,0,99999,5"], ["watch", "--region", "0,0,20000,5"],
                ["watch", "--region", "0,0,5,5", "--region", "5,5,5,5"], ["watch", "--columns", "x"],
                ["watch", "--seconds", "-1"], ["watch", "--length", "0"], ["drive", "jump"], ["drive"],
                ["drive", "--rate", "0", "press"], ["film", "--size", "1x1", "/nonexistent/film.mp4"],
                ["film", "--seconds", "9999", "/nonexistent/film.mp4"],
            ])
        func refused(arguments: [String]) throws {
            try Program.run([try WitnessTool.tool()] + arguments) { witness in
                try witness.expect(.exited(64))
                #expect(witness.errors.hasPrefix("Error: "))
            }
        }

        @Test("Without an X server the witness says so")
        func noServer() throws {
            try Program.run([try WitnessTool.tool(), "watch", "--display", ":987"]) { witness in
                try witness.expect(.exited(1))
                #expect(witness.errors.contains(":987"))
            }
        }
    }
}
