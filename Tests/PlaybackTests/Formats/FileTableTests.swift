import Foundation
import GlissadeMedia
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadePlayback

/// A table of films: containers, codecs, pixel formats and oddities. What is right is FFmpeg's own decoding of the whole file,
/// frame by frame. The next film that goes wrong is one more line of `table`.
@MainActor @Suite("Table of films", .serialized) struct FileTableTests {
    /// Lines of `ENDINGS: OPTIONS OF FFMPEG; formats=… sizes=… rates=… seconds=… filter=… change=…`. A row of the table is a
    /// film of numbered frames: one for each ending, pixel format, size and rate. What is left out is as in `Row`.
    nonisolated static let table = """
        mp4 mov mkv avi flv ts m2ts 3gp nut h264 asf ismv: X264
        mkv webm ivf avi ogv: VP8
        webm ivf mp4: VP9
        mp4 mkv ts hevc: X265
        mp4 webm ivf: -c:v libsvtav1 -preset 12; seconds=0.6
        avi mkv: -c:v mpeg4 -q:v 2
        avi mp4 mkv: -c:v mpeg4 -q:v 2 -bf 2
        avi: -c:v mpeg4 -q:v 2 -bf 2 -g 20; seconds=2
        avi: -c:v libxvid -q:v 2
        avi: -c:v msmpeg4v2 -q:v 2
        avi wmv: -c:v msmpeg4 -q:v 2
        wmv avi: -c:v wmv1 -q:v 2
        wmv avi mkv: -c:v wmv2 -q:v 2
        flv: -c:v flv1 -q:v 2
        rm: -c:v rv10 -q:v 2; sizes=160x96
        rm: -c:v rv20 -q:v 2; sizes=160x96
        mpg m1v: -c:v mpeg1video -q:v 2
        mpg ts mxf m2v mkv: -c:v mpeg2video -q:v 2 -bf 2
        mkv mpg: -c:v mpeg2video -q:v 2 -flags +ildct+ilme
        wtv: -c:v mpeg2video -q:v 2 -bf 2
        gxf: -c:v mpeg2video -q:v 2; sizes=720x576
        ogv mkv: -c:v libtheora -q:v 8
        mov avi mkv mjpeg: -c:v mjpeg -q:v 2
        avi: -c:v mjpeg -q:v 2; formats=yuvj420p,yuvj422p,yuvj444p
        3gp: -c:v h263 -q:v 2; sizes=176x144
        avi: -c:v h263p -q:v 2; sizes=176x144
        dv: -c:v dvvideo; sizes=720x576
        avi: -c:v dvvideo; formats=yuv411p sizes=720x480 rates=30000/1001
        mov: -c:v svq1 -q:v 2
        avi: -c:v asv1 -q:v 2
        avi: -c:v asv2 -q:v 2
        avi: -c:v ffvhuff
        avi: -c:v huffyuv; formats=yuv422p,rgb24,bgra
        avi: -c:v utvideo; formats=yuv420p,yuv422p,yuv444p,gbrp
        avi: -c:v magicyuv
        mkv: -c:v vc2; formats=yuv422p
        mov avi: -c:v jpeg2000
        mov: -c:v png; formats=rgb24,rgba,gray,gray16be,rgb48be,pal8,monob,ya8
        mov: -c:v qtrle; formats=rgb24,argb,rgb555be
        avi: -c:v zmbv; formats=bgr0,pal8
        flv: -c:v flashsv; formats=bgr24
        flv: -c:v flashsv2; formats=bgr24
        avi mov: -c:v cinepak; formats=rgb24 seconds=0.4 sizes=64x48
        avi: -c:v msvideo1; formats=rgb555le sizes=160x96
        mov: -c:v rpza; formats=rgb555be sizes=64x48
        mov: -c:v prores
        mov mkv: -c:v prores_ks -profile:v 4; formats=yuva444p10le
        mov mkv: -c:v dnxhd -profile:v 1; formats=yuv422p sizes=256x144
        mov: -c:v cfhd; formats=yuv422p10le sizes=256x144
        mov: -c:v hap; formats=rgba sizes=160x96
        mov avi: -c:v v210; formats=yuv422p10le sizes=256x144
        mov: -c:v r210; formats=gbrp10le
        mov: -c:v v410; formats=yuv444p10le
        y4m: -c:v wrapped_avframe -strict -1; formats=yuv420p,yuv422p,yuv444p,gray,yuv420p10le
        gif: -c:v gif
        apng: -c:v apng -plays 1
        mkv: X264; formats=yuv422p,yuv444p,yuv420p10le,yuv422p10le,yuv444p10le,gray,gray10le,nv12
        mkv: -c:v libx264rgb -preset ultrafast; formats=rgb24
        mkv: X265; formats=gray,yuv444p,yuv420p10le,yuv422p12le,gbrp
        webm: VP9; formats=yuv440p,yuv444p,yuv420p10le,yuv444p12le,gbrp
        webm: VP8 -auto-alt-ref 0; formats=yuva420p
        mkv: VP8 -auto-alt-ref 1 -lag-in-frames 10 -deadline good; seconds=2
        mkv: -c:v ffv1 -level 3; formats=yuv410p,yuv411p,yuv440p,yuv420p9le,yuv420p14le,yuv420p16le
        mkv: -c:v ffv1 -level 3; formats=yuv444p16le,gray,gray12le,gray16le,gbrp,gbrp16le,bgra,rgb48le
        mkv: -c:v ffv1 -level 3; formats=yuva420p,yuva444p10le,gbrap
        nut: -c:v rawvideo; formats=uyvy422,yuyv422,nv12,nv21,rgb24,bgra,argb,rgb565le,gray
        nut: -c:v rawvideo; formats=ya8,pal8,monow,p010le,rgb48be,yuv420p16be
        avi: -c:v rawvideo; formats=yuyv422,bgr24,rgb555le,pal8
        mov: -c:v rawvideo; formats=uyvy422,argb
        mkv: X264 -crf 10; formats=yuv444p sizes=17x17,161x91,64x2,2000x20,98x354
        mp4 mkv ts: X264; rates=24000/1001,60000/1001,120
        mp4 ts: X264; rates=1,7/2 seconds=4
        mkv: X264 -bf 3 -b_strategy 0; rates=1,1/3 seconds=30
        mp4: X264 -movflags +frag_keyframe+empty_moov
        mp4: X264 -movflags +dash+frag_every_frame
        mp4: X264 -movflags +faststart
        mp4: X264 -movflags +negative_cts_offsets
        mp4: X264 -movflags +rtphint
        mp4 mkv ts flv: X264 -output_ts_offset 100
        mkv ts flv: X264; change=cutOff
        mp4: X264 -movflags +frag_keyframe+empty_moov; change=cutOff seconds=3
        ts h264: X264; change=twice
        mpg: -c:v mpeg2video -q:v 2; change=twice
        mp4: X264 -use_editlist 0
        mp4: X264 -video_track_timescale 1000000
        mov: X264 -timecode 01:00:00:00
        mp4: X264 -bf 0 -g 1
        mp4 mkv: X264 -g 1000; seconds=3
        mp4 mkv ts: X264 -x264-params open-gop=1:bframes=3; seconds=2
        mkv: X264 -x264-params keyint=infinite:intra-refresh=1; seconds=2
        mkv: X264 -live 1
        mkv: X264 -cluster_time_limit 100
        mkv: X264 -cues_to_front 1
        ts: X264 -output_ts_offset 95442; seconds=3
        ts: X264 -muxdelay 0 -muxpreload 0
        ts: X264 -mpegts_flags +resend_headers -pat_period 0.1
        mkv mp4: X264 -flags +ildct+ilme -x264opts tff=1; sizes=160x96
        mp4 mkv: X264 -aspect 2.39
        mkv: X264 -bsf:v h264_metadata=crop_right=16
        mp4: X264 -bsf:v h264_metadata=crop_bottom=10
        mkv mp4 ts: X264 -fps_mode vfr; filter=select=not(mod(n\\,7))+lt(n\\,9)
        mkv: X264 -bf 0 -bsf:v setts=ts=TS+mod(N\\,3)*9; seconds=2
        mp4: X264 -bf 0 -bsf:v setts=ts=TS+mod(N*7\\,5)*20; seconds=2
        mp4 mkv: X264 -ss 0.5
        flv: X264 -flvflags no_duration_filesize
        mp4: X264 -color_range pc
        """

