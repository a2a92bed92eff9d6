//! Maps a position in a film to the host's clock.
//!
//! The two kinds of time have different types, so the compiler rejects code that mixes them up.

import GlissadeTime

let start = HostTime(nanoseconds: 5_000_000_000)  // when the first frame is shown
let first = MediaTime(seconds: 1.4)  // a stream's times rarely begin at 0
let frame = MediaTime(seconds: 3.9)
let due = start + (frame - first)
print("due \((due - start).inSeconds) s after the start")

// Times come from files. A time that is out of range saturates, instead of trapping or wrapping around.
let absurd = MediaTime(seconds: .infinity) + .seconds(1)
print("at the end of all times: \(absurd == MediaTime(nanoseconds: .max))")
