public import Platform

/// Where a file lies, as everything in the library names it.
public typealias FilePath = Platform.FilePath

/// When a file was last changed.
public typealias FileTime = Platform.CalendarTime

extension FilePath {
    /// A path or a file's address (`file://…`), as a person, a desktop or `location` has written it.
    public init(location: String) { self.init(bytes: FileAddress.path(of: location) ?? Array(location.utf8)) }

    /// What a `Player` opens: the path itself, or its address where the path is no text.
    public var location: String {
        if let text = String(validating: bytes, as: UTF8.self), !text.hasPrefix(FileAddress.prefix), !isAddress(text) {
            return text
        }
        return FileAddress.address(of: bytes)
    }
}
