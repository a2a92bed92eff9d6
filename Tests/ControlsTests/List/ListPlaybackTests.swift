import Testing
import GlissadeTime

@testable import GlissadeControls

@Suite("Inline playback in a list") struct ListPlaybackTests {
    typealias Row = ListPlayback<String>.Row
    typealias Action = ListPlayback<String>.Action

    /// A list and its clock.
    struct List {
        var playback = ListPlayback<String>()
        var now = HostTime(nanoseconds: 1_000_000_000)

        mutating func rest(_ fractions: (String, Double)...) -> Action? {
            show(fractions, isScrolling: false, after: 1000)
        }
        mutating func scroll(_ fractions: (String, Double)...) -> Action? {
            show(fractions, isScrolling: true, after: 10)
        }
        mutating func stand(_ fractions: (String, Double)..., after: Int) -> Action? {
            show(fractions, isScrolling: false, after: after)
        }

        mutating func show(_ fractions: [(String, Double)], isScrolling: Bool, after: Int) -> Action? {
            now = now + .milliseconds(after)
            // Folders, sound, and what has failed: rows that cannot play.
            let rows = fractions.map { Row(id: $0.0, fraction: $0.1, canPlay: !$0.0.hasPrefix("-")) }
            return playback.update(rows, isScrolling: isScrolling, now: now)
        }
    }

    @Test("When the list rests, the most visible row plays")
    func most() {
        var list = List()
        #expect(list.rest(("a", 0.6), ("b", 0.9)) == .play("b"))
        #expect(list.playback.current == "b" && list.playback.place == .row && !list.playback.isHeld)
        #expect(list.rest(("a", 0.6), ("b", 0.9)) == nil)
    }

    @Test("Of two equally visible rows the upper one plays")
    func tie() {
        var list = List()
        #expect(list.rest(("a", 0.4), ("b", 1), ("c", 1)) == .play("b"))
    }

    @Test("While the list scrolls, the row that would play is only marked")
    func marked() {
        var list = List()
        #expect(list.scroll(("a", 0.6), ("b", 0.9)) == nil)
        #expect(list.playback.marked == "b")
        #expect(list.scroll(("a", 0.95), ("b", 0.6)) == nil)
        #expect(list.playback.marked == "a" && list.playback.current == nil)
    }

    @Test("A list is at rest 150 ms after it last scrolled, and says when to check again")
    func delay() {
        var list = List()
        #expect(ListPlayback<String>.restDelay == .milliseconds(150))
        #expect(list.scroll(("a", 1)) == nil)
        let end = list.now + .milliseconds(150)
        #expect(list.stand(("a", 1), after: 149) == nil)
        #expect(list.playback.marked == "a")
        #expect(list.playback.nextWake == end)
        #expect(list.stand(("a", 1), after: 1) == .play("a"))
        #expect(list.playback.marked == nil && list.playback.nextWake == nil)
    }

    @Test("Rows that cannot play are neither chosen nor marked")
    func cannot() {
        var list = List()
        #expect(list.scroll(("-folder", 1), ("-broken", 1)) == nil)
        #expect(list.playback.marked == nil)
        #expect(list.rest(("-folder", 1), ("-broken", 1)) == nil)
        #expect(list.rest(("-folder", 1), ("a", 0.7)) == .play("a"))
        #expect(list.rest() == .handOver("a"))
    }

    @Test("A row that is more than half out of view does not start")
    func tooLittle() {
        var list = List()
        #expect(list.rest(("a", 0.49), ("b", 0.4)) == nil)
        #expect(list.playback.marked == nil)
        #expect(list.rest(("a", 0.5), ("b", 0.4)) == .play("a"))
    }

    @Test("A playing row keeps playing while half of it is visible, even if another row is more visible")
    func keeps() {
        var list = List()
        #expect(list.rest(("a", 1), ("b", 0.5)) == .play("a"))
        #expect(list.scroll(("a", 0.5), ("b", 1)) == nil)
        #expect(list.playback.marked == nil)
        #expect(list.rest(("a", 0.5), ("b", 1)) == nil)
        #expect(list.playback.current == "a")
    }

    @Test("A playing row scrolled more than half out of view moves its video to the corner and takes it back later")
    func corner() {
        var list = List()
        #expect(list.rest(("a", 1)) == .play("a"))
        #expect(list.scroll(("a", 0.49), ("b", 1)) == .handOver("a"))
        #expect(list.playback.place == .corner)
        #expect(list.scroll(("b", 1)) == nil)
        #expect(list.scroll(("a", 0.49), ("b", 1)) == nil)
        #expect(list.scroll(("a", 0.5), ("b", 1)) == .takeBack("a"))
        #expect(list.playback.place == .row && list.playback.current == "a")
    }

    @Test("A playing row scrolled out of view stops, if set so")
    func stops() {
        var list = List()
        list.playback.leaving = .stop
        #expect(list.rest(("a", 1)) == .play("a"))
        #expect(list.scroll(("a", 0.4), ("b", 0.8)) == .stop("a"))
        #expect(list.playback.current == nil)
        #expect(list.rest(("b", 1)) == .play("b"))
    }