    /// What stands for many options.
    private nonisolated static let presets = [
        "X264": "-c:v libx264 -preset ultrafast -g 10 -bf 2",
        "X265": "-c:v libx265 -preset ultrafast -x265-params log-level=none:keyint=10",
        "VP8": "-c:v libvpx -deadline realtime -cpu-used 8 -b:v 1M",
        "VP9": "-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -b:v 1M",
    ]

    /// A film of numbered frames.
    struct Row: CustomTestStringConvertible, Sendable {
        /// The ending of the file.
        var ending: String
        /// What `ffmpeg` makes the film with.
        var options: [String]
        /// The pixel format of the numbered frames.
        var format = "yuv420p"
        var size = "160x90"
        var rate = "25"
        var seconds = 1.0
        /// What is done to the numbered frames.
        var filter = ""
        var change: Change?

        /// What becomes of the bytes of the file.
        enum Change: String {
            /// The last third is missing.
            case cutOff
            /// The file, and once more the same.
            case twice
        }

        var testDescription: String {
            let others = [
                format == "yuv420p" ? "" : format, size == "160x90" ? "" : size, rate == "25" ? "" : "at \(rate) Hz",
                filter,
                change?.rawValue ?? "",
            ]
            return ([ending] + options + others.filter { !$0.isEmpty }).joined(separator: " ")
        }

