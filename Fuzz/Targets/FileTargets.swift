import Glibc
import GlissadePicture
import GlissadePlatform
import GlissadeTime

@testable import GlissadeApp
@testable import GlissadeHistory
@testable import GlissadeLibrary
@testable import GlissadeSettings

package enum FileTargets {
    /// Reads settings, and lists the keys that they change.
    static func settings(_ bytes: [UInt8]) {
        let vocabulary = KeyMap.vocabulary
        let (settings, mistakes) = SettingsReader.read(bytes, file: "config.toml", vocabulary: vocabulary)
        check(mistakes.count <= SettingsDocument.mistakeLimit + 1, "the number of mistakes is bounded")
        let keys = KeyMap(changes: settings.keys)
        check(!keys.sections.isEmpty, "keys can be listed")
    }

    static func floating(_ bytes: [UInt8]) {
        let areas = FloatingWindowPositions.parse(bytes)
        check(areas.values.allSatisfy { $0.width > 0 && $0.height > 0 }, "areas are not empty")
        check(
            FloatingWindowPositions.parse(FloatingWindowPositions.text(areas)) == areas,
            "positions survive writing and reading"
        )
    }

    private static let folder: BytePath = {
        let folder = Self.folder(of: getpid())
        AtomicFile.makeFolder(folder)
        return folder
    }()

    private static func folder(of process: pid_t) -> BytePath { BytePath("/dev/shm/glissade-fuzz-\(process)") }

    private static let database = "history.sqlite"
    /// The suffixes of SQLite's files. The database itself has none.
    private static let endings = ["", "-wal", "-shm", "-journal"]
    private static let draft = "draft"

    /// Removes the files that a process has left, since they occupy memory.
    package static func clean(after process: Int32) {
        let folder = Self.folder(of: process)
        for name in endings.map({ database + $0 }) + [draft] {
            _ = folder.appending(name.utf8).withCString { unlink($0) }
        }
        _ = folder.withCString { rmdir($0) }
    }

    /// Opens arbitrary bytes as a history. If that succeeds, writes an entry and reads it back.
    static func history(_ bytes: [UInt8]) {
        let path = folder.appending(database.utf8)
        for ending in endings {
            _ = BytePath(bytes: path.bytes + Array(ending.utf8)).withCString { unlink($0) }
        }
        guard AtomicFile.write(bytes, to: path, by: folder.appending(draft.utf8)) else {
            fatalError("cannot write an input")
        }
        guard let database = try? HistoryDatabase(path) else { return }
        defer { database.close() }
        let known = (try? database.recent(50)) ?? []
        for entry in known { _ = (entry.resumePosition, entry.title) }
        let entry = HistoryEntry(
            media: MediaIdentity(address: "http://example.org/film"), title: "Film", position: MediaTime(seconds: 60),
            duration: .seconds(600))
        guard (try? database.write(known + [entry])) != nil else { return }
        if let read = try? database.entry(at: entry.media.location) {
            check(read.position == entry.position && read.title == entry.title, "the entry written is read back")
        }
    }

    /// Reads a poster record as it is, and again with a correct key and checksum, to test damage that the checksum
    /// does not catch.
    static func poster(_ bytes: [UInt8]) {
        let key = PosterKey(path: BytePath("/film"), byteCount: 1000, modified: CalendarTime(nanoseconds: 1))
        _ = PosterRecord.poster(in: bytes, for: key)
        var sealed = bytes + key.bytes
        sealed += PosterKey.littleEndian(UInt64(bytes.count)) + PosterKey.littleEndian(UInt64(key.bytes.count))
        sealed += PosterKey.littleEndian(PosterKey.hash(sealed[...])) + Array("glposte1".utf8)
        if case .poster(let bitmap) = PosterRecord.poster(in: sealed, for: key) {
            check(
                bitmap.size.width <= key.limit.width && bitmap.size.height <= key.limit.height,
                "a poster fits its limit")
        }
    }
}
