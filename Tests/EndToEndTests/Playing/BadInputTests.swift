import Foundation
import Glibc
import Testing
import GlissadeTestSupport

extension EndToEnd {
    /// For each: one clear line, the right status, no crash, no hang.
    @Suite("Bad input to the program") struct BadInputTests {
        private func expectFailure(
            _ arguments: [String], environment: [String: String?] = [:], status: Int32, saying words: String,
            sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            try Glissade.run(arguments, environment: environment) { glissade in
                let end = try glissade.wait()
                let lines = glissade.errors.split(separator: "\n", omittingEmptySubsequences: false)
                let said = "\(arguments.joined(separator: " ")) said: \(glissade.errors)"
                #expect(end == .exited(status), "\(said)", sourceLocation: sourceLocation)
                #expect(lines.count == 2 && lines[1].isEmpty, "\(said)", sourceLocation: sourceLocation)
                #expect(glissade.errors.hasPrefix("glissade: "), "\(said)", sourceLocation: sourceLocation)
                #expect(glissade.errors.contains(words), "\(said)", sourceLocation: sourceLocation)
                #expect(glissade.output == "", sourceLocation: sourceLocation)
            }
        }

        private let play = ["--offscreen", "--audio", "none", "--exit-at-end"]

        // MARK: - Files

        /// What is made in a folder, the argument that names it, and what is said.
        struct Bad: CustomTestStringConvertible, Sendable {
            var testDescription: String
            var words: String
            var make: @Sendable (String) throws -> Void
            init(_ name: String, _ words: String, _ make: @escaping @Sendable (String) throws -> Void) {
                (testDescription, self.words, self.make) = (name, words, make)
            }

            static func file(_ name: String, _ words: String, _ text: String) -> Bad {
                Bad(name, words) { try Data(text.utf8).write(to: URL(fileURLWithPath: $0)) }
            }
        }

        static let bad: [Bad] = [
            Bad("missing.mp4", "no such file") { _ in },
            .file("empty.mp4", "empty", ""),
            .file("text.mp4", "not a media file", "Once upon a time\n"),
            .file("only.srt", "needs a video to go with it", "1\n00:00:00,000 --> 00:00:02,000\nHello\n"),
            .file("absurd.y4m", "dimensions are zero or too large", "YUV4MPEG2 W100000 H100000 F25:1 Ip C420\nFRAME\n"),
            .file("nothing.y4m", "dimensions are zero or too large", "YUV4MPEG2 W0 H0 F25:1 Ip C420\nFRAME\n"),
            .file(
                "host.m3u8", "a playlist in a file cannot refer to an address",
                "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nhttp://127.0.0.1:9/x.ts\n#EXT-X-ENDLIST\n"),
            .file("line\nbreak\u{1B}[31m.mp4", "not a media file", "Once upon a time\n"),
            Bad("noise.mp4", "not a media file") { path in
                // The same each time: by chance, noise is some format's.
                var noise = SeededGenerator(seed: 7)
                let bytes = (0..<100_000).map { _ in UInt8.random(in: 0...255, using: &noise) }
                try Data(bytes).write(to: URL(fileURLWithPath: path))
            },
            Bad("headless.mp4", "not a media file") { path in
                let whole = try Data(contentsOf: URL(fileURLWithPath: try Clip.short.get()))
                try whole.prefix(whole.count / 2).write(to: URL(fileURLWithPath: path))
            },
            Bad("folder", "no media") { path in
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
                try Data("text".utf8).write(to: URL(fileURLWithPath: path + "/readme.txt"))
            },
            Bad("file.mp4/film.mp4", "not a directory") { path in
                let file = URL(fileURLWithPath: path).deletingLastPathComponent()
                try FileManager.default.copyItem(at: URL(fileURLWithPath: try Clip.short.get()), to: file)
            },
            Bad("loop.mp4", "symbolic links") { symlink($0, $0) },
            Bad("socket.mp4", "socket.mp4: ") { path in
                let number = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
                var address = sockaddr_un()
                address.sun_family = sa_family_t(AF_UNIX)
                withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
                _ = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        bind(number, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                    }
                }
                close(number)
            },
            Bad("list.m3u8", "it refers to a file outside its folder") { path in
                let list = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n\(try Clip.short.get())\n#EXT-X-ENDLIST\n"
                try Data(list.utf8).write(to: URL(fileURLWithPath: path))
            },
            Bad("list.ffconcat", "list.ffconcat: ") { path in
                try Data("ffconcat version 1.0\nfile '\(try Clip.short.get())'\n".utf8)
                    .write(to: URL(fileURLWithPath: path))
            },
        ]

