import Foundation
import Glibc
import GlissadeTestSupport
import Testing

extension EndToEnd {
    @Suite("Standard input, and names of any bytes") struct StandardInputTests {
        /// Runs a line of the shell, in which `$0` is the binary under test.
        private func shell<R>(_ line: String, _ arguments: [String] = [], _ body: (Program) throws -> R) throws -> R {
            guard let path = Glissade.path else { throw Program.Failure(description: "there is no binary to test") }
            return try Program.run(["bash", "-c", line, path] + arguments, body)
        }

        @Test("A film is read from a pipe, which cannot be sought, and from a redirected file, which can")
        func info() throws {
            let clip = try Clip.short.get()
            for (line, isSeekable) in [("cat \"$1\" | \"$0\" info -", false), ("\"$0\" info - < \"$1\"", true)] {
                try TemporaryFolder.with { folder in
                    let film = folder + "/film.mkv"
                    try FFmpeg.run(["-i", clip, "-c", "copy", film])
                    try shell(line, [film]) { glissade in
                        try glissade.expect(.exited(0))
                        #expect(glissade.output.contains("h264"))
                        #expect(glissade.output.contains("not seekable") != isSeekable, "\(glissade.output)")
                    }
                }
            }
        }

        @Test("A film from a pipe plays to its end")
        func plays() throws {
            try TemporaryFolder.with { folder in
                let film = folder + "/film.mkv"
                try FFmpeg.run(["-i", try Clip.short.get(), "-c", "copy", film])
                let line = """
                    cat "$1" | "$0" --offscreen --audio silent --exit-at-end --no-history --report "$2" -
                    """
                try shell(line, [film, folder + "/r.json"]) { glissade in
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == "")
                }
                #expect(try Glissade.Report(folder + "/r.json").video.due == 50)
            }
        }

        @Test("What is read from standard input is not remembered for what is read from it next")
        func forgotten() throws {
            try TemporaryFolder.with { folder in
                let line = """
                    mkdir "$2/state" && XDG_STATE_HOME="$2/state" "$0" --offscreen --audio silent --exit-at-end - < "$1" &&
                    test -n "$(find "$2/state" -type f)" && ! grep -aqr 'fd://' "$2/state"
                    """
                try shell(line, [try Clip.short.get(), folder]) { try $0.expect(.exited(0)) }
            }
        }

        @Test("Standard input that cannot be read is reported")
        func faults() throws {
            for (line, words) in [
                ("\"$0\" info - < /dev/null", "not a media file"), ("\"$0\" info - <&-", "standard input is closed"),
                ("printf '#EXTM3U\\n#EXT-X-TARGETDURATION:2\\n#EXTINF:2,\\na.ts\\n' | \"$0\" info -", "playlist"),
            ] {
                try shell(line) { glissade in
                    try glissade.expect(.exited(1))
                    #expect(glissade.errors.contains(words), "\(glissade.errors)")
                }
            }
        }

        @Test("Names that are not valid UTF-8 are read and written")
        func bytes() throws {
            try TemporaryFolder.with { folder in
                let line = """
                    odd=$(printf '\\377\\376')
                    cp "$1" "$2/$odd.mp4" && cd "$2" && "$0" info "$odd.mp4" &&
                    "$0" --offscreen --audio none --exit-at-end --no-history --report "$odd.json" \\
                        --frame-log="$2/$odd.csv" --screenshot "0.5=$odd.png" "$2/$odd.mp4" &&
                    test -s "$odd.json" && test -s "$odd.csv" && test -s "$odd.png"
                    """
                try shell(line, [try Clip.short.get(), folder]) { glissade in
                    try glissade.expect(.exited(0))
                    #expect(glissade.errors == "" && glissade.output.contains("h264"))
                }
            }
        }
    }
}
