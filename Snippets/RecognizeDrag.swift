//! Sends pointer events to a tap and a pan recognizer on the same card. The arbiter decides which of the two wins.

import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeTime

final class Card: GestureTarget {
    let recognizers: [GestureRecognizer]
    init(_ recognizers: [GestureRecognizer]) { self.recognizers = recognizers }
}

let tap = TapRecognizer()
let pan = PanRecognizer(axes: .horizontal)
let card = Card([tap, pan])
tap.onChange = { print("tap \($0.state)") }
pan.onChange = { _ in print("pan \(pan.state), \(pan.translation.x) points, \(pan.velocity.x) per second") }

let arbiter = GestureArbiter()
let drag: [(PointerEvent.Phase, x: Double)] = [
    (.pressed, 100), (.moved, 104), (.moved, 130), (.moved, 170), (.released, 170),
]
for (step, (phase, x)) in drag.enumerated() {
    let event = PointerEvent(
        phase: phase, position: Point(x: x, y: 50), button: phase == .moved ? nil : .primary,
        time: HostTime(nanoseconds: 0) + .milliseconds(16 * step))
    // A program finds the targets under the point with `Layer.path`.
    arbiter.handle(.pointer(event)) { _ in [card] }
}
