//! Pops a page with a drag, as a user would.
//!
//! The page follows the pointer. After the release, the page continues at the pointer's velocity.

import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeNavigation
import GlissadeTime

let stack = NavigationStack(root: Page())
let arbiter = GestureArbiter()
var now = HostTime(nanoseconds: 0)
stack.layout(Size(width: 1000, height: 600))
try stack.push(Page(), animated: false, now: now)

for (phase, x) in [(PointerEvent.Phase.pressed, 100.0), (.moved, 250), (.moved, 400), (.released, 400)] {
    let event = PointerEvent(
        phase: phase, position: Point(x: x, y: 300), button: phase == .moved ? nil : .primary, time: now)
    arbiter.handle(.pointer(event)) { stack.elements(at: $0, now: now) }
    _ = stack.advance(to: now)
    print("\(phase): \(Int((stack.progress ?? 0) * 100)) % aside")
    now = now + .milliseconds(16)
}
while stack.isTransitioning {
    _ = stack.advance(to: now)
    print("settling: \(Int((stack.progress ?? 1) * 100)) % aside")
    now = now + .milliseconds(16)
}
print("pages left: \(stack.pages.count)")
