import GlissadeLibrary
import GlissadeMedia
import GlissadeTime

/// The file name of a screenshot, made from the video's name and the position: `FILM-HH.MM.SS.mmm.png`.
///
/// The name is kept as bytes, because the video's file name need not be UTF-8.
struct ScreenshotName: Hashable, Sendable {
    /// The maximum length of a file name on common file systems (`NAME_MAX`), in bytes.
    static let longest = 255

    /// The video's file name without its extension.
    private let film: [UInt8]
    private let place: String

    /// - Parameters:
    ///   - location: The video's path or URL.
    ///   - position: The position from the start of the video.
    init(location: String, position: Duration) {
        film = Self.stem(of: location)
        let milliseconds = max(0, position.nanoseconds) / 1_000_000
        func digits(_ value: Int64, _ count: Int) -> String {
            let text = String(value)
            return String(repeating: "0", count: max(0, count - text.count)) + text
        }
        place =
            digits(milliseconds / 3_600_000, 2) + "." + digits(milliseconds / 60000 % 60, 2) + "."
            + digits(milliseconds / 1000 % 60, 2) + "." + digits(milliseconds % 1000, 3)
    }

    /// Returns the file name, which has at most `longest` bytes.
    ///
    /// - Parameter attempt: The number of the attempt to find a free name, counted from 1. Names contain this number
    ///   from the second attempt on.
    func bytes(attempt: Int) -> [UInt8] {
        let end = Array("-\(place)\(attempt > 1 ? "-\(attempt)" : "").png".utf8)
        return Self.shortened(film, to: Self.longest - end.count) + end
    }

    private static func stem(of location: String) -> [UInt8] {
        var name = BytePath(location: StandardInput.shown(location)).name
        if isAddress(location), let end = name.firstIndex(where: { $0 == UInt8(ascii: "?") }) {
            name = name[..<end]
        }
        // Extensions are short. A dot farther from the end is part of the name.
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex, name.endIndex - dot <= 6 {
            name = name[..<dot]
        }
        // Control characters could garble a terminal, and a file name cannot contain a slash.
        let safe = name.map { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
        return safe.isEmpty ? Array("film".utf8) : safe
    }

    /// Returns the name, cut at a character boundary if it is longer than `limit` bytes.
    private static func shortened(_ name: [UInt8], to limit: Int) -> [UInt8] {
        guard name.count > limit else { return name }
        var end = limit
        // A UTF-8 character has at most three continuation bytes.
        for _ in 0..<3 where end > 0 && name[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(name[..<end])
    }
}
