// Pushes a page, drags it aside, throws it, and draws in the terminal how it flies on at the pointer's velocity.

import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeNavigation
import Text
import Time

let stack = NavigationStack(root: Page())
let arbiter = GestureArbiter()
var clock = Clock()
stack.layout(Size(width: 1000, height: 600))
try stack.push(Page(), animated: false, now: clock.now)

@MainActor func send(_ phase: PointerEvent.Phase, x: Double) {
    let event = PointerEvent(
        phase: phase, position: Point(x: x, y: 300), button: phase == .moved ? nil : .primary, time: clock.now)
    arbiter.handle(.pointer(event)) { stack.elements(at: $0, now: clock.now) }
    _ = stack.advance(to: clock.now)
    print(bar(stack.progress ?? 0))
    clock.tick()
}

send(.pressed, x: 100)
for x in stride(from: 130.0, through: 430, by: 60) { send(.moved, x: x) }
send(.released, x: 430)
while stack.isTransitioning {
    _ = stack.advance(to: clock.now)
    print(bar(stack.progress ?? 1))
    clock.tick()
}
print("Pages left: \(stack.pages.count)")
