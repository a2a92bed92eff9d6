import Foundation

extension FileHandle {
    /// Reads until the first line has ended, and returns it without the line break; nil if the data ends before.
    ///
    /// For servers that print their port when they are ready, and nothing more.
    func firstLine() -> String? {
        var line = Data()
        while line.last != UInt8(ascii: "\n") {
            let more = availableData
            if more.isEmpty { return nil }
            line += more
        }
        return String(decoding: line.dropLast(), as: UTF8.self)
    }
}
