import GlissadeGeometry
import GlissadeLayers
import GlissadeNavigation
import GlissadeTime

/// A page that logs its callbacks.
@MainActor final class RecordingPage: Page {
    let name: String
    var log: [String] = []
    var pops = true
    var mode: BeneathMode?
    /// What is on the page, which nothing else keeps.
    var parts: [AnyObject] = []

    init(_ name: String) {
        self.name = name
        super.init(layer: Layer(content: .color(.white)))
    }

    override var beneathMode: BeneathMode? { mode }
    override func willAppear() { log.append("willAppear") }
    override func didAppear() { log.append("didAppear") }
    override func willDisappear() { log.append("willDisappear") }
    override func didDisappear() { log.append("didDisappear") }
    override func willBeginDragging() { log.append("willBegin") }
    override func didDrag(progress: Double) { log.append("drag \((progress * 1000).rounded() / 1000)") }
    override func didEndDragging(popped: Bool) { log.append("didEnd \(popped)") }
    override func shouldBeginPop() -> Bool { pops }

    func takeLog() -> [String] {
        defer { log = [] }
        return log
    }
}

/// Other pages, told apart by their type.
@MainActor final class OtherPage: Page {}

/// A stack of 1000×500 points, and the time that it is told.
@MainActor final class NavigationHarness {
    let root = RecordingPage("root")
    let stack: NavigationStack
    var now = HostTime(nanoseconds: 1_000_000_000)

    static let width = 1000.0

    init() {
        stack = NavigationStack(root: root)
        stack.layout(Size(width: Self.width, height: 500))
    }

    func wait(_ milliseconds: Int) { now = now + .milliseconds(milliseconds) }

    /// Frames every 10 ms until nothing moves, at most for two seconds. Returns how long it took, in seconds.
    @discardableResult func settle() -> Double {
        let start = now
        _ = stack.advance(to: now)
        while stack.isTransitioning, now - start < .seconds(2) {
            wait(10)
            _ = stack.advance(to: now)
        }
        return (now - start).inSeconds
    }

    func push(_ page: Page) throws {
        try stack.push(page, animated: false, now: now)
        _ = stack.advance(to: now)
    }

    /// A page on top of the root, at rest, with an empty log.
    func pushed(_ name: String = "player") throws -> RecordingPage {
        let page = RecordingPage(name)
        try push(page)
        page.log = []
        root.log = []
        return page
    }

    /// Starts a drag that has moved the page by `points` after a frame.
    func drag(to points: Double, _ direction: NavigationStack.DragDirection = .pop) {
        if !stack.isHeld { _ = stack.beginDrag(direction, now: now) }
        stack.drag(translation: points)
        wait(10)
        _ = stack.advance(to: now)
    }
}
