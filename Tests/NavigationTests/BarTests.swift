import Gestures
import Motion
import Stage
import Testing

@testable import Navigation

@Suite("A page's bar") @MainActor struct BarTests {
    private let size = Size(width: 400, height: 300)
    private let arbiter = GestureArbiter()

    private func press(_ phase: PointerEvent.Phase, _ stack: NavigationStack) -> [any GestureElement] {
        let point = Point(x: 24, y: 24)
        let elements = stack.elements(at: point, now: HostTime(nanoseconds: 0))
        let event = PointerEvent(phase: phase, position: point, button: .primary, time: HostTime(nanoseconds: 0))
        arbiter.handle(.pointer(event)) { _ in elements }
        return elements
    }

    @Test("a press on a button is not lost where the bar's title changes before the release")
    func pressed() throws {
        let page = Page()
        var count = 0
        page.bar = NavigationBar(title: "One", leadingItems: [.init(.back) { count += 1 }])
        let stack = NavigationStack(root: page)
        stack.layout(size)
        let pressed = try #require(press(.pressed, stack).first)
        page.bar?.title = "Another"
        page.setNeedsLayout()
        stack.layout(size)
        let released = try #require(press(.released, stack).first)
        #expect(pressed === released)
        #expect(count == 1)
    }

    @Test("other items have other buttons, and the same icon may come to do something else")
    func changed() {
        let page = Page()
        var diary: [String] = []
        page.bar = NavigationBar(leadingItems: [.init(.back) { diary.append("back") }])
        let stack = NavigationStack(root: page)
        stack.layout(size)
        page.bar?.leadingItems = [.init(.back) { diary.append("up") }]
        page.setNeedsLayout()
        stack.layout(size)
        _ = press(.pressed, stack)
        _ = press(.released, stack)
        page.bar?.leadingItems = [.init(.close) { diary.append("close") }]
        page.setNeedsLayout()
        stack.layout(size)
        _ = press(.pressed, stack)
        _ = press(.released, stack)
        #expect(diary == ["up", "close"])
    }

    @Test("a background that fades goes on below the bar, and becomes clear there")
    func fade() {
        let page = Page()
        let color = Color(red: 0, green: 0, blue: 0, alpha: 0.8)
        page.bar = NavigationBar(background: color, height: 40, fade: 20)
        let stack = NavigationStack(root: page)
        stack.layout(size)
        var list = DisplayList(viewport: PixelSize(width: 400, height: 300))
        stack.layer.flatten(scale: 1, into: &list)
        let boxes = list.items.compactMap { item in
            if case .box(let box) = item { box } else { nil as BoxPlacement? }
        }
        #expect(boxes.map(\.destination) == [PixelRect(minX: 0, minY: 0, maxX: 400, maxY: 60)])
        #expect(boxes.first?.gradient.start == color)
        #expect(boxes.first?.gradient.end.alpha == 0)
    }
}
