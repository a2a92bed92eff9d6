import Library
import Media
import Time

/// What the file of a saved picture is called: `FILM-HH.MM.SS.mmm.png`, by its film's name and its place in it.
///
/// Names are bytes, as the system has them: a film's name need not be text.
struct ScreenshotName: Hashable, Sendable {
    /// In bytes: what the usual file systems take (`NAME_MAX`).
    static let longest = 255

    /// The film's name, without its ending.
    private let film: [UInt8]
    private let place: String

    /// - Parameters:
    ///   - location: the film's path or address.
    ///   - position: from the film's beginning.
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

    /// The name for the first try, which is 1, and those after it, which say their number.
    func bytes(attempt: Int) -> [UInt8] {
        let end = Array("-\(place)\(attempt > 1 ? "-\(attempt)" : "").png".utf8)
        return Self.shortened(film, to: Self.longest - end.count) + end
    }

    private static func stem(of location: String) -> [UInt8] {
        var name = FilePath(location: location).name
        if isAddress(location), let end = name.firstIndex(where: { $0 == UInt8(ascii: "?") }) {
            name = name[..<end]
        }
        // An ending is short; a dot at the beginning or far from the end is part of the name.
        if let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex, name.endIndex - dot <= 6 {
            name = name[..<dot]
        }
        // What would break a line or move a terminal's cursor; a slash can only be an address's.
        let safe = name.map { $0 < 0x20 || $0 == 0x7F || $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
        return safe.isEmpty ? Array("film".utf8) : safe
    }

    /// Cut where no character is.
    private static func shortened(_ name: [UInt8], to limit: Int) -> [UInt8] {
        guard name.count > limit else { return name }
        var end = limit
        // At most three bytes of UTF-8 follow a character's first; more are no text.
        for _ in 0..<3 where end > 0 && name[end] & 0xC0 == 0x80 { end -= 1 }
        return Array(name[..<end])
    }
}
