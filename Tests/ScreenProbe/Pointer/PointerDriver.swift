import Glibc
import GlissadePlatform
package import GlissadeTime

/// Moves the screen's pointer by steps in real time, with as many reports a second as a mouse sends.
package struct PointerDriver {
    /// Reports a second; 125 is what a mouse on USB gives.
    package var rate = 125.0
    private let screen: XScreen

    package init(_ screen: XScreen) { self.screen = screen }

    /// Carries out the steps one after the other; `began` is called at the start of each. Buttons that are still pressed after
    /// the last step are released.
    package func perform(_ steps: [PointerStep], began: (PointerStep, HostTime) -> Void = { _, _ in }) {
        var position = screen.pointer
        var time = HostTime.now()
        var held: Set<Int> = []
        for step in steps {
            began(step, time)
            switch step {
            case .press(let button):
                screen.setButton(button, isPressed: true)
                held.insert(button)
            case .release(let button):
                screen.setButton(button, isPressed: false)
                held.remove(button)
            case .key(let name): screen.tapKey(name)
            case .wait(let seconds):
                time = time + .nanoseconds(Int64(seconds * 1e9))
                Self.sleep(until: time)
            case .move, .glide, .swing, .fling:
                let start = position
                let end = time + .nanoseconds(Int64(step.seconds * 1e9))
                var report = 1
                repeat {
                    let at = min(time + .nanoseconds(Int64(Double(report) * 1e9 / rate)), end)
                    Self.sleep(until: at)
                    let next = step.position(at: (at - time).inSeconds, from: start)
                    // A mouse at rest says nothing.
                    if next != position { screen.movePointer(to: next) }
                    position = next
                    report += 1
                    if at >= end { break }
                } while true
                time = end
                if case .fling = step {
                    screen.setButton(1, isPressed: false)
                    held.remove(1)
                }
            }
        }
        for button in held { screen.setButton(button, isPressed: false) }
    }

    private static func sleep(until time: HostTime) {
        var time = timespec(
            tv_sec: Int(time.nanoseconds / 1_000_000_000), tv_nsec: Int(time.nanoseconds % 1_000_000_000))
        while clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nil) == EINTR {}
    }
}
