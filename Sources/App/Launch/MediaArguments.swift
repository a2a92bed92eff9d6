import Glibc
import GlissadeLibrary
import GlissadeMedia
import GlissadePlatform
import GlissadeSubtitles

/// The media to play and the files of subtitles and comments to use, each in the order of the command line. Folders are
/// replaced by the media files in them.
struct MediaArguments {
    var media: [String] = []
    var subtitles: [String] = []
    var comments: [String] = []

    /// `-` stands for standard input.
    ///
    /// - Throws: `Failure` for the first argument that cannot be played, or if there are only subtitles or comments.
    init(_ locations: [String]) throws(Failure) {
        for location in locations {
            if location == "-" {
                if let fault = StandardInput.fault { throw Failure(location: location, reason: fault) }
                media.append(StandardInput.location)
                continue
            }
            if Self.isSubtitles(location) {
                subtitles += try Self.expand(location)
            } else if Self.isComments(location) {
                comments += try Self.expand(location)
            } else {
                media += try Self.expand(location)
            }
        }
        if media.isEmpty, let file = subtitles.first {
            throw Failure(location: file, reason: "a subtitle file needs a video to go with it")
        }
        if media.isEmpty, let file = comments.first {
            throw Failure(location: file, reason: "a file of comments needs a video to go with it")
        }
    }

    /// An argument that cannot be played, and why.
    struct Failure: Error, Hashable, CustomStringConvertible {
        var location: String
        var reason: String
        var description: String { "\(ShownLocation.text(location)): \(reason)" }
    }

    /// Returns whether `location` has the extension of a subtitle file. URLs never count as subtitles.
    static func isSubtitles(_ location: String) -> Bool { hasExtension(Subtitles.fileExtensions, location) }

    /// Returns whether `location` has the extension of a file of comments. URLs never count as one.
    static func isComments(_ location: String) -> Bool { hasExtension(["xml"], location) }

    private static func hasExtension(_ extensions: Set<String>, _ location: String) -> Bool {
        guard !isAddress(location), let dot = location.lastIndex(of: ".") else { return false }
        return extensions.contains(location[location.index(after: dot)...].lowercased())
    }

    /// Expands a dropped file, folder or URL, as `expand` does. Rejects a file that has neither a known media
    /// extension nor that of an HLS playlist or a DASH manifest, and may have been dropped by mistake.
    static func expandNamed(_ location: String) throws(Failure) -> [String] {
        let found = try expand(location)
        if found == [location], !isAddress(location), !hasExtension(["m3u8", "mpd"], location),
            LibraryItemKind(fileName: BytePath(location: location).name) == nil
        {
            throw Failure(location: location, reason: "unrecognized file extension")
        }
        return found
    }

    /// Returns the paths of a folder's media files, in natural order. For a file or URL, returns only `location`
    /// itself.
    ///
    /// - Throws: `Failure` if the file or folder is missing, unreadable or empty, or if the folder contains no media.
    static func expand(_ location: String) throws(Failure) -> [String] {
        if isAddress(location) { return [location] }
        let path = BytePath(location: location)
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
