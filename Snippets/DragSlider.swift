//! Drags a volume slider.
//!
//! The slider's layer determines its position, its recognizers follow the drag, and its `onChange` closure receives the
//! values.

import GlissadeControls
import GlissadeGeometry
import GlissadeGestures
import GlissadeInput
import GlissadeTime

let volume = Slider(range: 0...1.3, value: 1)
volume.marks = [1]
volume.onChange = { value, _ in print("volume \(Int((value * 100).rounded())) %") }
volume.layout(Rect(x: 0, y: 0, width: 260, height: 24), scale: 2)

let arbiter = GestureArbiter()
for (step, x) in [200.0, 150, 100, 60].enumerated() {
    let phase: PointerEvent.Phase = step == 0 ? .pressed : step == 3 ? .released : .moved
    let event = PointerEvent(
        phase: phase, position: Point(x: x, y: 12), button: phase == .moved ? nil : .primary,
        time: HostTime(nanoseconds: 0) + .milliseconds(16 * step))
    arbiter.handle(.pointer(event)) { point in
        volume.layer.path(to: point, at: .zero).compactMap { $0.owner as? any GestureTarget }
    }
}
