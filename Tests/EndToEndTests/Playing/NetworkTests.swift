import Foundation
import Glibc
import Testing
import GlissadeTestSupport

extension EndToEnd {
    /// Films from servers on this machine. `PlaybackTests` has the other protocols, and servers that fail.
    @Suite("Films from a network", .enabled(if: Glissade.isBuilt, "no binary"))
    struct NetworkTests {
        /// The folder of the files of one film, 250 frames with a tone; made once.
        private static let files = Result {
            try Clip.makeFolder("web") { folder in
                let copy = ["-i", try Clip.long.get(), "-c", "copy"]
                try FFmpeg.run(copy + [folder + "/film.mkv"])
                try FFmpeg.run(copy + ["-movflags", "+faststart", folder + "/film.mp4"])
                try FFmpeg.run(
                    copy + ["-hls_time", "2", "-hls_list_size", "0", "-hls_segment_filename", folder + "/film-%d.ts"]
                        + [folder + "/film.m3u8"])
                try FFmpeg.run(
                    copy + ["-hls_time", "2", "-hls_list_size", "0", "-hls_segment_type", "fmp4"]
                        + ["-hls_fmp4_init_filename", "mp4-init.mp4", "-hls_segment_filename", folder + "/mp4-%d.m4s"]
                        + [folder + "/mp4.m3u8"])
                try FFmpeg.run(copy + ["-f", "dash", "-seg_duration", "2", folder + "/film.mpd"])
            }
        }

        /// Plays an address to its end.
        ///
        /// - Returns: the number of frames that were due, and what was said.
        private func play(_ address: String, status: Int32 = 0) throws -> (due: Int, errors: String) {
            try play([address], speed: 1, status: status)[0]
        }

        /// Plays all addresses to their ends, at the same time.
        private func play(
            _ addresses: ArraySlice<String>, speed: Int, status: Int32 = 0
        ) throws -> [(due: Int, errors: String)] {
            guard let address = addresses.first else { return [] }
            return try TemporaryFolder.with { folder in
                let options =
                    ["--offscreen", "--audio", "silent", "--exit-at-end", "--speed", "\(speed)"]
                    + ["--report", folder + "/r.json"]
                return try Glissade.run(options + [address]) { glissade in
                    let others = try play(addresses.dropFirst(), speed: speed, status: status)
                    try glissade.expect(.exited(status))
                    return [(try Glissade.Report(folder + "/r.json").video.due, glissade.errors)] + others
                }
            }
        }

        /// Plays films from a web server to their ends, four times as fast, and expects all of their frames.
        private func expectWholeFilms(_ paths: [String]) throws {
            let server = try HostileServer(URL(fileURLWithPath: Self.files.get()))
            let results = try play(paths.map { server.address($0) }[...], speed: 4)
            for (path, result) in zip(paths, results) {
                #expect(result.due == 250, "\(path)")
                #expect(result.errors == "", "\(path)")
            }
        }

        @Test("A film from a web server plays to its end")
        func web() throws {
            try expectWholeFilms(
                ["/film.mkv", "/film.mp4", "/film.m3u8", "/mp4.m3u8", "/film.mpd", "/no-ranges/film.mkv"]
                    + ["/unsized/film.mkv"])
        }

        @Test("A playlist in a file, with its segments beside it, plays to its end without a word")
        func files() throws {
            let folder = try Self.files.get()
            for result in try play([folder + "/film.m3u8", folder + "/film.mpd"], speed: 4) {
                #expect(result.due == 250)
                #expect(result.errors == "")
            }
        }

        @Test("Without libcurl, an address and a playlist in a file are refused with the reason, and a file plays")
        func withoutLibcurl() throws {
            let films = try Self.files.get()
            try TemporaryFolder.with { folder in
                // The loader tries no other file once it has found a broken one.
                for name in ["libcurl.so.4", "libcurl-gnutls.so.4"] {
                    try Data().write(to: URL(fileURLWithPath: folder + "/" + name))
                }
                let options = ["--offscreen", "--audio", "silent", "--exit-at-end", "--speed", "4"]
                let reason = "web addresses and playlists need libcurl, which is not installed"
                for location in [films + "/film.mkv", films + "/film.m3u8", "http://127.0.0.1:9/film.m3u8"] {
                    let isFile = location.hasSuffix("mkv")
                    try Glissade.run(options + [location], environment: ["LD_LIBRARY_PATH": folder]) { glissade in
                        try glissade.expect(.exited(isFile ? 0 : 1))
                        #expect(glissade.errors == (isFile ? "" : "glissade: \(location): \(reason)\n"))
                    }
                }
            }
        }

        @Test("A film that changes on the server is reported in one line, with exit status 1")
        func changing() throws {
            let server = try HostileServer(URL(fileURLWithPath: Self.files.get()))
            let address = server.address("/changing=40000/film.mkv")
            let (due, errors) = try play(address, status: 1)
            #expect(due > 0)
            #expect(errors == "glissade: \(address): connection lost: the file on the server has changed\n")
        }

        @Test(
            "In a window the arrow keys seek in a film from a web server, and Space pauses it",
            .enabled(if: Glissade.hasDisplay, "no display"), arguments: ["film.mkv", "film.m3u8", "mp4.m3u8"])
        func keys(name: String) throws {
            let server = try HostileServer(URL(fileURLWithPath: Self.files.get()))
            let options = ["--size", "320x180", "--audio", "silent", "--no-controls", "--paused"]
            try Glissade.run(options + [server.address("/\(name)")]) { glissade in
                let screen = try Screen(of: glissade)
                try screen.waitForFrame("the first") { $0 < 3 }
                try screen.press("Right")
                try screen.waitForFrame("five seconds on") { (120...130).contains($0) }
                try screen.press("Left")
                try screen.waitForFrame("back again") { $0 < 13 }
                try screen.press("space")
                try screen.waitForFrame("it plays") { $0 > 20 }
                try screen.press("space")
                _ = try screen.waitForStandstill()
                try screen.press("q")
                try glissade.expect(.exited(0))
                #expect(glissade.errors == "")
            }
        }
    }
}
