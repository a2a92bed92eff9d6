import Foundation
import GlissadeGeometry
import Glibc
import GlissadeScreenProbe
import Testing
import GlissadeTestSupport

extension EndToEnd {
    /// What comes out of the sound server.
    @Suite("Audio", .enabled(if: Glissade.isBuilt, "no binary"))
    struct AudioTests {
        @Test("Audio that fell behind because its file arrived slowly is played to its last sample")
        func toTheEnd() throws {
            let server = try SoundServer(rewinds: false)
            let recorder = MonitorRecorder(server: server.address)
            #expect(recorder.waitUntilSettled())
            try TemporaryFolder.with { folder in
                let pipe = folder + "/pipe.mkv"
                #expect(mkfifo(pipe, 0o600) == 0)
                try makeAudio(folder)
                // Gives the first half, waits for a file "go", and gives the rest.
                let giving = #"cd "$0" && { cat first; until test -e go; do sleep 0.05; done; cat second; } >pipe.mkv"#
                try Program.run(["sh", "-c", giving, folder]) { _ in
                    let arguments = ["--offscreen", "--exit-at-end", pipe]
                    try Glissade.run(arguments, environment: ["PULSE_SERVER": server.address]) { glissade in
                        let isDry = recorder.wait { Self.endsInSilence($0) ? true : nil }
                        #expect(isDry == true)
                        try Data().write(to: URL(fileURLWithPath: folder + "/go"))
                        try glissade.expect(.exited(0))
                    }
                }
            }
            // 20 periods of 48 samples, of each of which 18 lie above 0.4.
            let loud = recorder.wait(atMost: .seconds(5)) { recording -> Int? in
                let count = (0..<recording.frameCount).count { abs(recording[$0, 0]) > 0.4 }
                return count >= 350 ? count : nil
            }
            #expect(loud != nil)
        }

        @Test(
            "Sound has no gap over 5 ms while the page is popped and brought back, in fullscreen, and while the video floats",
            .enabled(if: Glissade.hasDisplay, "no display"))
        func uninterrupted() throws {
            // A busy machine starves the sound server, too; a gap of the program's comes each time.
            var longest = Duration.seconds(1)
            for _ in 1...3 where longest > .milliseconds(5) {
                longest = Self.longestGap(in: try listen(move))
            }
            #expect(longest <= .milliseconds(5))
        }

        /// Pops the page and brings it back, goes through fullscreen, and floats.
        private func move(_ harness: FloatingHarness, _ recorder: MonitorRecorder) throws {
            let (screen, bar) = (harness.screen, try harness.barPicture())
            try harness.waitForFrames(in: screen)
            // Drawn aside and let go, the page goes back; its film goes on in the bar.
            try harness.drag(screen, from: 30, 180, by: 500, 0)
            try harness.waitForFrames { harness.frame(in: bar) }
            try harness.click(FloatingHarness.width * 2 / 5, FloatingHarness.height - 45, of: screen)
            try harness.waitForFrames(in: screen)
            harness.display.movePointer(to: FloatingHarness.aside)
            let home = try screen.waitForRest()
            try screen.press("f")
            try screen.wait(for: Screen.whole())
            try harness.waitForFrames { try screen.picture()?.frame }
            try screen.press("f")
            try screen.wait(for: home)
            try harness.float()
            try harness.takeKeys()
            try screen.press("o")
            try harness.waitForNoFloat()
            try harness.waitForFrames(in: screen)
        }

        @Test(
            "The wheel over the floating window changes the volume that is heard",
            .enabled(if: Glissade.hasDisplay, "no display"))
        func wheel() throws {
            _ = try listen { harness, recorder in
                let float = try harness.float()
                let before = try #require(recorder.wait { Self.level($0).flatMap { $0 > 0.05 ? $0 : nil } })
                try harness.point(at: 100, 200, of: float)
                func turn(_ button: Int) {
                    for _ in 1...25 {
                        for isPressed in [true, false] { harness.display.setButton(button, isPressed: isPressed) }
                    }
                }
                turn(5)
                #expect(recorder.wait { (Self.level($0) ?? 1) < before * 0.8 ? true : nil } == true)
                turn(4)
                #expect(recorder.wait { (Self.level($0) ?? 0) > before * 0.95 ? true : nil } == true)
            }
        }

        /// Plays a film with a continuous tone, and returns what is heard of it until the end of `body`.
        private func listen(_ body: (FloatingHarness, MonitorRecorder) throws -> Void) throws -> Recording {
            let server = try SoundServer(rewinds: false)
            let recorder = MonitorRecorder(server: server.address)
            #expect(recorder.waitUntilSettled())
            return try TemporaryFolder.with { folder in
                let film = folder + "/film.mkv"
                try FFmpeg.run([
                    "-i", Clip.film.get(), "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=48000:duration=30",
                    "-map", "0:v", "-map", "1:a", "-c:v", "copy", "-c:a", "pcm_s16le", film,
                ])
                var heard = recorder.recording
                try FloatingHarness.run(
                    options: ["--audio", "pulse"], arguments: [film], environment: ["PULSE_SERVER": server.address]
                ) { harness in
                    try harness.takeKeys()
                    #expect(recorder.wait { Self.level($0).map { $0 > 0.05 } == true ? true : nil } == true)
                    try body(harness, recorder)
                    heard = recorder.recording
                }
                return heard
            }
        }

        /// The largest sample of the last tenth of a second; nil before there is one.
        private static func level(_ recording: Recording) -> Float? {
            let frames = 0..<recording.frameCount
            let last = frames.suffix(recording.sampleRate / 10)
            return last.map { abs(recording[$0, 0]) }.max()
        }

        /// The longest silence after the first sound.
        private static func longestGap(in recording: Recording) -> Duration {
            let frames = (0..<recording.frameCount).drop { abs(recording[$0, 0]) < 0.05 }
            var (longest, current) = (0, 0)
            for frame in frames {
                current = abs(recording[frame, 0]) < 0.01 ? current + 1 : 0
                longest = max(longest, current)
            }
            return frames.isEmpty ? .seconds(3600) : .seconds(Double(longest) / Double(recording.sampleRate))
        }

        /// Two seconds of a quiet tone, and 20 ms of a loud one at the very end, in two files.
        private func makeAudio(_ folder: String) throws {
            let tone = "if(lt(t,2),0.05,0.5)*cos(2*PI*1000*t)"
            try FFmpeg.run([
                "-f", "lavfi", "-i", "aevalsrc='\(tone)|\(tone)':s=48000:d=2.02", "-c:a", "pcm_s16le",
                folder + "/whole.mkv",
            ])
            let whole = try Data(contentsOf: URL(fileURLWithPath: folder + "/whole.mkv"))
            try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: folder + "/first"))
            try whole.suffix(whole.count - whole.count / 2).write(to: URL(fileURLWithPath: folder + "/second"))
        }

        /// Whether something was heard, and then nothing for half a second.
        private static func endsInSilence(_ recording: Recording) -> Bool {
            let quiet = recording.sampleRate / 2
            let frames = 0..<recording.frameCount
            return frames.count > quiet && frames.suffix(quiet).allSatisfy { abs(recording[$0, 0]) < 0.01 }
                && frames.contains { abs(recording[$0, 0]) > 0.01 }
        }
    }
}
