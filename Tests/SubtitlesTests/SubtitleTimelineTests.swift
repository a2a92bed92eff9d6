import GlissadeGeometry
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeSubtitles

@Suite("Subtitle timeline") struct SubtitleTimelineTests {
    private func event(_ start: Int64, _ end: Int64, _ text: String = "x") throws -> SubtitleEvent {
        let line = try #require(SubtitleLine(text: text))
        return try #require(SubtitleEvent(start: start, duration: end - start, content: .line(line)))
    }

    private func picture(_ start: Int64, _ end: Int64, _ color: UInt32) throws -> SubtitleEvent {
        let part = SubtitlePicture.Part(
            x: 0, y: 0, size: PixelSize(width: 1, height: 1), indices: [0],
            colors: [color] + [UInt32](repeating: 0, count: 255))
        let canvas = PixelSize(width: 10, height: 10)
        return try #require(
            SubtitleEvent(
                start: start, duration: end - start, content: .picture(SubtitlePicture(canvas: canvas, parts: [part]))))
    }

    private func starts(_ moment: SubtitleTimeline.Moment) -> [Int64] { moment.events.map(\.start) }

    @Test("Events are found from their first nanosecond to just before their end, however they overlap")
    func moments() throws {
        let spans: [(Int64, Int64)] = [(10, 20), (0, 100), (15, 16), (20, 30), (-5, 3)]
        let timeline = SubtitleTimeline(try spans.map { try event($0.0, $0.1) })
        for time: Int64 in -10...105 {
            let moment = timeline.moment(at: time)
            #expect(starts(moment) == spans.filter { $0.0 <= time && time < $0.1 }.map(\.0).sorted(), "\(time)")
            let next = spans.flatMap { [$0.0, $0.1] }.filter { $0 > time }.min() ?? .max
            #expect(moment.until == next, "\(time)")
        }
    }

    @Test("Events that arrive out of order or twice are kept in order and once")
    func insertion() throws {
        var timeline = SubtitleTimeline()
        for (start, text) in [(30, "c"), (10, "a"), (20, "b"), (10, "a2")] as [(Int64, String)] {
            #expect(timeline.insert(try event(start, start + 15, text)))
        }
        #expect(!timeline.insert(try event(10, 25, "a")))
        // Another end is another event.
        #expect(timeline.insert(try event(10, 12, "a")))
        #expect(timeline.events.map(\.start) == [10, 10, 10, 20, 30])
        #expect(starts(timeline.moment(at: 24)) == [10, 10, 20])
    }

    @Test("A bitmap subtitle ends where the next one starts, in whichever order they arrive")
    func pictures() throws {
        var timeline = SubtitleTimeline()
        #expect(timeline.insert(try picture(10, 1000, 1)))
        #expect(timeline.insert(try picture(30, 1000, 2)))
        #expect(timeline.insert(try picture(20, 1000, 3)))
        #expect(timeline.events.map(\.end) == [20, 30, 1000])
        let cuts = [timeline.cutPictures(at: 40), timeline.cutPictures(at: 40), timeline.cutPictures(at: 5)]
        #expect(cuts == [true, false, false])
        #expect(timeline.events.map(\.end) == [20, 30, 40])
        #expect(!timeline.insert(try picture(20, 1000, 3)))
        #expect(timeline.moment(at: 40).events.isEmpty)
    }

    @Test("The pixels of a bitmap subtitle are kept unchanged", arguments: [1, 7, 254, 255, 256, 1000])
    func runs(length: Int) {
        let indices = (0..<length * 3).map { UInt8($0 / length * 100) } + [1, 2, 2, 3]
        let part = SubtitlePicture.Part(
            x: 0, y: 0, size: PixelSize(width: indices.count, height: 1), indices: indices, colors: [])
        #expect(part.indices == indices)
        #expect(part.byteCount <= 2 * (3 * (length / 255 + 1) + 3))
    }

    @Test("Only the latest of very many simultaneous events are shown")
    func crowd() throws {
        let timeline = SubtitleTimeline(try (0..<5000).map { try event(Int64($0), 100_000, "\($0)") })
        let moment = timeline.moment(at: 50_000)
        #expect(starts(moment) == Array(4936..<5000))
        #expect(moment.until == 100_000)
    }

    @Test("Memory is limited by dropping the events farthest from the newest")
    func bounds() throws {
        var forward = SubtitleTimeline(byteLimit: 10_000)
        for time in 0..<10_000 {
            _ = forward.insert(try event(Int64(time), Int64(time) + 5))
            #expect(forward.byteCount <= 10_400)
        }
        #expect(forward.events.last?.start == 9999)
        var backward = SubtitleTimeline(byteLimit: 10_000)
        for time in 0..<1000 { _ = backward.insert(try event(Int64(-time), Int64(-time) + 5)) }
        #expect(backward.events.first?.start == -999 && backward.byteCount <= 10_400)
        #expect(starts(backward.moment(at: -990)) == Array(-994 ... -990))
        // What went may come again.
        #expect(forward.insert(try event(0, 5)))
    }

    /// What the timeline says, found by looking at every event.
    private struct Model {
        var events: [SubtitleEvent] = []

        mutating func insert(_ event: SubtitleEvent) -> Bool {
            if events.contains(where: { $0.identity == event.identity }) { return false }
            var event = event
            if event.isPicture {
                cutPictures(at: event.start)
                if let next = events.first(where: { $0.isPicture && $0.start > event.start }) {
                    event.end = min(event.end, next.start)
                }
            }
            events.insert(event, at: events.firstIndex { $0.start > event.start } ?? events.endIndex)
            return true
        }

        @discardableResult mutating func cutPictures(at time: Int64) -> Bool {
            let index = events.lastIndex { $0.isPicture && $0.start < time && $0.end > time }
            if let index { events[index].end = time }
            return index != nil
        }

        func moment(at time: Int64) -> SubtitleTimeline.Moment {
            let shown = events.filter { $0.start <= time && time < $0.end }.suffix(SubtitleTimeline.mostAtOnce)
            let next = events.first { $0.start > time }?.start ?? .max
            return SubtitleTimeline.Moment(events: Array(shown), until: shown.map(\.end).reduce(next, min))
        }

        func lines(around time: Int64) -> SubtitleLines {
            func text(_ events: [SubtitleEvent]) -> String? {
                let texts = events.compactMap { event in
                    if case .line(let line) = event.content, !line.plainText.isEmpty { line.plainText } else { nil }
                }
                return texts.isEmpty ? nil : texts.joined(separator: "\n")
            }
            func group(_ starts: [Int64], _ isMeant: (SubtitleEvent) -> Bool) -> String? {
                for start in starts {
                    if let text = text(events.filter { $0.start == start && isMeant($0) }) { return text }
                }
                return nil
            }
            let starts = Set(events.map(\.start)).sorted()
            return SubtitleLines(
                previous: group(starts.filter { $0 <= time }.reversed()) { $0.end <= time },
                current: text(moment(at: time).events), next: group(starts.filter { $0 > time }) { _ in true })
        }
    }

    @Test("After any sequence of events the timeline agrees with a search through all of them", arguments: 0..<12)
    func law(round: Int) throws {
        var generator = SeededGenerator(seed: UInt64(round))
        var (timeline, model) = (SubtitleTimeline(), Model())
        // Lines alone, pictures alone, and both; long ones, which reach over many others, now and then.
        for step in 0..<900 {
            let start = Int64.random(in: -50...(round % 2 == 0 ? 3000 : 60), using: &generator)
            let isLong = Int.random(in: 0..<20, using: &generator) == 0
            let length = Int64.random(in: 1...(isLong ? 2000 : 20), using: &generator)
            let isPicture = round % 3 == 1 || round % 3 == 2 && Bool.random(using: &generator)
            let event =
                isPicture
                ? try picture(start, start + length, UInt32.random(in: 0..<50, using: &generator))
                : try event(start, start + length, Bool.random(using: &generator) ? "\(step % 300)" : " ")
            #expect(timeline.insert(event) == model.insert(event))
            if Int.random(in: 0..<10, using: &generator) == 0 {
                let time = Int64.random(in: -60...3100, using: &generator)
                #expect(timeline.cutPictures(at: time) == model.cutPictures(at: time))
            }
            if step % 7 == 0 {
                let time = Int64.random(in: -60...3100, using: &generator)
                let (found, expected) = (timeline.moment(at: time), model.moment(at: time))
                #expect(found.events == expected.events && found.until == expected.until, "\(step), at \(time)")
            }
            if step % 60 == 0, step < 250 {
                let time = Int64.random(in: -60...3100, using: &generator)
                #expect(timeline.lines(around: time) == model.lines(around: time), "\(step), at \(time)")
            }
        }
        #expect(timeline.events == model.events)
        #expect(timeline.byteCount == model.events.reduce(0) { $0 + $1.byteCount })
    }

    @Test("Subtitle events with invalid times are refused")
    func absurdTimes() throws {
        let line = try #require(SubtitleLine(text: "x"))
        for (start, duration) in [(0, 0), (0, -1), (.max, 1), (.min, 1), (5, .min)] as [(Int64, Int64)] {
            #expect(SubtitleEvent(start: start, duration: duration, content: .line(line)) == nil)
        }
        let long = try #require(SubtitleEvent(start: 1 << 61, duration: .max, content: .line(line)))
        #expect(long.end > long.start)
    }

    @Test("Lines that start together are joined, and empty ones are skipped")
    func lines() throws {
        let timeline = SubtitleTimeline([
            try event(0, 5, "a"), try event(0, 6, "b"), try event(10, 20, "  "), try event(30, 40, "c"),
        ])
        #expect(timeline.lines(around: 2) == SubtitleLines(current: "a\nb", next: "c"))
        #expect(timeline.lines(around: 5) == SubtitleLines(previous: "a", current: "b", next: "c"))
        #expect(timeline.lines(around: 15) == SubtitleLines(previous: "a\nb", next: "c"))
        #expect(timeline.lines(around: -1) == SubtitleLines(next: "a\nb"))
        #expect(SubtitleTimeline().lines(around: 0) == SubtitleLines())
    }
}

