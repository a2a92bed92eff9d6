import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeLayers
import GlissadeNavigation
import Testing
import GlissadeTime

@Suite("Navigation bar") @MainActor struct BarTests {
    private let size = Size(width: 400, height: 300)
    private let arbiter = GestureArbiter()

    private func press(_ phase: PointerEvent.Phase, _ stack: NavigationStack) -> [any GestureTarget] {
        let point = Point(x: 24, y: 24)
        let elements = stack.elements(at: point, now: HostTime(nanoseconds: 0))
        let event = PointerEvent(phase: phase, position: point, button: .primary, time: HostTime(nanoseconds: 0))
        arbiter.handle(.pointer(event)) { _ in elements }
        return elements
    }

    @Test("A press on a button survives a change of the bar's title")
    func pressed() throws {
        let page = Page()
        var count = 0
        page.bar = NavigationBar(title: "One", leadingItems: [BarButton(.back) { count += 1 }])
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

    @Test("Removed bar items are gone, and a pressed one that remains stays pressed")
    func changed() throws {
        let page = Page()
        var log: [String] = []
        let back = BarButton(.back) { log.append("back") }
        let close = BarButton(.close) { log.append("close") }
        page.bar = NavigationBar(leadingItems: [back])
        let stack = NavigationStack(root: page)
        stack.layout(size)
        let pressed = try #require(press(.pressed, stack).first)
        page.bar?.leadingItems = [back, close]
        page.setNeedsLayout()
        stack.layout(size)
        let released = try #require(press(.released, stack).first)
        #expect(pressed === released)
        #expect(close.layer.frame == Rect(x: 48, y: 6, width: 36, height: 36))
        page.bar?.leadingItems = [close]
        page.setNeedsLayout()
        stack.layout(size)
        _ = press(.pressed, stack)
        _ = press(.released, stack)
        #expect(log == ["back", "close"])
        #expect(back.layer.superlayer == nil)
    }

    @Test("An item that moved to another page's bar is not removed from there")
    func moved() {
        let item = BarButton(.back)
        let first = Page()
        let second = Page()
        first.bar = NavigationBar(leadingItems: [item])
        second.bar = NavigationBar(trailingItems: [item])
        let stacks = [first, second].map { NavigationStack(root: $0) }
        for stack in stacks { stack.layout(size) }
        #expect(item.layer.superlayer === second.barLayer)
        first.bar?.leadingItems = []
        first.setNeedsLayout()
        stacks[0].layout(size)
        #expect(item.layer.superlayer === second.barLayer)
        #expect(item.layer.frame == Rect(x: 356, y: 6, width: 36, height: 36))
    }

    @Test("A background that fades out extends below the bar")
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
