//! Moves a value with a spring, and turns back midway without a jump in position or velocity.

import GlissadeAnimation

let spring = Spring(response: 0.4, dampingRatio: 0.8)
let offset = Animated(0.0)
offset.animate(to: 300, now: .zero, spring: spring) { print("there: \($0)") }

// Nothing reads a clock: the time is passed in for each frame.
for frame in 0..<60 {
    let now = LocalTime(seconds: Double(frame) / 60)
    if frame == 12 { offset.animate(to: 0, now: now, spring: spring) { print("back: \($0)") } }
    offset.advance(to: now)
    let (value, velocity) = (offset.presentation(at: now).rounded(), offset.velocity(at: now).rounded())
    print("frame \(frame): \(value) points, \(velocity) per second")
}
