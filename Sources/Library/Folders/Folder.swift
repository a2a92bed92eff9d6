import Glibc
package import GlissadeMedia
import GlissadePlatform

/// A folder whose media files and subfolders can be listed.
package struct Folder: Hashable, Sendable {
    /// The folder's path, absolute or relative to the working directory.
    package let path: BytePath

    package init(_ path: BytePath) { self.path = path }

    /// Returns the folder's subfolders, then its media files, each group in natural order. Blocks, so it must not be
    /// called on the main thread.
    ///
    /// Opens no file. Omits files without a media extension, broken links, and anything that is neither a file nor a
    /// folder (such as a pipe with a media extension). Also omits all items whose names start with a dot.
    ///
    /// - Parameter isCancelled: Called before each name. If it returns true, the result is empty.
    package func entries(unless isCancelled: () -> Bool = { false }) throws(FolderError) -> [LibraryItem] {
        var entries: [LibraryItem] = []
        let isWhole = try read(unless: isCancelled) { name, isFile, directory in
            if let entry = entry(name, isFile: isFile, in: directory) { entries.append(entry) }
        }
        return isWhole ? sorted(entries) : []
    }

    /// Returns the paths of all entries whose names `isWanted` accepts, in no particular order. `isWanted` also
    /// receives the names of hidden entries, `.` and `..`. Blocks, so it must not be called on the main thread.
    package func paths(where isWanted: (UnsafeRawBufferPointer) -> Bool) throws(FolderError) -> [BytePath] {
        var paths: [BytePath] = []
        _ = try read(unless: { false }) { name, _, _ in
            if isWanted(name) { paths.append(path.appending(name)) }
        }
        return paths
    }

    /// Calls `take` for each entry of the folder, including hidden entries, `.` and `..`.
    ///
    /// - Parameter take: Receives the entry's name, whether the entry is known to be a regular file, and the open
    ///   folder. The name is not empty, and a null byte follows it.
    /// - Returns: False if canceled.
    private func read(
        unless isCancelled: () -> Bool,
        _ take: (_ name: UnsafeRawBufferPointer, _ isFile: Bool, _ directory: OpaquePointer) -> Void
    ) throws(FolderError) -> Bool {
        guard let directory = path.withCString({ opendir($0) }) else { throw failure() }
        defer { closedir(directory) }
        // Use a pointer to `d_name`: its declared size, 256 bytes, is too small for some file systems.
        guard let offset = MemoryLayout<dirent>.offset(of: \.d_name) else { return true }
        while !isCancelled() {
            errno = 0
            guard let found = readdir(directory) else {
                if errno != 0 { throw failure() }
                return true
            }
            let start = UnsafeRawPointer(found) + offset
            let name = UnsafeRawBufferPointer(
                start: start, count: strlen(start.assumingMemoryBound(to: CChar.self)))
            take(name, CInt(found.pointee.d_type) == CInt(DT_REG), directory)
        }
        return false
    }

    private func failure() -> FolderError { FolderError(folder: path, reason: systemError()) }

    private func entry(_ name: UnsafeRawBufferPointer, isFile: Bool, in directory: OpaquePointer) -> LibraryItem? {
        guard let start = name.baseAddress?.assumingMemoryBound(to: CChar.self), name[0] != UInt8(ascii: ".") else {
            return nil
        }
        let kind = LibraryItemKind(fileName: name)
        if kind == nil, isFile { return nil }
        var status = stat()
        guard fstatat(dirfd(directory), start, &status, 0) == 0 else { return nil }
        let path = path.appending(name)
        let modified = FileTime(status.st_mtim)
        switch status.st_mode & S_IFMT {
        case S_IFDIR:
            return LibraryItem(
                path: path, displayName: path.displayName, kind: .folder, byteCount: 0, modified: modified)
        case S_IFREG:
            return kind.map {
                LibraryItem(
                    path: path, displayName: path.displayName, kind: $0, byteCount: Int(status.st_size),
                    modified: modified)
            }
        default: return nil
        }
    }

    private func sorted(_ entries: [LibraryItem]) -> [LibraryItem] {
        let ordered = NaturalOrder.sorted(entries) { $0.path.name }
        return ordered.filter { $0.kind == .folder } + ordered.filter { $0.kind != .folder }
    }
}
