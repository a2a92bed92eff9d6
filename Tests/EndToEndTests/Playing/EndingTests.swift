import Foundation
import Glibc
import Testing
import GlissadeTestSupport

extension EndToEnd {
    @Suite("Ending the program") struct EndingTests {
        /// Far more than the second that a signal may take, far less than the clip.
        static let bound = Duration.seconds(6)

        @Test(
            "A signal ends the program with status 4, and the report is written",
            arguments: [SIGTERM, SIGINT, SIGHUP], PlayingTests.surfaces)
        func signals(signal: Int32, surface: [String]) throws {
            let clip = try Clip.long.get()
            for paused in [[], ["--paused"]] {
                try TemporaryFolder.with { folder in
                    let (report, shot) = (folder + "/r.json", folder + "/s.png")
                    let options = ["--audio", "silent", "--report", report, "--screenshot", "0=\(shot)"]
                    try Glissade.run(surface + options + paused + [clip]) { glissade in
                        // Its first frame is on screen.
                        try Program.untilTrue("the screenshot") { access(shot, F_OK) == 0 }
                        glissade.send(signal)
                        try glissade.expect(.exited(4), within: Self.bound)
                        #expect(glissade.errors == "")
                    }
                    #expect(try Glissade.Report(report).video.shown >= 1)
                }
            }
        }

        @Test(
            "A signal ends the program while it waits for a pipe that nobody writes to",
            arguments: PlayingTests.surfaces)
        func pipe(surface: [String]) throws {
            try TemporaryFolder.with { folder in
                let (pipe, report) = (folder + "/pipe.mp4", folder + "/r.json")
                #expect(mkfifo(pipe, 0o600) == 0)
                try Glissade.run(surface + ["--audio", "none", "--report", report, pipe]) { glissade in
                    try Program.untilTrue("its threads") {
                        let threads = try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(glissade.id)/task")
                        return threads?.contains { Self.name(glissade.id, thread: $0) == "signals" } == true
                    }
                    glissade.send(SIGTERM)
                    try glissade.expect(.exited(4), within: Self.bound)
                }
                #expect(try Glissade.Report(report).video.shown == 0)
            }
        }

        @Test("A video can be played from a pipe")
        func pipedFilm() throws {
            try TemporaryFolder.with { folder in
                let (pipe, film, report) = (folder + "/pipe", folder + "/film.mkv", folder + "/r.json")
                #expect(mkfifo(pipe, 0o600) == 0)
                try FFmpeg.run(["-i", try Clip.short.get(), "-c", "copy", film])
                let options = ["--offscreen", "--audio", "none", "--exit-at-end", "--report", report]
                try Glissade.run(options + [pipe]) { glissade in
                    try Program.run(["cp", film, pipe]) { cp in
                        try glissade.expect(.exited(0))
                        try cp.expect(.exited(0))
                    }
                }
                #expect(try Glissade.Report(report).video.due == 50)
            }
        }

        private static func name(_ id: pid_t, thread: String) -> String? {
            let data = FileManager.default.contents(atPath: "/proc/\(id)/task/\(thread)/comm")
            return data.map { String(decoding: $0, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines) }
        }
    }
}
