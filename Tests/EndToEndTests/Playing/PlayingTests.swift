import Foundation
import Glibc
import Testing

extension EndToEnd {
    @Suite("Playing files") struct PlayingTests {
        /// Without a window, and in one where there is a display.
        static let surfaces: [[String]] = [["--offscreen"]] + (Glissade.hasDisplay ? [["--size", "320x180"]] : [])

        @Test("A clip plays to its end with every frame due once, in order, and the report agrees", arguments: surfaces)
        func toTheEnd(surface: [String]) throws {
            let clip = try Clip.short.get()
            try TemporaryFolder.with { folder in
                let files = ["--report", folder + "/r.json", "--frame-log", folder + "/l.csv"]
                try Glissade.run(surface + ["--audio", "silent", "--exit-at-end"] + files + [clip]) { glissade in
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == "")
                }
                let report = try Glissade.Report(folder + "/r.json")
                #expect(report.version == 1)
                #expect(report.file == clip)
                #expect(report.video.fps == 25)
                #expect(report.video.due == 50)
                #expect(report.video.shown + report.video.dropped == 50)
                let frames = try Glissade.shownFrames(folder + "/l.csv", rate: Clip.rate)
                #expect(frames.count == report.video.shown)
                #expect(zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 })
                #expect(frames.first == 0)
                // A busy machine may drop the last one.
                #expect(frames.last == 49 || report.video.dropped > 0)
            }
        }

        @Test("A screenshot shows the frame at its time, complete", arguments: surfaces)
        func screenshots(surface: [String]) throws {
            let clip = try Clip.short.get()
            // Not of frames one after the other: the first screenshot would make the next frame late.
            let orders = [("0", 0), ("1", 25), ("1.45", 36), ("0:01.96", 49)]
            // On a busy machine a frame is late or dropped, and the screenshot shows the next one: not in each run.
            var missing = Set(orders.map(\.1))
            for _ in 1...4 where !missing.isEmpty {
                try TemporaryFolder.with { folder in
                    let options = orders.flatMap { ["--screenshot", "\($0.0)=\(folder)/\($0.1).png"] }
                    try Glissade.run(surface + ["--audio", "none", "--exit-at-end"] + options + [clip]) { glissade in
                        try glissade.expect(.exited(0))
                        #expect(glissade.errors == "")
                    }
                    for (_, frame) in orders {
                        let shown = try #require(try GreyPicture("\(folder)/\(frame).png").frame)
                        #expect(shown >= frame)
                        if shown == frame { missing.remove(frame) }
                    }
                }
            }
            #expect(missing.isEmpty)
        }

        @Test("Playback with --start begins at exactly that frame")
        func start() throws {
            let clip = try Clip.short.get()
            try TemporaryFolder.with { folder in
                let log = folder + "/l.csv"
                let options = ["--offscreen", "--audio", "none", "--exit-at-end", "--start", "1.2", "--frame-log", log]
                try Glissade.run(options + [clip]) { try $0.expect(.exited(0)) }
                #expect(try Glissade.shownFrames(log, rate: Clip.rate).first == 30)
            }
        }

        @Test("A screenshot before the start time is reported as missed, and later ones are written")
        func screenshotBeforeStart() throws {
            let clip = try Clip.short.get()
            try TemporaryFolder.with { folder in
                let (early, atStart, later) = (folder + "/early.png", folder + "/start.png", folder + "/later.png")
                // The start lies within frame 30, which begins at 1.2 s: so does the second time, though before it.
                let orders = ["0.5=\(early)", "1.205=\(atStart)", "1.6=\(later)"].flatMap { ["--screenshot", $0] }
                let options = ["--offscreen", "--audio", "none", "--exit-at-end", "--start", "1.21"]
                try Glissade.run(options + orders + [clip]) { glissade in
                    try glissade.expect(.exited(1))
                    #expect(glissade.errors == "glissade: \(early): not written: playback started after 0.5 s\n")
                }
                #expect(access(early, F_OK) != 0)
                #expect(try GreyPicture(atStart).frame == 30)
                #expect(access(later, F_OK) == 0)
            }
        }

        @Test("The --duration option ends an otherwise endless run")
        func duration() throws {
            let clip = try Clip.short.get()
            try Glissade.run(["--offscreen", "--audio", "none", "--loop", "--duration", "1", clip]) { glissade in
                try glissade.expect(.exited(0))
            }
        }

        @Test("With --loop playback starts over at the end")
        func loop() throws {
            let clip = try Clip.short.get()
            try TemporaryFolder.with { folder in
                let log = folder + "/l.csv"
                let options = ["--offscreen", "--audio", "none", "--loop", "--duration", "5", "--frame-log", log]
                try Glissade.run(options + [clip]) { try $0.expect(.exited(0)) }
                let frames = try Glissade.shownFrames(log, rate: Clip.rate).map { $0 % 50 }
                #expect(frames.count { $0 == 0 } >= 2)
                #expect(frames.firstIndex(of: 49) ?? .max < frames.lastIndex(of: 0) ?? 0)
            }
        }

