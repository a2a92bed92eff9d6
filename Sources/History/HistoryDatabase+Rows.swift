import GlissadePlatform
import GlissadeTime

/// The history's table: its columns, its statements, and the conversion between rows and entries.
enum HistoryRow {
    static let columns = [
        "location", "byte_count", "modified", "title", "position", "duration", "volume", "muted", "speed",
        "audio_track", "subtitle_track", "subtitle_file", "last_played", "finished",
    ]

    /// The statements that create the table. Positions and durations are in nanoseconds; dates are in nanoseconds since
    /// 1970. A subtitle track of -1 means that subtitles are off.
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

    static func values(_ entry: HistoryEntry) -> [SQLiteValue] {
        func integer(_ number: Int64?) -> SQLiteValue { number.map { .integer($0) } ?? .null }
        var track: Int?
        var file: SQLiteValue = .null
        switch entry.subtitles {
        case .off: track = -1
        case .track(let number): track = number
        case .file(let path, let number): (file, track) = (.blob(path.bytes), number)
        case nil: break
        }
        return [
            .blob(entry.media.location), integer(entry.media.byteCount.map(Int64.init)),
            integer(entry.media.modified?.nanoseconds), .text(entry.title), .integer(entry.position.nanoseconds),
            integer(entry.duration?.nanoseconds), .real(finite(entry.volume, else: 100)),
            .integer(entry.isMuted ? 1 : 0), .real(finite(entry.speed, else: 1)),
            integer(entry.audioTrack.map(Int64.init)), integer(track.map(Int64.init)), file,
            .integer(entry.lastPlayed.nanoseconds), .integer(entry.isFinished ? 1 : 0),
        ]
    }

    /// Returns `number`, or `standard` if `number` is not finite. SQLite stores NaN as NULL, which the schema rejects.
    private static func finite(_ number: Double, else standard: Double) -> Double {
        number.isFinite ? number : standard
    }

    /// Returns the entry in a row whose values are in the order of `columns`; nil if a required value is missing.
    static func entry(_ row: [SQLiteValue]) -> HistoryEntry? {
        func value(_ column: String) -> SQLiteValue {
            guard let index = columns.firstIndex(of: column), index < row.count else { return .null }
            return row[index]
        }
        func number(_ column: String) -> Int? { value(column).integer.flatMap { Int(exactly: $0) } }
        guard let location = value("location").bytes, let position = value("position").integer,
            let lastPlayed = value("last_played").integer
        else { return nil }
        var subtitles: HistoryEntry.SubtitleChoice?
        if let file = value("subtitle_file").bytes {
            subtitles = .file(BytePath(bytes: file), track: number("subtitle_track"))
        } else if let track = number("subtitle_track") {
            subtitles = track < 0 ? .off : .track(track)
        }
        return HistoryEntry(
            media: MediaIdentity(
                location: location, byteCount: number("byte_count"),
                modified: value("modified").integer.map { CalendarTime(nanoseconds: $0) }),
            title: value("title").text ?? "", position: MediaTime(nanoseconds: position),
            duration: value("duration").integer.map { .nanoseconds($0) }, volume: value("volume").real ?? 100,
            isMuted: number("muted").map { $0 != 0 } ?? false, speed: value("speed").real ?? 1,
            audioTrack: number("audio_track"), subtitles: subtitles,
            lastPlayed: CalendarTime(nanoseconds: lastPlayed), isFinished: number("finished").map { $0 != 0 } ?? false)
    }
}
