import CSystem
import Glibc
import Playback

/// Turns the command line's files, folders and addresses into what is played one after the other.
enum MediaArguments {
    /// Why an argument cannot be played, before anything was opened.
    struct Failure: Error, CustomStringConvertible {
        var location: String
        var reason: String
        var description: String { "\(location): \(reason)" }
    }

    /// Endings of files that are played when a folder is given. A file that is named itself is played whatever its name.
    static let extensions: Set<String> = [
        "3g2", "3gp", "aac", "aif", "aiff", "alac", "asf", "avi", "avif", "dv", "f4v", "flac", "flv", "gif", "h264",
        "h265", "hevc", "ivf", "m1v", "m2ts", "m2v", "m4a", "m4v", "mka", "mkv", "mov", "mp2", "mp3", "mp4", "mpeg",
        "mpg", "mts", "mxf", "nut", "oga", "ogg", "ogm", "ogv", "opus", "rm", "rmvb", "ts", "vob", "wav", "webm", "wma",
        "wmv", "y4m",
    ]

    /// What one argument stands for: itself, or a folder's media in the order a person expects.
    static func expand(_ location: String) throws(Failure) -> [String] {
        if isAddress(location) { return [location] }
        var path = location
        var status = stat()
        if path.hasPrefix("file://") {
            path.removeFirst("file://".count)
            // Desktops escape what an address may not hold; people who type one do not.
            if let decoded = decoded(path), stat(decoded, &status) == 0 { path = decoded }
        }
        guard stat(path, &status) == 0 else { throw Failure(location: location, reason: systemError()) }
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            let media = try mediaFiles(in: path)
            if media.isEmpty { throw Failure(location: location, reason: "no media in this folder") }
            return media
        case S_IFREG where status.st_size == 0:
            throw Failure(location: location, reason: "the file is empty")
        default:
            guard access(path, R_OK) == 0 else { throw Failure(location: location, reason: systemError()) }
            return [path]
        }
    }

    /// `path` with each `%` and two hexadecimal digits as the byte they stand for (RFC 3986, 2.1); nil where that is no text.
    private static func decoded(_ path: String) -> String? {
        var bytes: [UInt8] = []
        var rest = path.utf8[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            let digits = rest.prefix(2)
            guard digits.count == 2, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
                let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16), value != 0
            else { return nil }
            bytes.append(value)
            rest.removeFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }

    /// The names of the media in a folder, hidden files left out, "2" before "10".
    private static func mediaFiles(in folder: String) throws(Failure) -> [String] {
        guard let directory = opendir(folder) else { throw Failure(location: folder, reason: systemError()) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix("."), isMediaName(name), isFile(name, in: directory) { names.append(name) }
        }
        let base = folder.hasSuffix("/") ? folder : folder + "/"
        return names.sorted { strverscmp($0, $1) < 0 }.map { base + $0 }
    }

    /// A folder may be named like a film, and a link may lead nowhere.
    private static func isFile(_ name: String, in directory: OpaquePointer) -> Bool {
        var status = stat()
        return fstatat(dirfd(directory), name, &status, 0) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    static func isMediaName(_ name: String) -> Bool {
        guard let dot = name.lastIndex(of: ".") else { return false }
        return extensions.contains(name[name.index(after: dot)...].lowercased())
    }
}

/// The system's words for what went wrong last, as the end of a line.
func systemError() -> String {
    let words = String(cString: strerror(errno))
    return words.prefix(1).lowercased() + words.dropFirst()
}
