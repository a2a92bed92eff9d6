import Glibc
import Library
import Media
import Platform

/// The command line's files, folders and addresses: what to play, in order, and the subtitles for it.
struct MediaArguments {
    var media: [String] = []
    var subtitles: [String] = []

    /// - Throws: The first argument that cannot be played, as far as its name tells.
    init(_ locations: [String]) throws(Failure) {
        for location in locations {
            if Self.isSubtitles(location) {
                subtitles += try Self.expand(location)
            } else {
                media += try Self.expand(location)
            }
        }
        if media.isEmpty, let file = subtitles.first {
            throw Failure(location: file, reason: "a subtitle file needs a video to go with it")
        }
    }

    /// Why an argument cannot be played.
    struct Failure: Error, Hashable, CustomStringConvertible {
        var location: String
        var reason: String
        var description: String { "\(location): \(reason)" }
    }

    /// Whether `location` is named like a subtitle file.
    static func isSubtitles(_ location: String) -> Bool {
        guard !isAddress(location), let dot = location.lastIndex(of: ".") else { return false }
        return ["srt", "ass", "ssa", "vtt"].contains(location[location.index(after: dot)...].lowercased())
    }

    /// Like `expand`, but requires an extension of video or audio, since a file may have been dropped along with
    /// others by mistake.
    static func expandNamed(_ location: String) throws(Failure) -> [String] {
        let found = try expand(location)
        if found == [location], !isAddress(location),
            LibraryItemKind(fileName: FilePath(location: location).name) == nil
        {
            throw Failure(location: location, reason: "unrecognized file extension")
        }
        return found
    }

    /// The location itself, or a folder's media in natural order.
    static func expand(_ location: String) throws(Failure) -> [String] {
        if isAddress(location) { return [location] }
        let path = FilePath(location: location)
        var status = stat()
        guard path.withCString({ stat($0, &status) }) == 0 else {
            throw Failure(location: location, reason: systemError())
        }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let media: [LibraryItem]
            do throws(FolderError) { media = try Folder(path).entries().filter { $0.kind != .folder } } catch {
                throw Failure(location: location, reason: error.reason)
            }
            if media.isEmpty { throw Failure(location: location, reason: "no media in this folder") }
            return media.map(\.path.location)
        case S_IFREG where status.st_size == 0:
            throw Failure(location: location, reason: "the file is empty")
        default:
            guard path.withCString({ access($0, R_OK) }) == 0 else {
                throw Failure(location: location, reason: systemError())
            }
            return [path.location]
        }
    }
}
