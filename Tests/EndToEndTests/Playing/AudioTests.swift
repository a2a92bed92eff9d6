import Foundation
import Glibc
import Testing
import TestSupport

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
