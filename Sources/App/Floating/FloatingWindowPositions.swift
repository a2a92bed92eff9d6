import GlissadeGeometry
import GlissadePlatform

/// The last positions and sizes of the floating windows, stored in a small file in the state folder.
///
/// Main thread; the file is written on background threads. Errors in reading or writing the file are ignored.
@MainActor final class FloatingWindowPositions {
    /// The kinds of floating windows. The raw values are their names in the file.
    enum Kind: String, CaseIterable { case film, clock, lines }

    private let file: StateFile
    private var areas: [String: PixelRect]

    /// - Parameter folder: The folder of the file; nil to keep the positions only in memory.
    init(folder: BytePath?) {
        file = StateFile("floating", in: folder)
        // Read synchronously: the file has only a few dozen bytes, and the first floating window needs them.
        areas = file.read(atMost: Self.longestFile).map(Self.parse) ?? [:]
    }

    /// The last area of the window of a kind, in the window system's units; nil if unknown. Setting a different area
    /// writes the file in the background.
    subscript(kind: Kind) -> PixelRect? {
        get { areas[kind.rawValue] }
        set {
            guard areas[kind.rawValue] != newValue else { return }
            areas[kind.rawValue] = newValue
            file.write(Self.text(areas))
        }
    }

    /// Writes the file if positions have changed since the last call. Blocks until the file is written. Called when the
    /// program ends or changes the renderer.
    func finish() { file.finish() }

    // MARK: - The file

    /// Returns the text of the file: one line per window, with its kind, x, y, width and height. Example:
    /// `film 100 100 480 270`.
    nonisolated static func text(_ areas: [String: PixelRect]) -> [UInt8] {
        Array(
            areas.sorted { $0.key < $1.key }.map { name, area in
                "\(name) \(area.minX) \(area.minY) \(area.width) \(area.height)\n"
            }.joined().utf8)
    }

    /// Parses the text of the file. Ignores malformed lines, and lines with an unknown kind or an implausible area.
    nonisolated static func parse(_ bytes: [UInt8]) -> [String: PixelRect] {
        var areas: [String: PixelRect] = [:]
        for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") {
            let words = line.split(separator: " ")
            let numbers = words.dropFirst().compactMap { Int($0) }
            guard words.count == 5, numbers.count == 4, Kind(rawValue: String(words[0])) != nil,
                numbers.allSatisfy((-1 << 20...1 << 20).contains), numbers[2] > 0, numbers[3] > 0
            else { continue }
            areas[String(words[0])] = PixelRect(
                minX: numbers[0], minY: numbers[1], maxX: numbers[0] + numbers[2], maxY: numbers[1] + numbers[3])
        }
        return areas
    }

    private static let longestFile = 4096
}
