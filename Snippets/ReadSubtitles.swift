//! Reads a subtitle file in the background, and prints the lines shown at a given time and after it.

import Foundation
import GlissadePlatform
import GlissadeSubtitles
import GlissadeTime

let text = """
    1
    00:00:01,000 --> 00:00:03,000
    <i>Hello?</i>

    2
    00:00:04,500 --> 00:00:06,000
    Is anybody there?
    """
let file = FileManager.default.temporaryDirectory.appending(
    path: "snippet-\(ProcessInfo.processInfo.processIdentifier).srt")
try text.write(to: file, atomically: true, encoding: .utf8)
defer { try? FileManager.default.removeItem(at: file) }

let signal = WakeSignal()
let subtitles = Subtitles(wake: { signal.raise() }, report: { print($0) })
subtitles.open(file.path)
while subtitles.file == .loading { signal.wait(until: nil) }

let lines = subtitles.lines(around: MediaTime(seconds: 2))
print("now: \(lines.current ?? "nothing"); then: \(lines.next ?? "nothing")")
if let change = subtitles.nextChange(after: MediaTime(seconds: 2)) { print("changes at \(change.seconds) s") }
