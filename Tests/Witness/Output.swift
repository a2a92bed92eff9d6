import Foundation

/// Has the scheduler put this process before all others, where that is allowed.
func goFirst() {
    var parameter = sched_param(sched_priority: 1)
    sched_setscheduler(0, SCHED_RR, &parameter)
}

/// Writes a summary as JSON to a file, or to standard output.
func write(_ result: some Encodable, to file: String?) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let data = try encoder.encode(result)
    guard let file else { return print(String(decoding: data, as: UTF8.self)) }
    try data.write(to: URL(fileURLWithPath: file))
}
