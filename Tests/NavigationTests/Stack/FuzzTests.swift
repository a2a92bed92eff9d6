import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTestSupport
import GlissadeTime

/// Makes random calls and random input, and checks the stack after each step.
@MainActor private final class Storm {
    let stack: NavigationStack
    let arbiter = GestureArbiter()
    let snapshots = WatchfulSnapshots()
    var random: SeededGenerator
    var now = HostTime(nanoseconds: 1_000_000_000)
    private var everyPage: [WatchfulPage] = []
    private var scrolling: [Scrolling] = []
    private var pointer = Point(x: 500, y: 250)
    private var isDown = false
    private var size = Size(width: 1000, height: 500)
    private var changes: [Page] = []
    /// How much of it pages do while they are told.
    var actsWhenTold = false
    private var depth = 0
    private(set) var log: [String] = []
    private(set) var faults: [String] = []

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        let root = WatchfulPage("root")
        stack = NavigationStack(root: root)
        stack.snapshots = snapshots
        adopt(root)
        stack.layout(size)
        stack.onChange = { [weak self] in
            guard let self else { return }
            if let last = changes.last, last === stack.top { faults.append("onChange without a change") }
            changes = [stack.top]
            if actsWhenTold { act(3) }
        }
        changes = [root]
    }

    private func adopt(_ page: WatchfulPage) {
        everyPage.append(page)
        let list = Scrolling()
        scrolling.append(list)
        page.scrollContainers = [list]
        page.onTold = { [weak self] _ in if self?.actsWhenTold == true { self?.act(6) } }
    }

    private func makePage() -> WatchfulPage {
        let page = WatchfulPage("page \(everyPage.count)")
        adopt(page)
        if random.chance(percent: 30) {
            page.trailingPage = { [weak self] in self.flatMap { $0.random.chance(percent: 80) ? $0.makePage() : nil } }
        }
        if random.chance(percent: 20) { page.popPolicy.mode = .edge }
        return page
    }

    /// One of the calls, sometimes, from within another.
    private func act(_ percent: Int) {
        guard depth < 3, random.chance(percent: percent) else { return }
        depth += 1
        defer { depth -= 1 }
        call()
    }

    private func call() {
        let animated = random.chance(percent: 70)
        switch random.below(10) {
        case 0...2 where stack.pages.count < 8:
            note("push")
            try? stack.push(makePage(), animated: animated, now: now)
        case 3, 4:
            note("pop")
            stack.pop(animated: animated, now: now)
        case 5:
            note("popToRoot")
            stack.popToRoot(animated: animated, now: now)
        case 6:
            note("popTo")
            let page = stack.pages[random.below(stack.pages.count)]
            _ = try? stack.pop(to: page, animated: animated, now: now)
        case 7:
            note("replace")
            try? stack.replace(with: makePage(), animated: animated, now: now)
        case 8:
            note("setStack")
            var pages: [Page] = stack.pages.shuffled(using: &random)
            if random.chance(percent: 30) { pages.append(makePage()) }
            try? stack.setStack(Array(pages.prefix(1 + random.below(pages.count))), animated: animated, now: now)
        default:
            note("push again")
            let page = everyPage[random.below(everyPage.count)]
            try? stack.push(page, animated: animated, now: now)
        }
    }

    private func user() {
        switch random.below(8) {
        case 0, 1: send(isDown ? .released : .pressed)
        case 2...4:
            pointer.x += Double.random(in: -300...300, using: &random)
            pointer.y += Double.random(in: -40...40, using: &random)
            send(.moved)
        case 5:
            pointer = Point(
                x: Double.random(in: -20...1020, using: &random), y: Double.random(in: -20...520, using: &random))
        case 6:
            note("scroll")
            let event = ScrollEvent(
                deltaX: Double.random(in: -3...3, using: &random), deltaY: Double.random(in: -1...1, using: &random),
                position: pointer, time: now)
            arbiter.handle(.scroll(event)) { stack.elements(at: $0, now: now) }
        default:
            switch random.below(4) {
            case 0:
                note("cancelAll")
                arbiter.cancelAll(now: now)
                isDown = false
            case 1:
                note("Escape")
                if stack.isTransitioning, stack.cancelDrag(now: now) { arbiter.cancelAll(now: now) }
                isDown = false
            case 2: send(.pressed, .secondary)
            default: send(.released, .secondary)
            }
        }
    }

    private func send(_ phase: PointerEvent.Phase, _ button: PointerEvent.Button = .primary) {
        note("\(phase) \(button) \(pointer)")
        if phase != .moved, button == .primary { isDown = phase == .pressed }
        let event = PointerEvent(
            phase: phase, position: pointer, button: phase == .moved ? nil : button, time: now)
        arbiter.handle(.pointer(event)) { stack.elements(at: $0, now: now) }
    }

    func step() {
        switch random.below(20) {
        case 0, 1: call()
        case 2...10: user()
        case 11:
            note("resize")
            size =
                random.chance(percent: 15)
                ? .zero
                : Size(
                    width: Double.random(in: 1...3000, using: &random),
                    height: Double.random(in: 1...2000, using: &random))
            stack.layout(size)
        case 12:
            note("set up")
            stack.beneathMode = random.chance(percent: 50) ? .live : .snapshot
            stack.arePopsDisabled = random.chance(percent: 10)
            snapshots.works = random.chance(percent: 80)
        case 13: (stack.pages[random.below(stack.pages.count)]).setNeedsLayout()
        default:
            note("frame")
            now = now + .milliseconds(random.below(60))
            arbiter.advance(to: now)
            stack.layout(size)
            _ = stack.advance(to: now)
        }
        look()
    }

    /// Lets go of everything, and waits until nothing moves.
    func rest() {
        arbiter.cancelAll(now: now)
        isDown = false
        size = Size(width: 1000, height: 500)
        for _ in 0..<100 {
            now = now + .milliseconds(20)
            arbiter.advance(to: now)
            stack.layout(size)
            _ = stack.advance(to: now)
        }
        note("rest")
        look()
        expect(!stack.isTransitioning, "it still moves")
        lookAtRest()
    }

    private func note(_ what: String) { log.append("\(depth) \(what)") }

    func expect(_ holds: Bool, _ fault: @autoclosure () -> String) {
        if !holds { faults.append(fault()) }
    }

    private func look() {
        faults += everyPage.flatMap(\.faults)
        expect(!stack.pages.isEmpty, "no page")
        expect(Set(stack.pages.map(ObjectIdentifier.init)).count == stack.pages.count, "a page is there twice")
        expect(stack.pages.allSatisfy { $0.stack === stack }, "a page on the stack does not know of it")
        let known = stack.pages + (stack.transitioningPages.map { [$0.upper, $0.lower] } ?? [])
        for page in everyPage where !known.contains(where: { $0 === page }) {
            expect(page.stack == nil, "\(page.name) still has a stack")
            expect(page.life == .hidden, "\(page.name) is gone, and \(page.life)")
            expect(page.container.superlayer == nil, "\(page.name) is gone, and in the scene")
            expect(!page.isDragging, "\(page.name) is gone, and dragged")
        }
        expect(changes.last === stack.top, "onChange was not called")
        if !stack.isTransitioning { lookAtRest() }
    }

    private func lookAtRest() {
        guard !stack.isTransitioning else { return }
        expect(stack.layer.sublayers.count == 1, "\(stack.layer.sublayers.count) layers at rest")
        expect(stack.layer.sublayers.first === stack.top.container, "what is seen is not the top page")
        expect(stack.top.container.translation == .zero && stack.top.container.shade == 0, "the page is displaced")
        expect(!stack.top.captured.isHidden && stack.top.container.sublayers.count == 1, "a snapshot is left")
        expect(!snapshots.isTaken, "the snapshot was not freed")
        for page in everyPage {
            expect(page.life == (page === stack.top ? .shown : .hidden), "\(page.name) at rest is \(page.life)")
            expect(!page.isDragging, "\(page.name) at rest is dragged")
        }
        // The button may still be down though the program removed the page; content that it stopped may scroll again.
        for list in scrolling {
            expect(list.isScrollEnabled, "a list does not scroll any more")
            expect(list.contentOffset == Point(x: 3, y: 70), "a list is elsewhere")
        }
    }
}

