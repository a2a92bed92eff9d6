//! Passes a value from one thread to another, which sleeps until the value is available.

import GlissadePlatform
import GlissadeTime

let answer = Monitor<Int?>(nil)
let worker = try NamedThread(name: "worker") {
    let sum = (1...1000).reduce(0, +)
    answer.update { $0 = sum }
}
// Waits for a limited time: returns nil once the deadline has passed.
if let sum = answer.wait(until: .now() + .seconds(5), { $0 }) { print("the worker says \(sum)") }
worker.join()
