import Glibc
import Library
import Media
import Platform

/// Turns the command line's files, folders and addresses into what is played one after the other.
enum MediaArguments {
    /// Why an argument cannot be played, before anything was opened.
    struct Failure: Error, Hashable, CustomStringConvertible {
        var location: String
        var reason: String
        var description: String { "\(location): \(reason)" }
    }

    /// Whether `location` is named like a file of subtitles, which is shown with a film and not played.
    static func isSubtitles(_ location: String) -> Bool {
        guard !isAddress(location), let dot = location.lastIndex(of: ".") else { return false }
        return ["srt", "ass", "ssa", "vtt"].contains(location[location.index(after: dot)...].lowercased())
    }

    /// As `expand`, for what came along with other things, perhaps by mistake: a file must be called like a film or music.
    static func expandNamed(_ location: String) throws(Failure) -> [String] {
        let found = try expand(location)
        if found == [location], !isAddress(location),
            LibraryItemKind(fileName: FilePath(location: location).name) == nil
        {
            throw Failure(location: location, reason: "unrecognized file extension")
        }
        return found
    }

    /// What one argument stands for: itself, or a folder's media in the order a person expects.
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