        @Test("A file that cannot be played is reported in one line", arguments: bad)
        func file(bad: Bad) throws {
            try TemporaryFolder.with { folder in
                let path = folder + "/" + bad.testDescription
                try bad.make(path)
                try expectFailure(play + [path], status: 1, saying: bad.words)
                // Subtitles alone are nothing to play, but something to tell of.
                if !path.hasSuffix(".srt") { try expectFailure(["info", path], status: 1, saying: bad.words) }
            }
        }

        @Test(
            "A file without read permission is reported in one line",
            .enabled(if: getuid() != 0, "root reads everything"))
        func unreadable() throws {
            try TemporaryFolder.with { folder in
                let file = folder + "/film.mp4"
                try FileManager.default.copyItem(atPath: try Clip.short.get(), toPath: file)
                chmod(file, 0)
                try expectFailure(play + [file], status: 1, saying: "permission denied")
                chmod(folder, 0o300)
                defer { chmod(folder, 0o700) }
                try expectFailure(play + [folder], status: 1, saying: "permission denied")
            }
        }

        @Test(
            "A URL without a server is reported in one line",
            arguments: ["http://127.0.0.1:9/film.mp4", "nosuch://film", "smb://host/share/film.mkv"])
        func address(location: String) throws {
            try expectFailure(play + [location], status: 1, saying: location)
        }

        /// Where a file is broken off: after the last whole packet, or in the middle of the one that follows it.
        enum Tear: CaseIterable { case betweenPackets, withinVideo, withinAudio }