        @Test("Files play one after another, those of a folder in natural order")
        func list() throws {
            try TemporaryFolder.with { folder in
                let (first, second) = (try Clip.short.get(), try Clip.second.get())
                // By number: 2 before 10.
                try FileManager.default.copyItem(atPath: first, toPath: folder + "/part 2.mp4")
                try FileManager.default.copyItem(atPath: second, toPath: folder + "/part 10.mp4")
                for arguments in [[first, second], [folder]] {
                    let report = folder + "/r.json"
                    let log = folder + "/l.csv"
                    let options = ["--offscreen", "--audio", "silent", "--exit-at-end", "--report", report]
                    try Glissade.run(options + ["--frame-log", log] + arguments) { glissade in
                        try glissade.expect(.exited(0))
                        #expect(glissade.errors == "")
                    }
                    #expect(try Glissade.Report(report).video.due == 100)
                    let frames = try Glissade.shownFrames(log, rate: Clip.rate)
                    #expect(
                        zip(frames, frames.dropFirst()).count { $0 > $1 } == 1, "the second begins at its beginning")
                }
            }
        }

        @Test("One unplayable file of several is reported once, the others play, and the exit status tells")
        func oneBad() throws {
            try TemporaryFolder.with { folder in
                let clip = try Clip.short.get()
                let bad = folder + "/bad.mp4"
                try Data("no film".utf8).write(to: URL(fileURLWithPath: bad))
                for list in [[bad, clip], [clip, bad]] {
                    let report = folder + "/r.json"
                    let options = ["--offscreen", "--audio", "none", "--exit-at-end", "--report", report]
                    try Glissade.run(options + list) { glissade in
                        try glissade.expect(.exited(1))
                        #expect(glissade.errors.split(separator: "\n").count == 1)
                        #expect(glissade.errors.hasPrefix("glissade: \(bad): "))
                    }
                    #expect(try Glissade.Report(report).video.due == 50)
                }
            }
        }

        @Test(
            "The bench command shows every frame once and prints its table", arguments: ["rest", "throughput"],
            [["--offscreen"], ["--size", "640x360"]])
        func bench(scenario: String, window: [String]) throws {
            let clip = try Clip.short.get()
            try TemporaryFolder.with { folder in
                let log = folder + "/l.csv"
                let options = ["bench", "--audio", "silent", "--scenario", scenario, "--frame-log", log] + window
                try Glissade.run(options + [clip]) { glissade in
                    try glissade.expect(.exited(0))
                    #expect(glissade.output.contains("due 50 "))
                    for row in ["interval", "late", "decode", "prepare", "upload", "compose", "draw", "swap", "loop"] {
                        #expect(glissade.output.contains("\n\(row) "))
                    }
                    #expect(glissade.output.contains(" frames/s") == (scenario == "throughput"))
                }
                if scenario == "throughput" {
                    #expect(try Glissade.shownFrames(log, rate: Clip.rate) == Array(0..<50))
                }
            }
        }

        @Test("An unknown choice is reported in one line along with the valid ones")
        func unknownChoice() throws {
            try Glissade.run(["bench", "--scenario", "nonsense", try Clip.short.get()]) { glissade in
                try glissade.expect(.exited(2))
                #expect(glissade.errors.contains("rest, throughput, drag"))
                #expect(glissade.errors.split(separator: "\n").count == 1)
                #expect(!glissade.errors.contains("\u{FFFD}"))
            }
        }

        @Test("The info command lists what is in a file")
        func info() throws {
            try Glissade.run(["info", try Clip.short.get()]) { glissade in
                try glissade.expect(.exited(0))
                for word in ["h264", "320x180", "25.00 frames/s", "aac", "length 0:02.00"] {
                    #expect(glissade.output.contains(word), "\(word) in:\n\(glissade.output)")
                }
            }
        }

        @Test("The info command names a broken file of a folder, and goes on with the others")
        func infoOfFolder() throws {
            try TemporaryFolder.with { folder in
                try Data("no media".utf8).write(to: URL(fileURLWithPath: folder + "/a.mkv"))
                try FileManager.default.copyItem(atPath: try Clip.short.get(), toPath: folder + "/b.mp4")
                try Glissade.run(["info", folder]) { glissade in
                    try glissade.expect(.exited(1))
                    #expect(glissade.errors.contains("a.mkv: not a media file"))
                    #expect(glissade.output.contains("length 0:02.00"))
                }
            }
        }

        @Test(
            "Help and version go to standard output",
            arguments: ["--help", "--version", "play --help", "bench --help", "keys", "keys --help"])
        func help(arguments: String) throws {
            try Glissade.run(arguments.split(separator: " ").map(String.init)) { glissade in
                try glissade.expect(.exited(0))
                #expect(glissade.errors == "")
                #expect(!glissade.output.isEmpty)
                #expect(glissade.output.split(separator: "\n").allSatisfy { $0.count <= 80 })
            }
        }
    }
}
