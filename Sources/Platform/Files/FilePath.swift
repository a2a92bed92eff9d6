import Glibc

/// The path of a file as bytes, which need not be valid UTF-8. Any thread.
///
/// A `String` would alter a path that is not valid UTF-8, and the altered path could not be opened.
public struct BytePath: Hashable, Sendable {
    /// The path, without zero bytes.
    public let bytes: [UInt8]

    /// Creates a path from bytes. If there is a zero byte, the path ends before it.
    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

    /// Creates a path from a string. If there is a zero byte, the path ends before it.
    public init(_ path: String) { self.init(bytes: path.utf8) }

    /// The name of the file or folder: the last component of the path, or "/" for the root.
    public var name: ArraySlice<UInt8> {
        let end = bytes.lastIndex { $0 != Self.slash }.map { $0 + 1 } ?? bytes.endIndex
        guard end > 0, bytes[end - 1] != Self.slash else { return bytes.prefix(1) }
        let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return bytes[start..<end]
    }

    /// The last component as a string that is safe to show on one line.
    public var displayName: String { Self.shown(name) }

    /// The whole path as a string that is safe to show on one line.
    public var displayPath: String { Self.shown(bytes[...]) }

    /// The path of the containing folder: "." for a bare file name, "/" for the root.
    public var parent: BytePath {
        let end = bytes.lastIndex { $0 != Self.slash }.map { $0 + 1 } ?? bytes.endIndex
        guard let cut = bytes[..<end].lastIndex(of: Self.slash) else { return BytePath(end == 0 ? "/" : ".") }
        let head = bytes[..<cut]
        return head.allSatisfy { $0 == Self.slash } ? BytePath("/") : BytePath(bytes: head)
    }

    /// Returns the path of the item `name` inside this folder.
    public func appending(_ name: some Sequence<UInt8>) -> BytePath {
        BytePath(bytes: bytes + (bytes.isEmpty || bytes.last == Self.slash ? [] : [Self.slash]) + name)
    }

    /// Calls `body` with the path as a C string, which is valid only during the call.
    public func withCString<R, E: Error>(_ body: (UnsafePointer<CChar>) throws(E) -> R) throws(E) -> R {
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        return try terminated.withUnsafeBufferPointer { buffer throws(E) in
            try body(buffer.baseAddress!)  // Holds at least the terminating zero.
        }
    }

    private static let slash = UInt8(ascii: "/")

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        DisplaySafeText.text(String(decoding: bytes, as: UTF8.self))
    }
}
