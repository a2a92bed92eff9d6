import GlissadeGeometry
import Glibc
import GlissadeLayers
import GlissadePlatform
import GlissadeTime

@testable import GlissadeApp
@testable import GlissadeLibrary
@testable import GlissadeMedia
@testable import GlissadeSettings
@testable import GlissadeText

enum TextTargets {
    /// Parses lines, each of which is a file name, a path or a URL.
    static func address(_ bytes: [UInt8]) {
        let lines = bytes.split(separator: 0x0A, maxSplits: 8).map { Array($0) }
        for line in lines {
            let text = String(decoding: line, as: UTF8.self)
            if let path = FileAddress.path(of: text) {
                let path = BytePath(bytes: path)
                check(BytePath(location: path.location).bytes == path.bytes, "a path survives conversion to a location")
            }
            let path = BytePath(bytes: line)
            check(BytePath(location: path.location).bytes == path.bytes, "a path survives conversion to a location")
            _ = (path.name, path.parent, path.displayPath)
            _ = (MediaInput.isAddress(text), MediaArguments.isSubtitles(text), LanguageName.text(text))
            let oneLine = DisplaySafeText.text(text)
            check(!oneLine.unicodeScalars.contains { $0.value < 0x20 }, "a line has no control characters")
            let content = TextContent(text, style: TextStyle(size: 12, color: Color(red: 1, green: 1, blue: 1)))
            for lines in [1, 3] {
                _ = TextSanitizer.of(content, lineLimit: lines, scalarLimit: 40)
            }
            let name = ScreenshotName(location: text, position: .nanoseconds(Int64(line.count) &* 1_000_003)).bytes(
                attempt: 3)
            check(
                name.count <= ScreenshotName.longest && !name.contains(0x2F), "a screenshot's name is a valid file name"
            )
        }
        order(lines)
    }

    /// Checks that the sort order is consistent. Sorting by an inconsistent order could trap or never end.
    private static func order(_ names: [[UInt8]]) {
        let keys = names.prefix(5).map { NaturalOrder($0) }
        for a in keys {
            check(!(a < a), "a name does not come before itself")
            for b in keys {
                check(!(a < b && b < a), "two names have one order")
                for c in keys where a < b && b < c { check(a < c, "the order is transitive") }
            }
        }
    }

    /// Handles a drop from another program: URLs and paths, one per line.
    static func drop(_ bytes: [UInt8]) {
        let paths = bytes.split(separator: 0x0A).prefix(16).map { line in
            // Uses paths that do not exist, so that the result does not depend on the machine.
            let text = String(decoding: line, as: UTF8.self)
            return MediaInput.isAddress(text) || text.hasPrefix("file:") ? text : "/nonexistent/" + text
        }
        let drop = DroppedFiles.examine(Array(paths))
        check(
            drop.media.count + drop.subtitles.count + drop.failures.count <= paths.count,
            "a drop has at most as many results as paths")
        for failure in drop.failures { _ = DisplaySafeText.text("\(failure)") }
    }

    /// Parses a DASH manifest, and translates it into playlists. What follows the document's last `>` is a segment index.
    static func manifest(_ bytes: [UInt8]) {
        _ = DASHManifest.isManifest(bytes)
        let end = bytes.lastIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? 0
        let index = Array(bytes[end...])
        _ = SegmentIndex(index, at: 0)
        guard let address = WebAddress("http://a.example/film.mpd"),
            let manifest = try? DASHManifest(Array(bytes[..<end])),
            let playlists = try? DASHPlaylists(manifest, at: address, readIndex: { _, _ in index })
        else { return }
        for text in playlists.texts.values {
            let lines = text.split(separator: "\n")
            check(lines.first == "#EXTM3U" && lines.last == "#EXT-X-ENDLIST", "a playlist is complete")
            check(lines.allSatisfy { $0.hasPrefix("#EXT") || $0.hasPrefix("http") }, "a line is a tag or a web address")
        }
        check(playlists.mainText()?.contains("#EXT-X-STREAM-INF:") == true, "there is something to play")
    }

    /// Scans an HLS playlist, and rewrites it for rewritten segments.
    static func playlist(_ bytes: [UInt8]) {
        guard let address = WebAddress("http://a.example/film.m3u8") else { return }
        var scanner = PlaylistScanner(addressBytes: address.text.utf8.count)
        bytes.withUnsafeBytes { scanner.take($0, at: 0) }
        let playlist = SegmentPlaylist(bytes, at: address, named: "n")
        guard let first = playlist.first else {
            return check(playlist.text.isEmpty && playlist.initializations.isEmpty, "nothing is rewritten in part")
        }
        check(playlist.hasSegments && playlist.initializations.values.contains(first), "a segment comes first")
        check(SegmentPlaylist(playlist.text, at: address, named: "n").first == nil, "no initialization is left")
        var broken = BrokenVariants()
        for name in [address.text, "other"] { bytes.withUnsafeBytes { broken.take($0, of: name, movedTo: address) } }
        if let missing = WebAddress(first.address) { broken.note(missing, isOpen: false) }
        _ = broken.refuseBroken()
        check(!broken.removeRefused(from: bytes, at: address).isEmpty, "a playlist without variants stays")
    }

    /// Parses the name of a key chord or of a command, as in the settings file.
    static func command(_ bytes: [UInt8]) {
        let text = String(decoding: bytes, as: UTF8.self)
        if let chord = try? KeyChord(name: text) {
            check((try? KeyChord(name: chord.description)) == chord, "a chord survives conversion to a name")
        }
        if let command = Command(text: text) { check(!command.summary.isEmpty, "a command has a summary") }
    }
}