    @Test("The visibility threshold can be set")
    func threshold() {
        var list = List()
        list.playback.disappearThreshold = 0.9
        #expect(list.rest(("a", 0.2)) == .play("a"))
        #expect(list.scroll(("a", 0.11)) == nil)
        #expect(list.scroll(("a", 0.09)) == .handOver("a"))
        list.playback.disappearThreshold = 7
        #expect(list.scroll() == nil)
        #expect(list.scroll(("a", 0.01)) == .takeBack("a"))
    }

    @Test("Inline playback in the corner gives way to the most visible row once the list rests")
    func givesWay() {
        var list = List()
        #expect(list.rest(("a", 1)) == .play("a"))
        #expect(list.scroll(("b", 0.8)) == .handOver("a"))
        #expect(list.scroll(("b", 0.8)) == nil)
        #expect(list.playback.marked == "b")
        #expect(list.rest(("b", 0.8)) == .play("b"))
        #expect(list.playback.current == "b" && list.playback.place == .row)
    }

    @Test("A video that the user opened or watched for a while stays in the corner")
    func held() {
        var list = List()
        #expect(list.rest(("a", 1)) == .play("a"))
        list.playback.hold()
        #expect(list.scroll(("b", 1)) == .handOver("a"))
        #expect(list.rest(("b", 1)) == nil)
        #expect(list.playback.marked == nil && list.playback.current == "a")
        list.playback.open("b")
        #expect(list.playback.current == "b" && list.playback.place == .row && list.playback.isHeld)
    }

    @Test("The file that follows a video in the corner stays there while its row is out of view")
    func follows() {
        var list = List()
        list.playback.open("a")
        #expect(list.scroll(("c", 1)) == .handOver("a"))
        list.playback.open("b", staysInCorner: true)
        #expect(list.playback.current == "b" && list.playback.place == .corner && list.playback.isHeld)
        #expect(list.rest(("c", 1)) == nil)
        #expect(list.scroll(("b", 1)) == .takeBack("b"))
    }

    @Test("Playback that the user ended does not start again until the list is scrolled")
    func ended() {
        var list = List()
        #expect(list.rest(("a", 1)) == .play("a"))
        list.playback.wasStopped()
        #expect(list.rest(("a", 1)) == nil)
        #expect(list.playback.marked == nil)
        #expect(list.scroll(("a", 1)) == nil)
        #expect(list.rest(("a", 1)) == .play("a"))
    }

    @Test("At the end of a row's video the next row starts, if set so")
    func next() {
        var list = List()
        #expect(list.rest(("a", 1)) == .play("a"))
        #expect(list.playback.ended(next: "b") == nil)
        #expect(list.rest(("a", 1), ("b", 0.8)) == nil)
        list.playback.playsNext = true
        #expect(list.scroll(("a", 1)) == nil)
        #expect(list.rest(("a", 1)) == .play("a"))
        #expect(list.playback.ended(next: "b") == .next("b"))
        #expect(list.playback.current == "b")
        // On its way into view it keeps its film.
        #expect(list.scroll(("a", 0.8), ("b", 0.2)) == nil)
        #expect(list.scroll(("a", 0.2), ("b", 0.8)) == nil)
        #expect(list.rest(("b", 1)) == nil)
        #expect(list.scroll(("b", 0.2)) == .handOver("b"))
        #expect(list.playback.ended(next: nil) == .stop("b"))
    }

    @Test("Removing a row stops its inline playback, while a video held elsewhere continues")
    func gone() {
        var list = List()
        #expect(list.rest(("a", 1)) == .play("a"))
        #expect(list.playback.forget { $0 != "z" } == nil)
        #expect(list.playback.forget { $0 != "a" } == .stop("a"))
        #expect(list.rest(("b", 1)) == .play("b"))
        list.playback.hold()
        #expect(list.scroll() == .handOver("b"))
        #expect(list.playback.forget { _ in false } == .release("b"))
        #expect(list.playback.current == nil)
    }

    @Test("Playback follows its row, not the row's position")
    func reordered() {
        var list = List()
        #expect(list.rest(("a", 1), ("b", 0.7)) == .play("a"))
        #expect(list.rest(("b", 1), ("a", 0.7)) == nil)
        #expect(list.rest(("b", 1), ("c", 1)) == .handOver("a"))
    }

    @Test("While the list is suspended nothing starts, is marked or moves to the corner")
    func suspended() {
        var list = List()
        list.playback.isSuspended = true
        #expect(list.rest(("a", 1)) == nil)
        list.playback.isSuspended = false
        #expect(list.rest(("a", 1)) == .play("a"))
        list.playback.isSuspended = true
        #expect(list.rest() == nil)
        #expect(list.playback.place == .row && list.playback.nextWake == nil)
        list.playback.isSuspended = false
        #expect(list.rest() == .handOver("a"))
    }

    @Test("A video that fails gives way to the next row that can play")
    func failed() {
        var list = List()
        #expect(list.rest(("a", 1), ("b", 0.8)) == .play("a"))
        list.playback.failed()
        #expect(list.rest(("-a", 1), ("b", 0.8)) == .play("b"))
    }

    @Test("Empty lists and invalid fractions are accepted")
    func absurd() {
        var list = List()
        #expect(list.rest() == nil)
        #expect(list.rest(("a", .nan), ("b", -1), ("c", 0)) == nil)
        list.playback.disappearThreshold = 1
        #expect(list.rest(("c", 0)) == nil)
    }
}
