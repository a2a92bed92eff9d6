import Foundation
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeHistory

/// A history that goes with the test.
final class Scene: Sendable {
    let path = NSTemporaryDirectory() + "glissade-history-\(UUID().uuidString)"
    /// In folders that are not there yet.
    var file: BytePath { BytePath(path + "/state/glissade/history.sqlite") }
    private let signal = WakeSignal()
    private let heard = Mutex<[HistoryError]>([])

    init(hasFolder: Bool = false) throws {
        try FileManager.default.createDirectory(
            atPath: hasFolder ? path + "/state/glissade" : path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var troubles: [HistoryError] { heard.withLock { $0 } }

    /// Names of the files beside the history.
    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path + "/state/glissade")) ?? []).sorted()
    }

    func open(_ path: BytePath? = nil) -> History {
        History(path: path ?? file) { [self] trouble in
            heard.withLock { $0.append(trouble) }
            signal.raise()
        } wake: { [signal] in
            signal.raise()
        }
    }

    /// Waits for recent entries.
    func recent(_ history: History) -> [HistoryEntry]? {
        var recent: [HistoryEntry]?
        _ = signal.wait {
            recent = history.takeRecent()
            return recent != nil
        }
        return recent
    }

    func write(_ bytes: some Sequence<UInt8>, to name: String = "history.sqlite") throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path + "/state/glissade/" + name))
    }

    func bytes(_ name: String = "history.sqlite") throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: path + "/state/glissade/" + name)))
    }

    /// Makes a history with so many entries, closed.
    func fill(_ count: Int = 100) throws {
        let database = try HistoryDatabase(file)
        try database.write((0..<count).map { entry("\($0)", 60, played: Int64($0)) })
        database.close()
    }
}

func film(_ name: String) -> MediaIdentity {
    MediaIdentity(location: Array("/films/\(name).mkv".utf8), byteCount: 5, modified: CalendarTime(nanoseconds: 7))
}

func entry(_ name: String, _ seconds: Int, played: Int64 = 0) -> HistoryEntry {
    HistoryEntry(
        media: film(name), title: name, position: .zero + .seconds(seconds), duration: .seconds(100_000),
        lastPlayed: CalendarTime(nanoseconds: played))
}
