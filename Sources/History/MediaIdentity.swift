import Glibc
public import Platform

/// Which medium it is: where it lies and, for a file, what it is like, so that another in its place is another. A value;
/// any thread.
public struct MediaIdentity: Hashable, Sendable {
    /// The bytes of a file's absolute path, or of an address. No address begins with a slash.
    public let location: [UInt8]
    /// The file's size; nil for an address.
    public let byteCount: Int?
    /// When the file was last changed; nil for an address.
    public let modified: CalendarTime?

    public init(location: [UInt8], byteCount: Int?, modified: CalendarTime?) {
        self.location = location
        self.byteCount = byteCount
        self.modified = modified
    }

    /// Something on the network.
    public init(address: String) { self.init(location: Array(address.utf8), byteCount: nil, modified: nil) }

    /// A file as it is now; nil where there is none. Blocks: not for the main thread.
    public init?(file: FilePath) {
        var status = stat()
        guard file.withCString({ stat($0, &status) }) == 0 else { return nil }
        var path = file
        if file.bytes.first != UInt8(ascii: "/") {
            guard let current = getcwd(nil, 0) else { return nil }
            defer { free(current) }
            let folder = UnsafeBufferPointer(start: current, count: strlen(current)).map { UInt8(bitPattern: $0) }
            path = FilePath(bytes: folder).appending(file.bytes)
        }
        self.init(location: path.bytes, byteCount: Int(status.st_size), modified: CalendarTime(status.st_mtim))
    }
}
