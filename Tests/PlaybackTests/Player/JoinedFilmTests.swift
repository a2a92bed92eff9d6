import Foundation
import GlissadeGeometry
import GlissadePicture
import GlissadeTestSupport
import GlissadeTime
import Testing

@testable import GlissadeMedia
@testable import GlissadePlayback

/// Files that were joined end to end.
@MainActor @Suite("Joined files", .serialized) struct JoinedFilmTests {
    /// Two transport streams, one after the other: frames 0…99 and 100…199, 4 s each. The second one's times begin
    /// `offset` seconds after those of the first.
    private func film(offset: Int) throws -> String {
        let parts = try [0, 100].map { first in
            try Clips.file(
                "part-\(first)-\(first == 0 ? 0 : offset).ts",
                ffmpeg: NumberedFrames.source(seconds: 4, first: first) + NumberedFrames.tone + NumberedFrames.h264 + [
                    "-c:a", "aac", "-t", "4", "-output_ts_offset", first == 0 ? "0" : "\(offset)",
                ])
        }
        return try Clips.file("joined-\(offset).ts", data: parts.map { try Clips.bytes($0) }.reduce(Data(), +))
    }

    @Test("Joined transport streams show the length of both, and play all of both", arguments: [0, 5000])
    func plays(offset: Int) throws {
        let path = try film(offset: offset)
        let length = try #require(MediaInfo(opening: path).duration)
        #expect(abs(length.inSeconds - 8) < 0.2)
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<200))
        #expect(harness.problems.isEmpty)
        let (first, last) = (try #require(harness.shown.first?.time), try #require(harness.last?.time))
        #expect(abs((last - first).inSeconds - 7.96) < 0.15)
        #expect(abs(try #require(harness.player.info?.duration).inSeconds - 8) < 0.3)
    }

    @Test(
        "A seek finds each half of joined transport streams, and a step back finds the frame before",
        arguments: [0, 5000])
    func seeks(offset: Int) throws {
        let harness = PlaybackHarness(try film(offset: offset), options: .paused)
        harness.nextFrame()
        let start = try #require(harness.player.info?.startTime)
        for seconds in [6.0, 2, 7.5, 0.5, 4.6] {
            let shown = try #require(harness.seek(to: .seconds(seconds)))
            // The join may be some frames longer than the pictures: the sound of the first half ends later.
            #expect(abs(shown.number - Int(seconds * 25)) <= 5)
            #expect(abs((shown.time - start).inSeconds - seconds) < 0.06)
        }
        let number = try #require(harness.last?.number)
        harness.player.stepFrame(forward: false, now: harness.now)
        #expect(harness.nextFrame()?.number == number - 1)
        harness.player.stepFrame(forward: true, now: harness.now)
        #expect(harness.nextFrame()?.number == number)
        #expect(harness.seek(to: .seconds(7), mode: .fast).map { $0.number >= 100 } == true)
        #expect(harness.problems.isEmpty)
    }

    @Test("Posters and seek previews show each part of joined transport streams", arguments: [0, 5000])
    func stills(offset: Int) throws {
        var source = try ThumbnailSource(location: film(offset: offset)) { false }
        func number(_ bitmap: Bitmap) -> Int {
            (0..<8).reduce(0) { bitmap.color((2 * Double($1) + 1) / 16, 0.5)[1] > 128 ? $0 | 1 << $1 : $0 }
        }
        let limit = PixelSize(width: 160, height: 90)
        for seconds in [7.0, 1, 6, 3.5, 4.5] {
            let poster = source.picture(at: seconds / 8, .exact, fitting: limit)
            #expect(abs(number(try #require(poster)) - Int(seconds * 25)) <= 5, "\(seconds)")
            let keyframe = source.picture(at: seconds / 8, fitting: limit)
            #expect((number(try #require(keyframe)) >= 100) == (seconds > 4), "\(seconds)")
            let found = source.findKeyframe(near: .seconds(seconds))
            let preview = source.foundKeyframePicture(fitting: limit)
            let (time, shown) = (try #require(found), number(try #require(preview)))
            #expect(shown % 50 == 0 && abs(time.inSeconds - Double(shown) / 25) < 0.2, "\(shown) at \(time)")
            // A part ends where its sound does, a little after its pictures.
            #expect(abs(time.inSeconds - seconds) < 1.5, "\(seconds): \(time)")
        }
    }

    @Test("All parts of several joined transport streams can be sought")
    func several() throws {
        let parts = try [0, 60, 120, 180].map { first in
            try Clips.file(
                "several-\(first).ts",
                ffmpeg: NumberedFrames.source(seconds: 2.4, first: first) + NumberedFrames.tone + NumberedFrames.h264
                    + [
                        "-c:a", "aac", "-t", "2.4",
                    ])
        }
        let path = try Clips.file("several.ts", data: parts.map { try Clips.bytes($0) }.reduce(Data(), +))
        let harness = PlaybackHarness(path, options: .paused)
        harness.nextFrame()
        #expect(abs(try #require(harness.player.info?.duration).inSeconds - 9.6) < 0.3)
        for seconds in [8.0, 1, 6, 3.5, 9] {
            let shown = try #require(harness.seek(to: .seconds(seconds)))
            #expect(abs(shown.number - Int(seconds * 25)) <= 8, "\(seconds)")
        }
    }

    @Test("A hole in the pictures of a transport stream stays a hole while its sound is off")
    func hole() throws {
        let path = try Clips.file(
            "hole.ts",
            ffmpeg: NumberedFrames.source(seconds: 20, rate: "5") + NumberedFrames.tone + NumberedFrames.h264 + [
                "-vf", "select=lt(t\\,2)+gte(t\\,16)", "-fps_mode", "vfr", "-c:a", "aac", "-t", "20",
            ])
        let harness = PlaybackHarness(path)
        #expect(harness.runToEnd())
        #expect(harness.numbers == Array(0..<10) + Array(80..<100))
        let start = try #require(harness.shown.first?.time)
        for shown in harness.shown { #expect(abs((shown.time - start).inSeconds - Double(shown.number) / 5) < 0.01) }
        #expect(abs(try #require(harness.player.info?.duration).inSeconds - 20) < 0.3 && harness.problems.isEmpty)
    }

    @Test("A join that is found only while playing can be stepped back over")
    func unforeseen() throws {
        // Program streams are not searched on opening.
        let parts = try [0, 100].map { first in
            try Clips.file(
                "part-\(first).vob",
                ffmpeg: NumberedFrames.source(seconds: 4, first: first) + [
                    "-c:v", "mpeg2video", "-q:v", "4", "-g", "25", "-f", "vob",
                ])
        }
        let path = try Clips.file("joined.mpg", data: parts.map { try Clips.bytes($0) }.reduce(Data(), +))
        let harness = PlaybackHarness(path)
        #expect(harness.run { harness.last.map { $0.number >= 150 } == true })
        harness.player.pause(now: harness.now)
        let number = try #require(harness.last?.number)
        harness.player.stepFrame(forward: false, now: harness.now)
        #expect(harness.nextFrame()?.number == number - 1)
        harness.player.play(now: harness.now)
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 199)
    }

    @Test("After a join that comes up while playing a seek goes to its target, never back")
    func onward() throws {
        let parts = try [0, 100].map { first in
            try Clips.bytes(
                Clips.file(
                    "onward-\(first).mpg",
                    ffmpeg: NumberedFrames.source(seconds: 4, first: first) + NumberedFrames.tone + [
                        "-c:v", "mpeg2video", "-q:v", "2", "-g", "25", "-c:a", "mp2", "-t", "4",
                    ]))
        }
        let path = try Clips.file("onward.mpg", data: parts[0] + parts[1])
        let harness = PlaybackHarness(path)
        while let shown = harness.nextFrame(), shown.number < 150 {}
        for seconds in [7.0, 7.5, 5, 1, 7.2] {
            let shown = try #require(harness.seek(to: .seconds(seconds)))
            #expect(abs(shown.number - Int(seconds * 25)) <= 5, "\(seconds) s")
        }
        #expect(harness.runToEnd())
        #expect(harness.last?.number == 199)
    }

    /// Two files of tone, of 400 and 700 Hz, one after the other. `other` are options for the second one.
    private func tonePath(
        _ ending: String, _ codec: [String], seconds: Double, other: [String] = []
    ) throws -> String {
        try Clips.file("tones-\(seconds)\(other.joined()).\(ending)") { path in
            var data: [UInt8] = []
            for pitch in [400, 700] {
                data += try FFmpeg.bytes(
                    ["-f", "lavfi", "-i", "sine=\(pitch):r=44100:d=\(seconds)", "-ac", "2"] + codec
                        + (pitch == 700 ? other : []), ending: ending)
            }
            try Data(data).write(to: URL(fileURLWithPath: path))
        }
    }

    private func tones(_ ending: String, _ codec: [String], seconds: Double) throws -> HeardAudio {
        try HeardAudio(tonePath(ending, codec, seconds: seconds))
    }

    @Test(
        "Two joined files of audio are both heard to their end, also if each is shorter than a second",
        arguments: [
            ("ogg", ["-c:a", "libvorbis"]), ("opus", ["-c:a", "libopus"]), ("flac", ["-c:a", "flac"]),
            ("mp3", ["-c:a", "libmp3lame"]), ("aac", ["-c:a", "aac"]), ("ts", ["-c:a", "mp2"]),
        ], [0.6, 3])
    func audio(kind: (ending: String, codec: [String]), seconds: Double) throws {
        let heard = try tones(kind.ending, kind.codec, seconds: seconds)
        // Encoders add some padding.
        #expect((2 * seconds - 0.05...2 * seconds + 0.2).contains(heard.seconds))
        #expect(heard.longestSilence < 0.07)
        #expect(heard.problems.isEmpty)
    }

    private typealias Kind = (ending: String, codec: [String], seconds: Double, other: [String])

    /// Kinds of files whose times begin again where they were joined, and options for a second one with other headers.
    nonisolated private static let kinds: [Kind] = [
        ("ogg", ["-c:a", "libvorbis"], 0.9, []), ("ogg", ["-c:a", "libvorbis"], 0.9, ["-q:a", "9", "-ar", "22050"]),
        ("ogg", ["-c:a", "libvorbis"], 3, ["-ar", "48000", "-ac", "1"]),
        ("opus", ["-c:a", "libopus"], 0.9, ["-b:a", "24k", "-ac", "1"]),
        ("flac", ["-c:a", "flac"], 0.9, ["-compression_level", "0"]), ("flac", ["-c:a", "flac"], 3, []),
        ("flac", ["-c:a", "flac"], 3, ["-ar", "48000"]),
        ("flac", ["-c:a", "flac"], 0.9, ["-ar", "22050", "-ac", "1"]),
    ]

    @Test(
        "Joined audio can be sought before it has played and after, forward and back over the join", arguments: kinds)
    private func seeksAudio(_ kind: Kind) throws {
        let path = try tonePath(kind.ending, kind.codec, seconds: kind.seconds, other: kind.other)
        for (part, isAgain) in [(0, true), (0.4, true), (0.95, false), (1.4, true)] {
            let heard = try HeardAudio(path, from: .seconds(part * kind.seconds), again: isAgain)
            let length = (2 - part) * kind.seconds
            #expect((length - 0.05...length + 0.2).contains(heard.seconds), "from \(part)")
            #expect(heard.longestSilence < 0.07, "from \(part)")
            let first = heard.frequency(from: 0.1 * kind.seconds, to: 0.5 * kind.seconds)
            #expect(abs(first - (part < 0.9 ? 400 : 700)) < 25, "from \(part)")
            let last = heard.frequency(from: length - 0.5 * kind.seconds, to: length - 0.1 * kind.seconds)
            #expect(abs(last - 700) < 25, "from \(part)")
            #expect(heard.problems.isEmpty, "from \(part)")
        }
    }

    @Test("A cover does not hide where FLAC files were joined")
    func cover() throws {
        let cover = try Clips.file("cover.png", ffmpeg: ["-f", "lavfi", "-i", "color=red:s=32x32", "-frames:v", "1"])
        let path = try Clips.file("covered.flac") { path in
            var data: [UInt8] = []
            for pitch in [400, 700] {
                data += try FFmpeg.bytes(
                    ["-f", "lavfi", "-i", "sine=\(pitch):r=44100:d=3", "-i", cover] + [
                        "-map", "0", "-map", "1", "-c:v", "copy", "-disposition:v", "attached_pic",
                    ], ending: "flac")
            }
            try Data(data).write(to: URL(fileURLWithPath: path))
        }
        let input = try MediaInput(location: path, isForPlaying: true, isInterrupted: { false })
        #expect(input.parts.map(\.length) == [3_000_000_000, 3_000_000_000])
        let heard = try HeardAudio(path, from: .seconds(4))
        #expect(abs(heard.seconds - 2) < 0.05 && abs(heard.frequency(from: 0.2, to: 1.8) - 700) < 25)
        #expect(heard.problems.isEmpty)
    }

    @Test("All parts of joined FLAC files are found at first, whatever their lengths are, with the length of all")
    func unequal() throws {
        let path = try Clips.file("unequal.flac") { path in
            var data: [UInt8] = []
            for (pitch, seconds) in [(400, 2), (700, 12), (1000, 3)] {
                data += try FFmpeg.bytes(
                    ["-f", "lavfi", "-i", "sine=\(pitch):r=44100:d=\(seconds)", "-f", "lavfi"] + [
                        "-i", "anoisesrc=r=44100:a=0.003:d=\(seconds)", "-filter_complex", "amix=inputs=2",
                    ], ending: "flac")
            }
            try Data(data).write(to: URL(fileURLWithPath: path))
        }
        let input = try MediaInput(location: path, isForPlaying: true, isInterrupted: { false })
        #expect(input.parts.map(\.length) == [2_000_000_000, 12_000_000_000, 3_000_000_000])
        #expect(try #require(MediaInfo(input).duration) == .seconds(17))
        for (place, pitch) in [(1, 400.0), (1.9, 400), (8, 700), (13.8, 700), (15, 1000)] {
            let heard = try HeardAudio(path, from: .seconds(place))
            #expect(abs(heard.seconds - (17 - place)) < 0.05 && heard.problems.isEmpty, "from \(place)")
            #expect(abs(heard.frequency(from: 0, to: 0.1) - pitch) < 120, "from \(place)")
        }
    }

    /// Files of tone, of 400, 700 and 1000 Hz, 1 s each, as `ending`.
    private func three(_ ending: String, _ codec: [String]) throws -> [[UInt8]] {
        try [400, 700, 1000].map { pitch in
            try FFmpeg.bytes(["-f", "lavfi", "-i", "sine=\(pitch):r=44100:d=1"] + codec, ending: ending)
        }
    }

    @Test("Joined files that are deleted while they play play on, and can be sought", arguments: ["ogg", "flac"])
    func deleted(ending: String) throws {
        let path = try Clips.file(
            "deleted.\(ending)", data: Data(three(ending, ending == "ogg" ? ["-c:a", "libvorbis"] : []).joined()))
        let heard = try HeardAudio(
            path, from: .seconds(0.5), again: true, beforeSeek: { try FileManager.default.removeItem(atPath: path) })
        #expect(abs(heard.seconds - 2.5) < 0.05 && heard.longestSilence < 0.07 && heard.problems.isEmpty)
        #expect(abs(heard.frequency(from: 1.6, to: 2.4) - 1000) < 25)
    }

    @Test("A loop over three joined files, of two rates and two codecs, plays each of them in turn")
    func mixedLoop() throws {
        let parts = try three("ogg", ["-c:a", "libvorbis"])
        let opus = try FFmpeg.bytes(
            ["-f", "lavfi", "-i", "sine=700:r=48000:d=1", "-c:a", "libopus", "-f", "ogg"], ending: "opus")
        let path = try Clips.file("mixed.ogg", data: Data(parts[0] + opus + parts[2]))
        let heard = try HeardAudio(path, looping: .seconds(6.5))
        for (second, pitch) in [400.0, 700, 1000, 400, 700, 1000].enumerated() {
            let found = heard.frequency(from: Double(second) + 0.2, to: Double(second) + 0.8)
            #expect(abs(found - pitch) < 25, "\(second)")
        }
        #expect(heard.longestSilence < 0.1 && heard.problems.isEmpty)
    }

    @Test("Only the last of joined files may grow, from its own size on", arguments: ["ogg", "flac"])
    func growth(ending: String) throws {
        silenceFFmpeg()
        let parts = try three(ending, ending == "ogg" ? ["-c:a", "libvorbis"] : [])
        let path = try Clips.file("grows.\(ending)", data: Data(parts.joined()))
        let demuxer = Demuxer(
            location: path, packets: PacketBuffer(), subtitles: SubtitleSelection(track: nil), report: { _ in })
        let input = try MediaInput(location: path, isForPlaying: true, isInterrupted: { false })
        let info = MediaInfo(input)
        let streams = AudioStream.all(of: input, info)
        var reading = Demuxer.Reading(
            input: input, info: info, video: nil, cover: nil, audio: streams, isStream: false,
            retries: RetrySchedule(pauses: []))
        var sizes = [reading.growth?.size]
        for index in [1, 2] {
            let isOpen = demuxer.open(part: index, &reading)
            #expect(isOpen)
            sizes.append(reading.growth?.size)
        }
        #expect(sizes == [nil, nil, Int64(parts[2].count)])
    }

    @Test("A part that cannot be decoded is passed over, and playback ends after the last one", arguments: [1, 2])
    func broken(number: Int) throws {
        var parts = try three("ogg", ["-c:a", "libvorbis"])
        parts[number] = try #require(
            OggFile.changing(parts[number]) { body in
                // The third header, without which there is no decoder.
                guard let place = body.indices.first(where: { body[$0...].starts(with: "\u{5}vorbis".utf8) }) else {
                    return
                }
                for index in (place + 7)..<(place + 60) { body[index] = 0xFF }
            })
        let heard = try HeardAudio(try Clips.file("broken-\(number).ogg", data: Data(parts.joined())))
        #expect(heard.problems.count { if case .streamNotPlayable = $0 { true } else { false } } == 1)
        #expect(abs(heard.frequency(from: 0.2, to: 0.8) - 400) < 25)
        if number == 1 {
            #expect(abs(heard.frequency(from: heard.seconds - 0.8, to: heard.seconds - 0.2) - 1000) < 25)
        }
    }

    @Test("Joined audio loops as a whole, without a hole", arguments: kinds.dropFirst())
    private func loopsAudio(_ kind: Kind) throws {
        let path = try tonePath(kind.ending, kind.codec, seconds: kind.seconds, other: kind.other)
        let round = try HeardAudio(path).seconds
        let heard = try HeardAudio(path, looping: .seconds(2.5 * round))
        for (part, pitch) in [(0.5, 400.0), (1.5, 700), (2.5, 400), (3.5, 700)] {
            let place = part * kind.seconds + (part > 2 ? round - 2 * kind.seconds : 0)
            let found = heard.frequency(from: place - 0.2 * kind.seconds, to: place + 0.2 * kind.seconds)
            #expect(abs(found - pitch) < 25, "\(part)")
        }
        #expect(heard.longestSilence < 0.1 && heard.problems.isEmpty)
    }

    @Test(
        "The length of joined audio is told before it plays, and is the one that it then has",
        arguments: [
            ("ogg", ["-c:a", "libvorbis"]), ("opus", ["-c:a", "libopus"]), ("flac", ["-c:a", "flac"]),
            ("mp3", ["-c:a", "libmp3lame"]), ("ac3", ["-c:a", "ac3"]),
        ], [0.8, 3])
    func audioLength(kind: (ending: String, codec: [String]), seconds: Double) throws {
        let path = try tonePath(kind.ending, kind.codec, seconds: seconds)
        let told = try #require(MediaInfo(opening: path, isMeasured: true).duration)
        #expect(abs(told.inSeconds - 2 * seconds) < 0.2)
        #expect(abs(try HeardAudio(path).readLength.inSeconds - told.inSeconds) < 0.1)
    }

    @Test("Where joined FLAC files end, the length shown is what was heard, within 20 ms", arguments: [0.8, 3])
    func flacEnd(seconds: Double) throws {
        let heard = try tones("flac", ["-c:a", "flac"], seconds: seconds)
        #expect(abs(heard.readLength.inSeconds - heard.seconds) < 0.02)
        #expect(abs(heard.seconds - 2 * seconds) < 0.02)
    }

    @Test("The length of joined program streams is told before they play, with their bit rate")
    func programLength() throws {
        let part = try Clips.file(
            "program.mpg",
            ffmpeg: NumberedFrames.source(seconds: 4) + NumberedFrames.tone + [
                "-c:v", "mpeg2video", "-q:v", "4", "-c:a", "mp2", "-t", "4",
            ])
        let path = try Clips.file("programs.mpg", data: try Clips.bytes(part) + Clips.bytes(part))
        let (header, told) = (try MediaInfo(opening: path), try MediaInfo(opening: path, isMeasured: true))
        #expect(abs(try #require(header.duration).inSeconds - 4) < 0.2)
        #expect(abs(try #require(told.duration).inSeconds - 8) < 0.2)
        let rate = try #require(told.bitRate)
        #expect(abs(Double(rate) / (Double(try #require(told.byteCount)) * 8 / 8.05) - 1) < 0.05)
    }

    @Test("The length in a header that is off by less than half a second is told", arguments: [3.3, 3.7])
    func rightLength(header: Double) throws {
        let single = try Clips.file(
            "single.flac", ffmpeg: ["-f", "lavfi", "-i", "sine=400:r=44100:d=3", "-c:a", "flac"])
        var bytes = try Clips.bytes(single)
        // The lower 32 bits of the number of samples.
        let count = UInt32(header * 44100)
        bytes.replaceSubrange(22..<26, with: withUnsafeBytes(of: count.bigEndian) { Data($0) })
        let path = try Clips.file("single-\(count).flac", data: bytes)
        #expect(try abs(#require(MediaInfo(opening: path).duration).inSeconds - header) < 0.01)
        let measured = try #require(MediaInfo(opening: path, isMeasured: true).duration).inSeconds
        #expect(abs(measured - (header < 3.5 ? header : 3)) < 0.01)
    }

    @Test("A film with long pauses between its pictures is as long as its header says")
    func slides() throws {
        let path = try Clips.file(
            "slides.mkv",
            ffmpeg: ["-f", "lavfi", "-i", "testsrc2=s=64x64:r=1/120:d=600", "-c:v", "libx264", "-threads", "1"])
        let length = try #require(MediaInfo(opening: path, isMeasured: true).duration)
        #expect(abs(length.inSeconds - 600) < 1)
    }
}
