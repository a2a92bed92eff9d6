import Foundation
import GlissadeGeometry
import Testing
import GlissadeScreenProbe
import GlissadeTestSupport

extension EndToEnd {
    /// A change of a stream's variant, as it is seen on the screen and heard from the sound server.
    @Suite("Quality", .enabled(if: Glissade.hasDisplay, "no binary or no display"))
    struct QualityTests {
        private static let rate = ControlsHarness.rate

        /// A folder with streams of the controlled film in two variants, `film.m3u8` and `film.mpd`; made once.
        private static let streams = Result { try Clip.makeFolder("variants", makeStreams) }

        private static func makeStreams(in folder: String) throws {
            try FFmpeg.run(
                ["-i", Clip.controlled.get(), "-filter_complex", "[0:v]split[a][b];[b]scale=480:270:flags=area[c]"]
                    + ["-map", "[a]", "-map", "0:a", "-map", "[c]", "-map", "0:a", "-c:v", "libx264"]
                    + ["-preset", "ultrafast", "-g", "\(rate)", "-keyint_min", "\(rate)"]
                    + ["-sc_threshold", "0", "-crf", "12", "-c:a", "aac", "-f", "hls", "-hls_time", "1"]
                    + ["-hls_playlist_type", "vod", "-var_stream_map", "v:0,a:0 v:1,a:1"]
                    + ["-hls_segment_filename", folder + "/v%v_%d.ts", folder + "/v%v.m3u8"])
            let variants = [("v0.m3u8", 960, 540, 900_000), ("v1.m3u8", 480, 270, 200_000)]
            try Data(StreamVariants.master(variants).utf8)
                .write(to: URL(fileURLWithPath: folder + "/film.m3u8"))
            try FFmpeg.run(
                ["-i", folder + "/v0.m3u8", "-i", folder + "/v1.m3u8", "-map", "0:v", "-map", "1:v", "-map", "0:a"]
                    + ["-c", "copy", "-tag:v", "avc1", "-tag:a", "mp4a", "-f", "dash", "-seg_duration", "1"]
                    + ["-adaptation_sets", "id=0,streams=0,1 id=1,streams=2", "-init_seg_name"]
                    + ["v$RepresentationID$.m4s", "-media_seg_name", "v$RepresentationID$_$Number$.m4s"]
                    + [folder + "/film.mpd"])
        }

        @Test("On a screen of 400 lines the automatic choice is the variant of 270 lines from the start")
        func smallScreen() throws {
            let display = try XServer(width: 640, height: 400)
            let folder = try Self.streams.get()
            // Only this playlist is late, so the window surely exists before the choice.
            let lines = try String(contentsOfFile: folder + "/film.m3u8", encoding: .utf8).split(separator: "\n")
            let late = lines.map { $0.hasPrefix("#") ? $0 : "/" + $0 }.joined(separator: "\n")
            try Data(late.utf8).write(to: URL(fileURLWithPath: folder + "/late.m3u8"))
            let server = try HostileServer(URL(fileURLWithPath: folder))
            let address = server.address("/late=2000/late.m3u8")
            let arguments = ["--audio", "silent", "--speed", "4", "--exit-at-end", address]
            try Glissade.run(arguments, environment: ["DISPLAY": display.name]) { try $0.expect(.exited(0)) }
            let log = try server.log()
            #expect(log.contains { $0.hasPrefix("/v1_5.") })
            // FFmpeg looks into the first segments of all variants.
            #expect(!log.contains { $0.hasPrefix("/v0_2.") })
        }

        @Test(
            "A pick in the quality menu changes the variant: every picture is the next one, and audio goes on",
            arguments: ["film.m3u8", "film.mpd"])
        func pick(name: String) throws {
            let sound = try SoundServer(rewinds: false)
            let recorder = MonitorRecorder(server: sound.address)
            #expect(recorder.waitUntilSettled())
            let folder = try Self.streams.get()
            let server = try HostileServer(URL(fileURLWithPath: folder))
            // The menu opens to the right of the region.
            let margins = ControlsHarness.margins
            let height = ControlsHarness.height - margins.top - margins.bottom
            let watched = try WitnessTool.watch(["film=0,\(margins.top),600,\(height)"]) { witness in
                let size = "\(ControlsHarness.width)x\(ControlsHarness.height)"
                let arguments = ["--size", size, "--position", "0,0", server.address("/" + name)]
                try Glissade.run(arguments, environment: ["PULSE_SERVER": sound.address]) { glissade in
                    let screen = try Screen(of: glissade)
                    func waitForFrame(_ what: String, _ isRight: (Int) -> Bool) throws -> Int {
                        try Program.until(what) {
                            let last = WitnessTool.changes(of: witness).compactMap { Int($0.frame) }.last
                            return last.flatMap { isRight($0) ? $0 : nil }
                        }
                    }
                    _ = try waitForFrame("it plays") { $0 > Self.rate }
                    #expect(try server.log().contains { $0.hasPrefix("/v0_5.") })
                    // Backwards from the last control: fullscreen, floating, lock, tracks. The rows are Automatic,
                    // the better variant and the other one.
                    try screen.press("shift+Tab", "shift+Tab", "shift+Tab", "shift+Tab", "Return")
                    try screen.press("Home", "Down", "Down", "Return")
                    try Program.untilTrue("the other variant is read to its end") {
                        try server.log().contains { $0.hasPrefix("/v1_20.") }
                    }
                    let seen = try waitForFrame("it plays on") { _ in true }
                    _ = try waitForFrame("the other variant is seen") { $0 > seen + 3 * Self.rate }
                    try screen.press("q")
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == "")
                }
            }
            check(watched)
            let silence = recorder.wait { Self.longestSilence($0) }
            #expect(silence.map { $0 <= 50 } == true, "\(silence ?? -1) ms")
        }

        /// Checks that nothing but pictures of the film was seen between its first and its last picture, and in their
        /// order.
        private func check(_ watched: WitnessTool.WatchResult) {
            let frames = watched.changes.map(\.frame)
            guard let first = frames.firstIndex(where: { Int($0) != nil }),
                let last = frames.lastIndex(where: { Int($0) != nil })
            else { return #expect(Bool(false), "nothing was seen") }
            let between = frames[first...last]
            #expect(between.allSatisfy { Int($0) != nil }, "\(between.filter { Int($0) == nil })")
            #expect(watched.summary.backwards == 0 && watched.summary.restarts == 0)
        }

        /// The longest silence between the first and the last audible sample, in milliseconds; nil if nothing was heard.
        private static func longestSilence(_ recording: Recording) -> Double? {
            var (longest, last) = (0, Int?.none)
            for frame in 0..<recording.frameCount where abs(recording[frame, 0]) > 0.01 {
                if let last { longest = max(longest, frame - last) }
                last = frame
            }
            return last == nil ? nil : Double(longest) * 1000 / Double(recording.sampleRate)
        }
    }
}
