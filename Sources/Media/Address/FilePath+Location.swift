public import GlissadePlatform

/// The type of file paths, re-exported from `Platform`.
public typealias BytePath = GlissadePlatform.BytePath

/// The type of file modification times, re-exported from `Platform`.
public typealias FileTime = GlissadePlatform.CalendarTime

extension BytePath {
    /// Creates a path from a location: a plain path or a `file:` URL.
    public init(location: String) { self.init(bytes: FileAddress.path(of: location) ?? Array(location.utf8)) }

    /// The path as a string that a `Player` can open. The string is a `file://` URL if the path is not valid UTF-8 or
    /// looks like a URL.
    public var location: String {
        if let text = String(validating: bytes, as: UTF8.self), FileAddress.path(of: text) == nil, !isAddress(text) {
            return text
        }
        let address = FileAddress.address(of: bytes)
        guard let first = bytes.first, first != UInt8(ascii: "/"), FileAddress.path(of: address) != bytes else {
            return address
        }
        // The first component of a relative path would be taken for this machine. Percent-encoded, it is no host's name.
        return FileAddress.prefix + "%" + String(first, radix: 16, uppercase: true)
            + address.dropFirst(FileAddress.prefix.count + 1)
    }
}
