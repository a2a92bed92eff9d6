//! Plays the first two seconds of a film without a window, and takes each frame when it is due.

import GlissadePlatform
import GlissadePlayback
import GlissadeTime

let path = CommandLine.arguments.dropFirst().first ?? "Media/sample.mp4"
var options = PlayerOptions()
options.audio = .silent
let signal = WakeSignal()
let player = Player(location: path, options: options, wake: { signal.raise() }, report: { print($0) })

while player.state != .ended, player.position(at: .now()) < .seconds(2) {
    let now = HostTime.now()
    player.advance(to: now)
    if case .failed(let error) = player.state { fatalError("\(error)") }
    if let frame = player.takeFrame(visibleAt: now) {
        print("\(frame.presentationTime.seconds) s: \(frame.codedSize.width)x\(frame.codedSize.height)")
        player.feed.didShowFrame()
    }
    signal.wait(until: [player.nextFrameDue, player.nextWake(now: now)].compactMap { $0 }.min())
}
player.retire()
