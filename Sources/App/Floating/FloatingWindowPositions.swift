import Geometry
import Glibc
import Platform
import Synchronization

/// Where floating windows were left, for the next time: a small file in the person's state folder.
///
/// Main thread; reading and writing are done on others. A file that cannot be read or written is none.
@MainActor final class FloatingWindowPositions {
    /// What floats, as the file calls it.
    enum Kind: String, CaseIterable { case film, clock, lines }

    private final class Store: Sendable {
        let areas = Mutex<[String: PixelRect]>([:])
        let path: FilePath?
        /// Held by whoever writes: the last one to be asked is the last to write.
        let turn = Mutex<Int>(0)
        let latest = Atomic<Int>(0)

        init(path: FilePath?) { self.path = path }
    }

    private let store: Store
    /// Whether something was given to a thread to be written, which may not be done yet.
    private var isWriting = false

    /// - Parameter folder: the state folder; nil remembers nothing beyond the program.
    init(folder: FilePath?) {
        store = Store(path: folder?.appending("floating".utf8))
        // Some dozen bytes, of which the first window to float has need.
        guard let path = store.path, let bytes = AtomicFile.read(path, atMost: Self.longestFile) else { return }
        let areas = Self.parse(bytes)
        store.areas.withLock { $0 = areas }
    }

    /// In the window system's units.
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

    /// Waits until all is written: the program ends.
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
        // Where that cannot be started, it is written at the end.
        Thread.detach(name: "floating places") { Self.write(store, number: number, to: path) }
    }

    private nonisolated static func write(_ store: Store, number: Int, to path: FilePath) {
        store.turn.withLock { _ in
            guard number == store.latest.load(ordering: .relaxed) else { return }
            AtomicFile.makeFolder(path.parent)
            _ = AtomicFile.write(
                store.areas.withLock { Self.text($0) }, to: path,
                by: path.parent.appending(".floating-\(getpid())-\(number)".utf8))
        }
    }

    // MARK: - The file

    /// One line for each: its name and four whole numbers, `film 100 100 480 270`.
    nonisolated static func text(_ areas: [String: PixelRect]) -> [UInt8] {
        Array(
            areas.sorted { $0.key < $1.key }.map { name, area in
                "\(name) \(area.minX) \(area.minY) \(area.width) \(area.height)\n"
            }.joined().utf8)
    }

    /// What is no such line is left out.
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