@Suite("Subtitle render cache") struct SubtitleRenderCacheTests {
    private func timeline(_ spans: [(Int64, Int64, String)]) throws -> SubtitleTimeline {
        SubtitleTimeline(
            try spans.map { start, end, text in
                let line = try #require(SubtitleLine(event: "0,0,Default,,0,0,0,,\(text)"))
                return try #require(SubtitleEvent(start: start, duration: end - start, content: .line(line)))
            })
    }

    private let image = SubtitleImage(bitmap: .empty, rect: PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0))

    /// Makes all that is asked for; where each picture begins and ends.
    private func make(_ slides: inout SubtitleRenderCache, _ timeline: SubtitleTimeline, tick: Int64 = 10) -> [[Int64]]
    {
        var made: [[Int64]] = []
        while made.count < 100, let job = slides.nextJob(timeline, tick: tick) {
            made.append([job.time, job.until])
            _ = slides.add(image, number: made.count)
        }
        return made
    }

    @Test("The current and the next subtitle are rendered once each, and no more")
    func ahead() throws {
        let timeline = try timeline([(10, 20, "a"), (30, 40, "b"), (50, 60, "c")])
        var slides = SubtitleRenderCache()
        #expect(slides.nextJob(timeline, tick: 10) == nil)
        _ = slides.slide(at: 0)
        #expect(slides.isStarved)
        #expect(make(&slides, timeline) == [[10, 20], [30, 40]])
        // The gap is ready too.
        #expect(slides.slide(at: 5).slide?.number == 0 && slides.slide(at: 9).slide?.number == 0)
        #expect(make(&slides, timeline).isEmpty)
        #expect(slides.slide(at: 10).slide?.number == 1)
        #expect(make(&slides, timeline).isEmpty)
        #expect(slides.slide(at: 25).slide?.number == 0)
        #expect(make(&slides, timeline) == [[50, 60]])
    }

    @Test("Animated subtitles are rendered for each frame, eight frames ahead")
    func moving() throws {
        let timeline = try timeline([(5, 200, "{\\fad(50,50)}a")])
        var slides = SubtitleRenderCache()
        _ = slides.slide(at: 7)
        let ahead: [[Int64]] = (1...7).map { [$0 * 10, $0 * 10 + 10] }
        #expect(make(&slides, timeline) == [[7, 10]] + ahead)
        // A frame loop that is ahead of the thread is not followed through what is past.
        _ = slides.slide(at: 150)
        #expect(make(&slides, timeline).first == [150, 160])
    }

    @Test("An event for the current time replaces what is shown, and a later one shortens it")
    func invalidation() throws {
        var slides = SubtitleRenderCache()
        _ = slides.slide(at: 0)
        #expect(try make(&slides, timeline([])).isEmpty)
        // The empty picture is reported once.
        let told = [slides.settle(), slides.settle()]
        #expect(told == [true, false])
        #expect(slides.slide(at: 0).slide?.until == .max)
        slides.invalidate(from: 50, until: 60)
        #expect(slides.slide(at: 0).slide?.until == 50 && !slides.isStarved)
        slides.invalidate(from: 0, until: 10)
        #expect(slides.isStarved)
        #expect(slides.slide(at: 0).slide == nil)
    }

    @Test("A subtitle that is outdated when its rendering is done is not shown")
    func overtaken() throws {
        var slides = SubtitleRenderCache()
        let timeline = try timeline([(0, 100, "a")])
        _ = slides.slide(at: 0)
        _ = slides.nextJob(timeline, tick: 10)
        slides.invalidate(from: 40, until: 50)
        let isTaken = slides.add(image, number: 1)
        #expect(isTaken)
        #expect(slides.slide(at: 39).slide?.until == 40)
        _ = slides.slide(at: 45)
        _ = slides.nextJob(timeline, tick: 10)
        slides.invalidate(from: 0, until: 90)
        let isOld = !slides.add(image, number: 2)
        #expect(isOld)
        _ = slides.nextJob(timeline, tick: 10)
        slides.removeAll()
        let isGone = !slides.add(image, number: 3)
        #expect(isGone)
    }
    @Test("Of lines that render to nothing only a few are rendered ahead, one after another")
    func empty() throws {
        let starts: [Int64] = (0..<5000).map { $0 * 10 }
        let spans = starts.map { ($0, $0 + 5, "a") }
        let timeline = try timeline(spans)
        var slides = SubtitleRenderCache()
        var made: [Int64] = []
        func make() {
            while made.count < 1000, let job = slides.nextJob(timeline, tick: 10) {
                made.append(job.time)
                _ = slides.add(nil, number: 0)
            }
        }
        _ = slides.slide(at: 0)
        make()
        #expect(made == Array(starts.prefix(8)))
        #expect(slides.slides.count == SubtitleRenderCache.mostSlides)
        let next = slides.slide(at: 12)
        #expect(next.slide?.from == 10 && next.hasWork)
        make()
        #expect(made.count > 8 && made.count < 12)
        #expect(slides.slides.count == SubtitleRenderCache.mostSlides)
    }
}
