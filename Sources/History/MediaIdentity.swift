import Glibc
package import GlissadePlatform

/// The identity of a file or URL: its location and, for a file, its size and modification date. A file that is changed
/// or replaced therefore gets a different identity.
package struct MediaIdentity: Hashable, Sendable {
    /// The bytes of a file's absolute path or of a URL. URLs never start with a slash.
    package let location: [UInt8]
    /// The size of the file in bytes; nil for a URL.
    package let byteCount: Int?
    /// The modification date of the file; nil for a URL.
    package let modified: CalendarTime?

    /// Creates an identity from stored values. The values are not checked against the file.
    package init(location: [UInt8], byteCount: Int?, modified: CalendarTime?) {
        self.location = location
        self.byteCount = byteCount
        self.modified = modified
    }

    /// Creates the identity of a URL.
    package init(address: String) { self.init(location: Array(address.utf8), byteCount: nil, modified: nil) }

    /// Creates the identity of a file in its current state; nil if the file is missing or inaccessible. Blocks; not for
    /// the main thread.
    package init?(file: BytePath) {
        var status = stat()
        guard file.withCString({ stat($0, &status) }) == 0 else { return nil }
        var path = file
        if file.bytes.first != UInt8(ascii: "/") {
            guard let current = getcwd(nil, 0) else { return nil }
            defer { free(current) }
            let folder = UnsafeBufferPointer(start: current, count: strlen(current)).map { UInt8(bitPattern: $0) }
            path = BytePath(bytes: folder).appending(file.bytes)
        }
        self.init(location: path.bytes, byteCount: Int(status.st_size), modified: CalendarTime(status.st_mtim))
    }
}
