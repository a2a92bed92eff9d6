import Foundation
import GRDB
import Host
import Motion

/// The history's table: its columns, its statements, and entries as its rows.
enum HistoryRow {
    static let columns = [
        "location", "byte_count", "modified", "title", "position", "duration", "volume", "muted", "speed",
        "audio_track", "subtitle_track", "subtitle_file", "last_played", "finished",
    ]

    /// Times are nanoseconds, those of the calendar since the beginning of 1970. A subtitle track of -1 is none.
    static let schema = """
        CREATE TABLE IF NOT EXISTS media (
            location BLOB NOT NULL PRIMARY KEY,
            byte_count INTEGER,
            modified INTEGER,
            title TEXT NOT NULL,
            position INTEGER NOT NULL,
            duration INTEGER,
            volume REAL NOT NULL,
            muted INTEGER NOT NULL,
            speed REAL NOT NULL,
            audio_track INTEGER,
            subtitle_track INTEGER,
            subtitle_file BLOB,
            last_played INTEGER NOT NULL,
            finished INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX IF NOT EXISTS media_last_played ON media (last_played);
        """

    private static let list = columns.joined(separator: ", ")

    static let replacing =
        "INSERT OR REPLACE INTO media (\(list)) VALUES (\(columns.map { _ in "?" }.joined(separator: ", ")))"
    static let selectingOne = "SELECT \(list) FROM media WHERE location = ?"
    static let selectingRecent = "SELECT \(list) FROM media ORDER BY last_played DESC, rowid DESC LIMIT ?"
    static let trimming = """
        DELETE FROM media WHERE rowid IN (
            SELECT rowid FROM media ORDER BY last_played DESC, rowid DESC LIMIT -1 OFFSET ?)
        """

    static func blob(_ bytes: [UInt8]) -> Data { Data(bytes) }

    static func arguments(_ entry: HistoryEntry) -> StatementArguments {
        var track: Int?
        var file: Data?
        switch entry.subtitles {
        case .off: track = -1
        case .track(let number): track = number
        case .file(let path): file = blob(path.bytes)
        case nil: break
        }
        return [
            blob(entry.media.location), entry.media.byteCount, entry.media.modified?.nanoseconds, entry.title,
            entry.position.nanoseconds, entry.duration?.nanoseconds, finite(entry.volume, else: 100), entry.isMuted,
            finite(entry.speed, else: 1), entry.audioTrack, track, file, entry.lastPlayed.nanoseconds, entry.isFinished,
        ]
    }

    /// SQLite keeps no not-a-number: it would be NULL, and the whole write be refused.
    private static func finite(_ number: Double, else standard: Double) -> Double {
        number.isFinite ? number : standard
    }

    /// Nil where the row is none of ours. Values are asked what they are before they are taken: GRDB ends the program
    /// where they are something else.
    static func entry(_ row: Row) -> HistoryEntry? {
        func value<T: DatabaseValueConvertible>(_ column: String) -> T? {
            let stored: DatabaseValue = row[column]
            return T.fromDatabaseValue(stored)
        }
        guard let location: Data = value("location"), let position: Int64 = value("position"),
            let lastPlayed: Int64 = value("last_played")
        else { return nil }
        let modified: Int64? = value("modified")
        let duration: Int64? = value("duration")
        var subtitles: HistoryEntry.SubtitleChoice?
        if let file: Data = value("subtitle_file") {
            subtitles = .file(FilePath(bytes: file))
        } else if let track: Int = value("subtitle_track") {
            subtitles = track < 0 ? .off : .track(track)
        }
        return HistoryEntry(
            media: MediaIdentity(
                location: Array(location), byteCount: value("byte_count"),
                modified: modified.map { CalendarTime(nanoseconds: $0) }),
            title: value("title") ?? "", position: MediaTime(nanoseconds: position),
            duration: duration.map { .nanoseconds($0) }, volume: value("volume") ?? 100,
            isMuted: value("muted") ?? false, speed: value("speed") ?? 1, audioTrack: value("audio_track"),
            subtitles: subtitles, lastPlayed: CalendarTime(nanoseconds: lastPlayed),
            isFinished: value("finished") ?? false)
    }
}
