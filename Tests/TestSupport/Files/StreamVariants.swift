import Foundation

/// HLS and DASH streams with variants, made by the `ffmpeg` command. All files are in `Clips.folder`.
package enum StreamVariants {
    /// The heights of the variants, from the best to the worst. The widths are 16/9 of them.
    package static let heights = [180, 90]
    /// The length of the streams in seconds.
    package static let seconds = 40

    /// The better variant, its audio, and the other variant.
    private static func encoded() throws -> String {
        var source = NumberedFrames.source(seconds: Double(seconds), size: "160x90") + NumberedFrames.tone
        source += ["-filter_complex", "[0:v]split[a][b];[a]scale=320:180:flags=neighbor,noise=alls=8:allf=t[c]"]
        return try Clips.file(
            "variants.mkv",
            ffmpeg: source + ["-map", "[c]", "-map", "1:a", "-map", "[b]"] + [
                "-c:v", "libx264", "-preset", "veryfast", "-g", "25", "-keyint_min", "25", "-sc_threshold", "0", "-bf",
                "2", "-crf", "22", "-threads", "2", "-c:a", "aac", "-t", "\(seconds)",
            ])
    }

    /// Makes the HLS variants `v0.m3u8` (the better one) and `v1.m3u8`, with audio, in segments of a second.
    package static func makeHLS() throws {
        _ = try Clips.file("variants.m3u8") { path in
            let folder = Clips.folder.path
            try FFmpeg.run([
                "-i", encoded(), "-map", "0:0", "-map", "0:1", "-map", "0:2", "-map", "0:1", "-c", "copy", "-f", "hls",
                "-hls_time", "1", "-hls_playlist_type", "vod", "-var_stream_map", "v:0,a:0 v:1,a:1",
                "-hls_segment_filename",
                folder + "/v%v_%d.ts", folder + "/v%v.m3u8",
            ])
            try Data(master([("v0.m3u8", 320, 180, 900_000), ("v1.m3u8", 160, 90, 200_000)]).utf8)
                .write(to: URL(fileURLWithPath: path))
        }
    }

    /// The manifests that `makeDASH` makes of the same film, by the way in which the segments are described.
    package enum DASHKind: String, CaseIterable, Sendable {
        /// Files of a template, with a timeline.
        case timeline
        /// Files of a template, with one duration for all of them.
        case numbers
        /// Byte ranges of a file, all listed.
        case list
        /// Byte ranges of a file that has an index of them.
        case index

        package var name: String { "dash-\(rawValue).mpd" }
    }

    /// Makes a manifest with the HLS variants' video, and with two audio tracks, in segments of a second.
    package static func makeDASH(_ kind: DASHKind) throws {
        try makeHLS()
        let folder = Clips.folder.path
        let stem = "dash-\(kind)-$RepresentationID$"
        _ = try Clips.file(kind.name) { path in
            var options = ["-init_seg_name", stem + "-init.m4s", "-media_seg_name", stem + "-$Number%03d$.m4s"]
            switch kind {
            case .timeline: break
            case .numbers: options += ["-use_timeline", "0"]
            case .list: options += ["-single_file", "1", "-single_file_name", stem + ".mp4"]
            case .index:
                options += ["-single_file", "1", "-single_file_name", stem + ".mp4", "-global_sidx", "1"]
            }
            try FFmpeg.run(
                ["-i", folder + "/v0.m3u8", "-i", folder + "/v1.m3u8", "-map", "0:v", "-map", "1:v", "-map", "0:a"]
                    + [
                        "-map", "1:a", "-c", "copy", "-tag:v", "avc1", "-tag:a", "mp4a", "-metadata:s:a:0",
                        "language=eng", "-metadata:s:a:1",
                    ]
                    + ["language=deu", "-f", "dash", "-seg_duration", "1", "-adaptation_sets"]
                    + ["id=0,streams=0,1 id=1,streams=2 id=2,streams=3"] + options + [path])
            if kind == .index { try replaceLists(path) }
        }
    }

    /// Replaces the lists of byte ranges in a manifest with the place of each file's index.
    private static func replaceLists(_ path: String) throws {
        var manifest = try String(contentsOfFile: path, encoding: .utf8)
        for id in 0..<4 {
            let file = try Clips.bytes(Clips.folder.path + "/dash-index-\(id).mp4")
            guard let list = manifest.range(of: "<SegmentList[\\s\\S]*?</SegmentList>", options: .regularExpression),
                let name = file.range(of: Data("sidx".utf8))
            else { throw CocoaError(.fileReadCorruptFile) }
            let start = name.lowerBound - 4
            let size = file[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
            manifest.replaceSubrange(list, with: "<SegmentBase indexRange=\"\(start)-\(start + size - 1)\"/>")
        }
        try manifest.write(toFile: path, atomically: true, encoding: .utf8)
    }

    /// The HLS streams that `makeMP4` makes of the same film, with segments in MP4.
    package enum MP4Kind: String, CaseIterable, Sendable {
        /// Each segment is a file with video and audio.
        case files
        /// All segments of a variant are byte ranges of one file.
        case ranges
        /// The video and each of two audio tracks have playlists of their own.
        case separate

        package var name: String { "mp4-\(rawValue).m3u8" }
    }

    /// Makes a master playlist with the HLS variants' video and audio in MP4 segments of a second. The variants'
    /// own playlists are `mp4-KIND-0.m3u8` (the better one) and `mp4-KIND-1.m3u8`.
    package static func makeMP4(_ kind: MP4Kind) throws {
        try makeHLS()
        let folder = Clips.folder.path
        let stem = "mp4-\(kind)-"
        _ = try Clips.file(kind.name) { path in
            let isSeparate = kind == .separate
            let streams = isSeparate ? "v:0 v:1 a:0 a:1" : "v:0,a:0 v:1,a:1"
            let options = kind == .ranges ? ["-hls_flags", "single_file"] : []
            let segments = folder + "/" + stem + (kind == .ranges ? "%v.mp4" : "%v-%03d.m4s")
            try FFmpeg.run(
                ["-i", folder + "/v0.m3u8", "-i", folder + "/v1.m3u8", "-map", "0:v", "-map", "1:v", "-map", "0:a"]
                    + ["-map", "1:a", "-c", "copy", "-bsf:a", "aac_adtstoasc", "-f", "hls", "-hls_time", "1"]
                    + ["-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"] + options
                    + ["-hls_fmp4_init_filename", stem + "%v-init.mp4", "-var_stream_map", streams]
                    + ["-hls_segment_filename", segments, folder + "/" + stem + "%v.m3u8"])
            var text = master([(stem + "0.m3u8", 320, 180, 900_000), (stem + "1.m3u8", 160, 90, 200_000)])
            if isSeparate {
                text.replace("RESOLUTION", with: "AUDIO=\"audio\",RESOLUTION")
                for (index, language) in ["en", "de"].enumerated() {
                    text += "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"audio\",NAME=\"\(language)\",LANGUAGE=\"\(language)\","
                    text += "DEFAULT=\(index == 0 ? "YES" : "NO"),URI=\"\(stem)\(index + 2).m3u8\"\n"
                }
            }
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        }
    }

    /// A master playlist.
    package static func master(_ variants: [(address: String, width: Int, height: Int, bitRate: Int)]) -> String {
        "#EXTM3U\n#EXT-X-VERSION:3\n"
            + variants.map {
                "#EXT-X-STREAM-INF:BANDWIDTH=\($0.bitRate),RESOLUTION=\($0.width)x\($0.height)\n\($0.address)\n"
            }.joined()
    }

    /// The address of a copy of the variant `name` (`v0` or `v1`) whose segments from the one at `first` on a test server
    /// sends in `mode`.
    package static func copy(of name: String, mode: String, from first: Int = 0, as copy: String) throws -> String {
        _ = try Clips.file("\(copy).m3u8") { path in
            let list = try String(contentsOfFile: Clips.folder.path + "/\(name).m3u8", encoding: .utf8)
            let changed = (first..<seconds).reduce(list) {
                $0.replacingOccurrences(of: "\n\(name)_\($1).", with: "\n\(mode)/\(name)_\($1).")
            }
            try changed.write(toFile: path, atomically: true, encoding: .utf8)
        }
        return "\(copy).m3u8"
    }
}
