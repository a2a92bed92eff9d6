import Glibc
import GlissadeLibrary
import GlissadeMedia

/// Finds the folder in which the library starts, and makes paths absolute.
enum LibraryFolder {
    /// Returns the folder in which the library starts: `location` if it is a folder, else the folder that contains the
    /// file at `location`.
    ///
    /// If `location` is a URL other than `file://`, returns the current folder. If `location` is nil, returns the
    /// current folder if it contains media, else `Videos` in the home folder. If `Videos` does not exist, returns the
    /// current folder.
    static func path(for location: String?) -> BytePath {
        guard let location, !isAddress(location) else {
            let here = BytePath(currentFolder)
            if location == nil, !hasMedia(here), let videos = videosFolder { return videos }
            return here
        }
        let absolute = absolute(location)
        var status = stat()
        let isFolder = absolute.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR
        return isFolder ? absolute : absolute.parent
    }

    /// Returns the absolute path of the file at `location`, which may be a path or a `file://` URL. Any other URL is
    /// returned unchanged.
    static func absolute(_ location: String) -> BytePath {
        var bytes = BytePath(location: location).bytes[...]
        if isAddress(location) { return BytePath(bytes: bytes) }
        if bytes.first == UInt8(ascii: "/") { return direct(BytePath(bytes: bytes)) }
        // A page's title is the name of its folder, so "." must be replaced with the folder's path.
        while bytes.starts(with: "./".utf8) { bytes = bytes.dropFirst(2).drop { $0 == UInt8(ascii: "/") } }
        let here = BytePath(currentFolder)
        return bytes.isEmpty || bytes.elementsEqual(".".utf8) ? here : direct(here.appending(bytes))
    }

    /// Returns an absolute path without "." and ".." components, so that paths can be compared.
    ///
    /// Resolves symbolic links only in the part of the path up to and including the last "..". If that part does not
    /// exist, returns the path unchanged.
    private static func direct(_ path: BytePath) -> BytePath {
        let slash = UInt8(ascii: "/")
        let parts = path.bytes.split(separator: slash).filter { !$0.elementsEqual(".".utf8) }
        let whole = parts.reduce(BytePath("/")) { $0.appending($1) }
        guard let last = parts.lastIndex(where: { $0.elementsEqual("..".utf8) }) else { return whole }
        let way = parts[...last].reduce(BytePath("/")) { $0.appending($1) }
        guard let folder = way.withCString({ realpath($0, nil) }) else { return path }
        defer { free(folder) }
        let bytes = UnsafeBufferPointer(start: folder, count: strlen(folder)).map { UInt8(bitPattern: $0) }
        return parts[(last + 1)...].reduce(BytePath(bytes: bytes)) { $0.appending($1) }
    }

    private static var currentFolder: String {
        guard let name = getcwd(nil, 0) else { return "/" }
        defer { free(name) }
        return String(cString: name)
    }

    private static func hasMedia(_ folder: BytePath) -> Bool {
        ((try? Folder(folder).entries()) ?? []).contains { $0.kind != .folder }
    }

    /// `Videos` in the home folder; nil if it does not exist.
    private static var videosFolder: BytePath? {
        guard let home = getenv("HOME") else { return nil }
        let path = BytePath(String(cString: home)).appending("Videos".utf8)
        var status = stat()
        return path.withCString { stat($0, &status) } == 0 && status.st_mode & S_IFMT == S_IFDIR ? path : nil
    }
}
