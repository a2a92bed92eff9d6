import Glibc
import GlissadePlatform

/// The folder of a playlist in a file. Opens regular files in it and below it, and nothing else.
///
/// Threads: confined to the thread that reads the media.
final class PlaylistFolder {
    /// The name of the playlist's file.
    let playlistName: [UInt8]
    private let descriptor: CInt

    /// The base of the URLs that stand for the folder's files. FFmpeg's HLS demuxer and the translation of DASH
    /// manifests resolve relative URLs against it. Nothing is ever requested from this host, which cannot exist
    /// (RFC 6761, 6.4).
    private static let base = "http://playlist.invalid/folder/"

    /// Opens the folder that holds the file at `path`, which may be a symbolic link to the file, or a descriptor's path
    /// under /proc.
    init(ofPlaylistAt path: BytePath) throws(ResourceFailure) {
        guard let resolved = path.withCString({ realpath($0, nil) }) else {
            throw .file(path.displayName, reason: systemError())
        }
        let real = BytePath(bytes: UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
        free(resolved)
        playlistName = Array(real.name)
        descriptor = real.parent.withCString { Glibc.open($0, __O_PATH | O_DIRECTORY | O_CLOEXEC) }
        guard descriptor >= 0 else { throw .file(real.parent.displayName, reason: systemError()) }
    }

    deinit { close(descriptor) }

    /// The URL that stands for the playlist itself.
    var address: String {
        // The same escapes as in a file URL.
        Self.base + FileAddress.address(of: playlistName).dropFirst(FileAddress.prefix.utf8.count)
    }

    /// Returns the path of the file that a URL stands for, relative to the folder.
    ///
    /// - Throws: `namesAddress` or `outsideFolder` if the URL stands for none.
    static func path(of address: WebAddress) throws(ResourceFailure) -> BytePath {
        guard address.text.hasPrefix(base) else {
            // A relative URL with `..` or an absolute path has lost its base.
            let origin = base.dropLast("folder/".utf8.count)
            guard address.text.hasPrefix(origin) else {
                throw .namesAddress(DisplaySafeText.text(String(address.text.prefix(80))))
            }
            throw .outsideFolder(DisplaySafeText.text(String(address.text.dropFirst(origin.count - 1).prefix(80))))
        }
        let components = try LocalReference.components(of: Array(address.text.utf8.dropFirst(base.utf8.count)))
        return BytePath(bytes: components.joined(separator: [UInt8(ascii: "/")]))
    }

    /// Opens a regular file for reading. Symbolic links are followed only to files in the folder or below it.
    ///
    /// - Parameter path: The file's path relative to the folder, without `..`.
    /// - Returns: A descriptor, which the caller closes.
    func open(_ path: BytePath) throws(ResourceFailure) -> CInt {
        // Opening by O_PATH has no side effects on devices, and does not wait for pipes. The file that is checked is
        // the one that is then read, whatever happens to its path in the meantime.
        let place = path.withCString { openat(descriptor, $0, __O_PATH | O_CLOEXEC) }
        guard place >= 0 else { throw .file(path.displayPath, reason: systemError()) }
        defer { close(place) }
        var status = stat()
        guard fstat(place, &status) == 0 else { throw .file(path.displayPath, reason: systemError()) }
        guard let folder = Self.path(of: descriptor), let target = Self.path(of: place),
            target.starts(with: folder.last == UInt8(ascii: "/") ? folder : folder + [UInt8(ascii: "/")])
        else { throw .outsideFolder(path.displayPath) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .file(path.displayPath, reason: "not a regular file") }
        let file = Glibc.open(Self.link(to: place), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
        guard file >= 0 else { throw .file(path.displayPath, reason: systemError()) }
        return file
    }

    private static func link(to descriptor: CInt) -> String { "/proc/self/fd/\(descriptor)" }

    /// Returns the path of an open file or folder; nil if it cannot be found.
    private static func path(of descriptor: CInt) -> [UInt8]? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            let count = readlink(link(to: descriptor), start, buffer.count)
            guard count > 0, count < buffer.count else { return nil }
            return buffer[..<count].map { UInt8(bitPattern: $0) }
        }
    }
}
