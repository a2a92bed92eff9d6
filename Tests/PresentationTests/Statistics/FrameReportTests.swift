import Foundation
import GlissadeGeometry
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadePresentation

/// The report as programs read it: version 1.
@Suite("Frame report")
struct FrameReportTests {
    private func json(_ log: FrameLog, frameRate: Double? = nil) throws -> [String: Any] {
        let report = FrameReport(
            log,
            of: FrameReport.Run(
                file: "film.mp4", renderer: "llvmpipe", window: PixelSize(width: 1280, height: 720), scenario: "rest",
                started: HostTime(nanoseconds: 0)),
            film: FrameReport.Film(frameRate: frameRate, due: 10, dropped: 2))
        let object = try JSONSerialization.jsonObject(with: JSONEncoder().encode(report))
        return try #require(object as? [String: Any])
    }

    private func part(_ json: [String: Any], _ key: String) throws -> [String: Any] {
        try #require(json[key] as? [String: Any])
    }

    private let costs: Set = ["decode", "prepare", "resolve", "upload", "compose", "draw", "swap", "loop"]

    @Test("A report has exactly the keys of version 1, measured or not", arguments: [false, true])
    func keys(isMeasured: Bool) throws {
        let log = FrameLog()
        if isMeasured { Self.measure(log) }
        let json = try json(log, frameRate: isMeasured ? 25 : nil)
        #expect(
            Set(json.keys) == [
                "version", "file", "renderer", "window", "scenario", "video", "present", "presented", "floating",
                "cost_ms",
                "av_offset_ms",
                "first_frame_ms", "cpu_seconds", "wall_seconds", "peak_rss_mib",
            ])
        #expect(Set(try part(json, "window").keys) == ["width", "height"])
        #expect(
            Set(try part(json, "video").keys) == [
                "fps", "decoder", "width", "height", "due", "shown", "dropped", "repeated", "uploaded", "resized",
                "resolved",
                "late_ms",
            ])
        #expect(Set(try part(json, "present").keys) == ["count", "interval_ms"])
        #expect(Set(try part(json, "cost_ms").keys) == costs)
        #expect(json["version"] as? Int == 1)
    }

    @Test("A value that was not measured is null, never 0")
    func unmeasured() throws {
        let json = try json(FrameLog())
        #expect(json["av_offset_ms"] is NSNull)
        #expect(json["first_frame_ms"] is NSNull)
        #expect(try part(json, "video")["fps"] is NSNull)
        #expect(try part(json, "video")["late_ms"] is NSNull)
        #expect(try part(json, "present")["interval_ms"] is NSNull)
        #expect(json["presented"] is NSNull)
        #expect(try part(json, "video")["width"] is NSNull)
        #expect(try part(json, "video")["height"] is NSNull)
        for cost in costs { #expect(try part(json, "cost_ms")[cost] is NSNull) }
        #expect(try part(json, "present")["count"] as? Int == 0, "what was counted is a number")
    }

    @Test("Every measured value has its own key")
    func measured() throws {
        let log = FrameLog()
        Self.measure(log)
        let json = try json(log, frameRate: 25)
        func near(_ object: Any?, _ value: Double) -> Bool {
            guard let times = object as? [String: Double], Set(times.keys) == ["p50", "p95", "p99", "max"] else {
                return false
            }
            return times.values.allSatisfy { abs($0 - value) <= value / 100 }
        }
        #expect(near(try part(json, "cost_ms")["upload"], 2))
        #expect(near(try part(json, "cost_ms")["draw"], 3))
        #expect(near(try part(json, "cost_ms")["swap"], 4))
        #expect(near(try part(json, "cost_ms")["decode"], 7))
        #expect(near(try part(json, "cost_ms")["prepare"], 8))
        #expect(near(try part(json, "cost_ms")["resolve"], 9))
        #expect(near(try part(json, "cost_ms")["compose"], 1))
        #expect(near(try part(json, "cost_ms")["loop"], 19), "what was brought up, placed, drawn and swapped")
        #expect(near(try part(json, "present")["interval_ms"], 40))
        #expect(near(try part(json, "video")["late_ms"], 5))
        #expect(near(json["av_offset_ms"], 6))
        #expect(json["first_frame_ms"] as? Double == 1005)
        let video = try part(json, "video")
        #expect(video["fps"] as? Double == 25)
        #expect(["due", "shown", "dropped", "repeated"].map { video[$0] as? Int } == [10, 2, 2, 0])
        #expect(["uploaded", "resized", "resolved"].map { video[$0] as? Int } == [1, 1, 1])
        #expect(try #require(json["cpu_seconds"] as? Double) > 0)
        #expect(try #require(json["peak_rss_mib"] as? Double) > 1)
    }

    /// Returns the text of a report on one line, with fixed values in place of those of this process.
    private func text(_ log: FrameLog, _ film: FrameReport.Film) throws -> String {
        var report = FrameReport(
            log,
            of: FrameReport.Run(
                file: "film.mp4", renderer: "llvmpipe", window: PixelSize(width: 1280, height: 720), scenario: "rest",
                started: HostTime(nanoseconds: 0)),
            film: film)
        (report.cpuSeconds, report.wallSeconds, report.peakRssMib) = (1.5, 10.25, nil)
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return try #require(String(data: encoder.encode(report), encoding: .utf8))
    }

    @Test("A report without measurements has this text")
    func unmeasuredText() throws {
        #expect(try text(FrameLog(), FrameReport.Film()) == Self.unmeasuredReport)
    }

    @Test("A report of frames in both windows has this text")
    func measuredText() throws {
        let log = FrameLog()
        Self.measure(log)
        for refresh in 0..<2 {
            let time = HostTime(nanoseconds: 0) + .milliseconds(20 * refresh)
            log.recordPresented(DisplayReport(.presented, at: time, refreshCount: nil))
            log.recordFloatingPresent(
                draw: .milliseconds(3), swap: .milliseconds(4), interval: refresh == 0 ? nil : .milliseconds(20))
        }
        let film = FrameReport.Film(
            frameRate: 25, decoder: "h264", size: PixelSize(width: 64, height: 32), due: 10, dropped: 2)
        #expect(try text(log, film) == Self.measuredReport)
    }

    private static let unmeasuredReport = """
        {"av_offset_ms":null,"cost_ms":{"compose":null,"decode":null,"draw":null,"loop":null,"prepare":null,\
        "resolve":null,"swap":null,"upload":null},"cpu_seconds":1.5,"file":"film.mp4","first_frame_ms":null,\
        "floating":null,"peak_rss_mib":null,"present":{"count":0,"interval_ms":null},"presented":null,\
        "renderer":"llvmpipe","scenario":"rest","version":1,"video":{"decoder":null,"dropped":0,"due":0,\
        "fps":null,"height":null,"late_ms":null,"repeated":0,"resized":0,"resolved":0,"shown":0,"uploaded":0,\
        "width":null},"wall_seconds":10.25,"window":{"height":720,"width":1280}}
        """
    private static let measuredReport = """
        {"av_offset_ms":{"max":6.003,"p50":6,"p95":6,"p99":6},"cost_ms":{"compose":{"max":1,"p50":1,"p95":1,\
        "p99":1},"decode":{"max":7.003,"p50":7,"p95":7,"p99":7},"draw":{"max":3.001,"p50":3,"p95":3,"p99":3},\
        "loop":{"max":19.007,"p50":19,"p95":19,"p99":19},"prepare":{"max":8.003,"p50":8,"p95":8,"p99":8},\
        "resolve":{"max":9.007,"p50":9,"p95":9,"p99":9},"swap":{"max":4.001,"p50":4,"p95":4,"p99":4},\
        "upload":{"max":2,"p50":2,"p95":2,"p99":2}},"cpu_seconds":1.5,"file":"film.mp4","first_frame_ms":1005,\
        "floating":{"draw":{"max":3.001,"p50":3,"p95":3,"p99":3},"present":{"count":2,"interval_ms":{"max":20.015,\
        "p50":20,"p95":20,"p99":20}},"swap":{"max":4.001,"p50":4,"p95":4,"p99":4}},"peak_rss_mib":null,\
        "present":{"count":2,"interval_ms":{"max":40.031,"p50":40,"p95":40,"p99":40}},"presented":{"count":2,\
        "interval_ms":{"max":20.015,"p50":20,"p95":20,"p99":20},"skipped":0},"renderer":"llvmpipe",\
        "scenario":"rest","version":1,"video":{"decoder":"h264","dropped":2,"due":10,"fps":25,"height":32,\
        "late_ms":{"max":5.003,"p50":5,"p95":5,"p99":5},"repeated":0,"resized":1,"resolved":1,"shown":2,\
        "uploaded":1,"width":64},"wall_seconds":10.25,"window":{"height":720,"width":1280}}
        """

    @Test("A later run in the same process is counted from its own start")
    func laterRun() throws {
        let before = ResourceUsage()
        let report = FrameReport(
            FrameLog(),
            of: FrameReport.Run(
                file: "", renderer: "", window: PixelSize(width: 1, height: 1), scenario: "rest", started: .now(),
                before: before),
            film: FrameReport.Film(size: PixelSize(width: 64, height: 32)))
        let cpu = try #require(report.cpuSeconds)
        #expect(cpu >= 0 && cpu <= ResourceUsage().cpuTime.inSeconds - before.cpuTime.inSeconds)
        #expect([report.video.width, report.video.height] == [64, 32])
    }

    private static func measure(_ log: FrameLog) {
        log.recordTaken(decode: .milliseconds(7), prepare: .milliseconds(8))
        log.recordTaken(decode: nil, prepare: nil)
        log.recordConversion(.milliseconds(9))
        log.recordUpload(.milliseconds(2))
        log.recordUpload(.milliseconds(2), isAgain: true)
        log.recordAudioOffset(.milliseconds(6))
        for frame in 0..<2 {
            let due = HostTime(nanoseconds: 1_000_000_000 + Int64(frame) * 40_000_000)
            let seen = due + .milliseconds(5)
            log.recordPresent(
                compose: .milliseconds(1), take: .milliseconds(11), draw: .milliseconds(3), swap: .milliseconds(4),
                at: seen)
            log.recordShown(
                presentationTime: MediaTime(seconds: Double(frame) / 25), due: due, frameDuration: .milliseconds(40),
                at: seen)
        }
    }

    @Test(
        "What the display reports is counted: frames that were seen, frames that were replaced, and the times between")
    func presented() throws {
        let log = FrameLog()
        func report(_ event: DisplayReport.Event, _ milliseconds: Int) {
            log.recordPresented(
                DisplayReport(event, at: HostTime(nanoseconds: 0) + .milliseconds(milliseconds), refreshCount: nil))
        }
        for refresh in 1...5 { report(.presented, 20 * refresh) }
        report(.skipped, 110)
        // No interval spans an interruption.
        log.interrupt()
        report(.presented, 5000)
        let presented = try part(try json(log), "presented")
        #expect(presented["count"] as? Int == 6 && presented["skipped"] as? Int == 1)
        #expect(abs(try #require(part(presented, "interval_ms")["max"] as? Double) - 20) < 0.1)
    }
}