/// Content that scrolls, and remembers that it may.
private final class Scrolling: ScrollContainer {
    var axis: PanRecognizer.Axes { .vertical }
    var isAtLeftEnd: Bool { true }
    var isDecelerating: Bool { false }
    var isScrollEnabled = true
    var contentOffset = Point(x: 3, y: 70)
}

@Suite("Fuzzing the page stack") @MainActor struct FuzzTests {
    @Test(
        "After any sequence of calls and input one page is shown, callbacks are balanced and no layer or snapshot is left",
        arguments: Array(1...4))
    func calls(seed: Int) { weather(seed: UInt64(seed), steps: 10_000, actsWhenTold: false) }

    @Test("Calling the stack from within callbacks leaves it consistent", arguments: Array(1...4))
    func calling(seed: Int) { weather(seed: UInt64(seed) + 1000, steps: 10_000, actsWhenTold: true) }

    private func weather(seed: UInt64, steps: Int, actsWhenTold: Bool) {
        var storm = Storm(seed: seed)
        for step in 0..<steps {
            // A stack of its own now and then: what went on long ago does not matter.
            if step % 500 == 0 {
                storm.rest()
                if report(storm, seed, step) { return }
                storm = Storm(seed: seed &+ UInt64(step) &* 7919)
                storm.actsWhenTold = actsWhenTold
            }
            storm.step()
            if report(storm, seed, step) { return }
        }
        storm.rest()
        _ = report(storm, seed, steps)
    }

    private func report(_ storm: Storm, _ seed: UInt64, _ step: Int) -> Bool {
        guard let fault = storm.faults.first else { return false }
        Issue.record("seed \(seed), step \(step): \(fault)\n\(storm.log.suffix(25).joined(separator: "\n"))")
        return true
    }
}