        @Test("A truncated file plays what there is and is reported once", arguments: Tear.allCases)
        func truncated(tear: Tear) throws {
            try TemporaryFolder.with { folder in
                let (whole, half, report) = (folder + "/whole.mp4", folder + "/half.mp4", folder + "/r.json")
                try FFmpeg.run(["-i", try Clip.long.get(), "-c", "copy", "-movflags", "+faststart", whole])
                let bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
                let kind = tear == .withinAudio ? "a:0" : "v:0"
                let packets = try Program.tool(
                    "ffprobe", "-v", "error", "-select_streams", kind, "-show_entries", "packet=size,pos", "-of",
                    "csv=p=0", whole
                ).split(separator: "\n").compactMap { line -> Range<Int>? in
                    let numbers = line.split(separator: ",").compactMap { Int($0) }
                    return numbers.count == 2 ? numbers[1]..<numbers[0] + numbers[1] : nil
                }
                let last = try #require(
                    packets.filter { $0.upperBound <= bytes.count * 4 / 10 }.max { $0.lowerBound < $1.lowerBound })
                let end = tear == .betweenPackets ? last.upperBound : last.lowerBound + last.count / 2
                try bytes.prefix(end).write(to: URL(fileURLWithPath: half))
                let audio = tear == .withinAudio ? ["--audio", "silent"] : []
                let options = audio + ["--speed", "4", "--report", report]
                try expectFailure(play + options + [half], status: 0, saying: "incomplete")
                let due = try Glissade.Report(report).video.due
                #expect((25..<200).contains(due))
            }
        }

        @Test("Damaged data keeps playing and is reported once")
        func damaged() throws {
            try TemporaryFolder.with { folder in
                let (whole, broken, report) = (folder + "/whole.mkv", folder + "/broken.mkv", folder + "/r.json")
                try FFmpeg.run(["-i", try Clip.long.get(), "-c", "copy", whole])
                var bytes = try Data(contentsOf: URL(fileURLWithPath: whole))
                for place in stride(from: bytes.count / 4, to: bytes.count * 3 / 4, by: 997) { bytes[place] ^= 0xFF }
                try bytes.write(to: URL(fileURLWithPath: broken))
                try expectFailure(play + ["--report", report, broken], status: 0, saying: "damaged")
                #expect(try Glissade.Report(report).video.due >= 100)
            }
        }

        // MARK: - The command line

        @Test(
            "A wrong option or value is reported in one line, with exit status 2",
            arguments: [
                ("--bogus", "--bogus"), ("--size 0x0", "--size"), ("--size axb", "--size"), ("--size 5", "--size"),
                ("--size 99999x9", "--size"), ("--size -1x5", "--size"), ("--position 1", "--position"),
                ("--position a,b", "--position"), ("--volume 999", "--volume"), ("--volume -1", "--volume"),
                ("--volume loud", "--volume"), ("--volume nan", "--volume"), ("--speed 0", "--speed"),
                ("--speed inf", "--speed"), ("--speed x", "--speed"), ("--start abc", "--start"),
                ("--start -5", "--start"), ("--start 1:99", "--start"), ("--start 1:2:3:4", "--start"),
                ("--start nan", "--start"), ("--start inf", "--start"), ("--start 1e300", "--start"),
                ("--start :", "--start"), ("--duration x", "--duration"), ("--screenshot foo", "--screenshot"),
                ("--screenshot =x.png", "--screenshot"), ("--screenshot 1=", "--screenshot"),
                ("--audio loud", "--audio"),
                ("--hwdec foo", "auto, no, "), ("--hwdec=", "auto, no, "), ("--hwdec VAAPI", "auto, no, "),
                ("--hwdec", "--hwdec"), ("--scenario rest", "--scenario"),
            ])
        func wrongOption(option: String, words: String) throws {
            let arguments = option.split(separator: " ").map(String.init)
            try expectFailure(play + arguments + [try Clip.short.get()], status: 2, saying: words)
        }

        @Test(
            "A command without its argument is reported in one line, with exit status 2",
            arguments: [
                ("bench", "<file>"), ("info", "<file"), ("bench a b", "b"), ("bench --scenario foo a", "--scenario"),
                ("bench --scenario all", "<file>"), ("bench --growth", "<file>"),
                ("bench --growth --scenario rest a", "--scenario"), ("bench --growth --frame-log l a", "--frame-log"),
                ("bench --scenario all --screenshot 0=p a", "--screenshot"),
                ("bench --growth --duration 0 a", "--duration"),
                ("info a b", "b"), ("play --size", "--size"),
            ])
        func incomplete(arguments: String, words: String) throws {
            try expectFailure(arguments.split(separator: " ").map(String.init), status: 2, saying: words)
        }

        @Test("Unavailable hardware decoding is reported in one line, and the video plays in software")
        func noHardware() throws {
            // FFmpeg knows this one by name, and has it on another system alone.
            try Glissade.run(play + ["--hwdec", "dxva2", try Clip.short.get()]) { glissade in
                let end = try glissade.wait()
                #expect(end == .exited(0))
                #expect(glissade.errors.hasPrefix("glissade: "))
                #expect(glissade.errors.contains(": cannot decode with dxva2 ("))
                #expect(glissade.errors.hasSuffix("); decoding in software\n"))
                #expect(glissade.errors.split(separator: "\n").count == 1)
            }
        }

        @Test("An output file that cannot be written is reported in one line", arguments: ["--report", "--frame-log"])
        func unwritable(option: String) throws {
            let path = "/nonexistent/file"
            try expectFailure(play + [option, path, try Clip.short.get()], status: 1, saying: path)
        }

        @Test("A screenshot that cannot be written, or whose time never comes, is reported in one line")
        func screenshots() throws {
            let clip = try Clip.short.get()
            let path = "/nonexistent/file.png"
            try expectFailure(play + ["--screenshot", "1=\(path)", clip], status: 1, saying: path)
            try expectFailure(play + ["--screenshot", "100=\(path)", clip], status: 1, saying: "100.0 s")
        }

        // MARK: - The machine

        @Test("A missing X display is reported in one line", arguments: [nil, ":987"])
        func noDisplay(display: String?) throws {
            try expectFailure(
                ["--audio", "none", try Clip.short.get()], environment: ["DISPLAY": display, "WAYLAND_DISPLAY": nil],
                status: 1, saying: "no display")
        }

        @Test("In a Wayland session without an X server the message names XWayland", arguments: [nil, ""])
        func noXWayland(display: String?) throws {
            try expectFailure(
                ["--audio", "none", try Clip.short.get()],
                environment: [
                    "DISPLAY": display, "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland",
                ],
                status: 1, saying: "needs XWayland")
        }

        @Test("In a Wayland session whose X server does not answer the message is GLFW's")
        func deadXWayland() throws {
            try expectFailure(
                ["--audio", "none", try Clip.short.get()],
                environment: [
                    "DISPLAY": ":987", "WAYLAND_DISPLAY": "wayland-0", "XDG_SESSION_TYPE": "wayland",
                ],
                status: 1, saying: "no display: X11: Failed to open display :987")
        }

        private let tooOld = ["MESA_GLES_VERSION_OVERRIDE": "2.0"]

        @Test("Missing OpenGL ES 3 is reported in one line")
        func noOpenGLES() throws {
            try expectFailure(
                ["--offscreen", "--renderer", "gles", "--audio", "none", try Clip.short.get()], environment: tooOld,
                status: 1,
                saying: "OpenGL ES 3.0 is required")
        }

        @Test(
            "Missing OpenGL ES 3 in a window is reported in one line", .enabled(if: Glissade.hasDisplay, "no display"))
        func noOpenGLESInWindow() throws {
            let options = ["--size", "320x180", "--renderer", "gles", "--audio", "none", try Clip.short.get()]
            try expectFailure(options, environment: tooOld, status: 1, saying: "OpenGL ES 3")
        }

        @Test("A missing OpenGL driver is reported in one line")
        func noDriver() throws {
            try expectFailure(
                play + ["--renderer", "gles", try Clip.short.get()],
                // Where Mesa's drivers are part of its EGL (from 24.2 on), it is EGL's that is not found.
                environment: [
                    "LIBGL_DRIVERS_PATH": "/nonexistent", "LIBGL_ALWAYS_SOFTWARE": "1",
                    "__EGL_VENDOR_LIBRARY_FILENAMES": "/nonexistent",
                ], status: 1,
                saying: "no offscreen surface")
        }

        @Test("The info command prints no control characters of titles and file names")
        func hostileTitles() throws {
            try TemporaryFolder.with { folder in
                let (chapters, film) = (folder + "/chapters.txt", folder + "/a\u{1B}[2J\nb\u{202E}.mkv")
                let hostile = "x\u{1B}]0;y\u{07}\u{1B}[31m\u{9B}31mz"
                try Data(
                    """
                    ;FFMETADATA1
                    title=\(hostile)
                    [CHAPTER]
                    TIMEBASE=1/1000
                    START=0
                    END=1000
                    title=\(hostile)
                    """.utf8
                ).write(to: URL(fileURLWithPath: chapters))
                try FFmpeg.run([
                    "-i", try Clip.short.get(), "-i", chapters, "-map_metadata", "1", "-c", "copy",
                    "-metadata:s:v:0", "title=\(hostile)", "-metadata:s:v:0", "language=\u{1B}c", film,
                ])
                try Glissade.run(["info", film]) { glissade in
                    try glissade.expect(.exited(0))
                    let signs = glissade.output.unicodeScalars.filter { $0.properties.generalCategory == .control }
                    #expect(signs.allSatisfy { $0 == "\n" }, "\(glissade.output.debugDescription)")
                    #expect(!glissade.output.unicodeScalars.contains("\u{202E}"))
                    #expect(glissade.output.components(separatedBy: "]0;y").count == 4, "\(glissade.output)")
                }
            }
        }
    }
}
