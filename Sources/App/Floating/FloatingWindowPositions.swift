import GlissadeGeometry
import Glibc
import GlissadePlatform
import Synchronization

/// The last positions and sizes of the floating windows, stored in a small file in the state folder.
///
/// Main thread; the file is written on background threads. Errors in reading or writing the file are ignored.
@MainActor final class FloatingWindowPositions {
    /// The kinds of floating windows. The raw values are their names in the file.
    enum Kind: String, CaseIterable { case film, clock, lines }

    private final class Store: Sendable {
        let areas = Mutex<[String: PixelRect]>([:])
        let path: BytePath?
        /// Locked while the file is written, so that writes do not overlap.
        let turn = Mutex<Int>(0)
        /// The number of the latest requested write. An earlier write that has not begun yet is skipped.
        let latest = Atomic<Int>(0)

        init(path: BytePath?) { self.path = path }
    }

    private let store: Store
    /// Whether a write has been requested since the last call of `finish`. The write may still be running.
    private var isWriting = false

    /// - Parameter folder: The folder of the file; nil to keep the positions only in memory.
    init(folder: BytePath?) {
        store = Store(path: folder?.appending("floating".utf8))
        // Read synchronously: the file has only a few dozen bytes, and the first floating window needs them.
        guard let path = store.path, let bytes = AtomicFile.read(path, atMost: Self.longestFile) else { return }
        let areas = Self.parse(bytes)
        store.areas.withLock { $0 = areas }
    }

    /// The last area of the window of a kind, in the window system's units; nil if unknown. Setting a different area
    /// writes the file in the background.
    subscript(kind: Kind) -> PixelRect? {
        get { store.areas.withLock { $0[kind.rawValue] } }
        set {
            let isNew = store.areas.withLock { areas in
                defer { areas[kind.rawValue] = newValue }
                return areas[kind.rawValue] != newValue
            }
            if isNew { write() }
        }
    }

    /// Writes the file if positions have changed since the last call. Blocks until the file is written. Called when the
    /// program ends or changes the renderer.
    func finish() {
        guard isWriting, let path = store.path else { return }
        isWriting = false
        Self.write(store, number: store.latest.add(1, ordering: .relaxed).newValue, to: path)
    }

    private func write() {
        guard let path = store.path else { return }
        isWriting = true
        let number = store.latest.add(1, ordering: .relaxed).newValue
        let store = store
        // If no thread can be started, `finish` writes the file.
        NamedThread.detach(name: "floating places") { Self.write(store, number: number, to: path) }
    }

    private nonisolated static func write(_ store: Store, number: Int, to path: BytePath) {
        store.turn.withLock { _ in
            guard number == store.latest.load(ordering: .relaxed) else { return }
            AtomicFile.makeFolder(path.parent)
            _ = AtomicFile.write(
                store.areas.withLock { Self.text($0) }, to: path,
                by: path.parent.appending(".floating-\(getpid())-\(number)".utf8))
        }
    }

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