        private var name: String {
            "row-" + String(testDescription.map { $0.isLetter || $0.isNumber ? $0 : "_" }.suffix(180))
        }
        /// Where `ffmpeg` writes the film.
        var path: String { Clips.folder.appendingPathComponent("\(name).\(ending)").path }
        /// The arguments of `ffmpeg` for the source of the film.
        var source: [String] {
            var source = NumberedFrames.source(seconds: seconds, rate: rate, size: size, format: format)
            if !filter.isEmpty { source[source.count - 1] += "," + filter }
            return source
        }

        /// The path of the film as it is played, made of the one that `ffmpeg` wrote.
        func changed() throws -> String {
            guard let change else { return path }
            let bytes = try Clips.bytes(path)
            let changed = change == .twice ? bytes + bytes : bytes.prefix(bytes.count * 2 / 3)
            return try Clips.file("changed-\(name).\(ending)", data: Data(changed))
        }
    }

    private nonisolated static func parse(_ line: Substring) -> [Row] {
        let parts = line.split(separator: ";", maxSplits: 1)
        let (endings, options) = (parts[0].prefix { $0 != ":" }, parts[0].drop { $0 != ":" }.dropFirst())
        var row = Row(
            ending: "",
            options: options.split(separator: " ").flatMap { word in
                (presets[String(word)] ?? String(word)).split(separator: " ").map(String.init)
            })
        var (formats, sizes, rates) = ([row.format], [row.size], [row.rate])
        for field in parts.dropFirst().joined().split(separator: " ") {
            let (key, value) = (field.prefix { $0 != "=" }, String(field.drop { $0 != "=" }.dropFirst()))
            let values = value.split(separator: ",").map(String.init)
            switch key {
            case "formats": formats = values
            case "sizes": sizes = values
            case "rates": rates = values
            case "seconds": row.seconds = Double(value)!
            case "filter": row.filter = value
            case "change": row.change = Row.Change(rawValue: value)!
            default: fatalError("\(key) in the table of films")
            }
        }
        var rows: [Row] = []
        for ending in endings.split(separator: " ") {
            for format in formats {
                for size in sizes {
                    for rate in rates {
                        (row.ending, row.format, row.size, row.rate) = (String(ending), format, size, rate)
                        rows.append(row)
                    }
                }
            }
        }
        return rows
    }

    /// What FFmpeg decodes.
    private struct Reference {
        /// The number in each picture; nil if none is to be seen.
        var numbers: [Int?] = []
        /// When each is shown, in seconds.
        var times: [Double] = []

