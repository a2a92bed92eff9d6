//! Plans when to draw a frame.
//!
//! Learns the display's clock from its reports, then sleeps until it is time to draw the film's next frame.

import GlissadePresentation
import GlissadeTime

var pacer = FramePacer(refreshRate: 60)
let period = Duration.nanoseconds(16_683_333)  // the actual rate of the display: 59.94 Hz
for count in 0..<20 {
    pacer.observe(.init(count: Int64(count), time: HostTime(nanoseconds: 0) + period * count))
}

var now = HostTime(nanoseconds: 0) + period * 19
let due = now + .milliseconds(42)
while true {
    switch pacer.plan(now: now, frameDue: due, isAnimating: false, needsRedraw: false, wake: nil) {
    case .sleep(let until?):
        print("sleep for \((until - now).inMilliseconds) ms")
        now = until
        continue
    case .sleep(nil): print("sleep until something happens")
    case .draw(let visible, _):
        print("draw now, to be seen in \((visible - now).inMilliseconds) ms")
    }
    break
}