        private static func crc32(_ bytes: [UInt8]) -> UInt32 {
            ~bytes.reduce(~0) { sum, byte in
                (0..<8).reduce(sum ^ UInt32(byte)) { rest, _ in rest >> 1 ^ (rest & 1 == 1 ? 0xEDB8_8320 : 0) }
            }
        }

        /// The numbers of all pictures of eight columns, by their checksums.
        private static let known: [UInt32: Int] = Dictionary(
            uniqueKeysWithValues: (0..<256).map { number in
                let columns: [UInt8] = (0..<8).map { number >> $0 & 1 == 1 ? 255 : 0 }
                return (crc32(columns), number)
            })

        /// What `ffmpeg` says of a film by `arguments`.
        init(_ description: String) throws {
            var base = 0.0
            for line in description.split(separator: "\n") {
                if line.hasPrefix("#tb 0: ") {
                    let parts = line.dropFirst(7).split(separator: "/").compactMap { Double($0) }
                    base = parts[0] / parts[1]
                } else if !line.hasPrefix("#") {
                    let fields = line.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
                    times.append(try #require(Double(fields[2])) * base)
                    let checksum = try #require(UInt32(fields[5], radix: 16))
                    numbers.append(Self.known[checksum])
                }
            }
        }

        /// The options of an output of `ffmpeg` that describes the pictures of its input.
        static let arguments =
            ["-vf", "scale=8:1:flags=neighbor,format=gray,lut=c0=gt(val\\,128)*255", "-fps_mode", "passthrough"]
            + ["-enc_time_base", "-1", "-f", "framehash", "-hash", "CRC32"]
    }

    nonisolated static let rows = table.split(separator: "\n").flatMap(parse)

    /// The films of some rows, as they are played, and what FFmpeg decodes. A process of `ffmpeg` starts more slowly than it
    /// makes one of them, so each makes many.
    private static func make(_ rows: ArraySlice<Row>) throws -> [(path: String, reference: Reference)] {
        var inputs: [String] = []
        var outputs: [String] = []
        for (input, row) in rows.enumerated() {
            inputs += row.source
            outputs += ["-map", "\(input):v"] + row.options + [row.path]
        }
        try FFmpeg.run(inputs + outputs)
        let paths = try rows.map { try $0.changed() }
        let descriptions = paths.map { "\($0).hashes" }
        (inputs, outputs) = (["-copyts"], [])
        for (input, path) in paths.enumerated() {
            inputs += ["-threads", "1", "-i", path]
            outputs += ["-map", "\(input):v:0"] + Reference.arguments + [descriptions[input]]
        }
        try FFmpeg.run(inputs + outputs)
        return try zip(paths, descriptions).map { path, description in
            (path, try Reference(String(decoding: Clips.bytes(description), as: UTF8.self)))
        }
    }

    /// What was made, by the number of the row's group.
    private static var made: [Int: Result<[(path: String, reference: Reference)], any Error>] = [:]

    @Test(
        "A film shows the pictures that FFmpeg decodes, at their times, to its end",
        arguments: zip(rows, rows.indices))
    func plays(_ row: Row, number: Int) throws {
        let (group, place) = number.quotientAndRemainder(dividingBy: 32)
        if Self.made[group] == nil {
            Self.made[group] = Result { try Self.make(Self.rows.dropFirst(32 * group).prefix(32)) }
        }
        let (path, reference) = try #require(Self.made[group]).get()[place]
        try #require(!reference.numbers.isEmpty)
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.player.state == .ended)
        #expect(row.change == .cutOff || harness.problems.isEmpty)
        let numbers = reference.numbers.map { $0 ?? -1 }
        #expect(harness.numbers == numbers)
        let start = harness.shown.first?.time ?? .zero
        for (index, (frame, time)) in zip(harness.shown, reference.times).enumerated() {
            // FFmpeg's times begin anew where a file does; of bases that differ, one rounds up and one down.
            let right = row.change == .twice ? Double(index * 40) : (time - reference.times[0]) * 1000
            #expect(abs((frame.time - start).inMilliseconds - right) < 1.1, "the time of frame \(index)")
        }
    }
}
