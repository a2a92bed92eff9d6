import Glibc

/// A file's path as the system has it: bytes, which need not be text. A value; any thread.
///
/// A name that is no UTF-8 would lose its identity in a `String`, and could not be opened by it any more.
public struct FilePath: Hashable, Sendable {
    /// The path without a closing zero; there is none in it.
    public let bytes: [UInt8]

    /// - Parameter bytes: a path; what follows a zero is no part of it, as everywhere in the system.
    public init(bytes: some Sequence<UInt8>) { self.bytes = Array(bytes.prefix { $0 != 0 }) }

    /// A path given as text; what follows a zero is cut.
    public init(_ path: String) { self.init(bytes: path.utf8) }

    /// The last part; "/" for the root.
    public var name: ArraySlice<UInt8> {
        let end = bytes.lastIndex { $0 != Self.slash }.map { $0 + 1 } ?? bytes.endIndex
        guard end > 0, bytes[end - 1] != Self.slash else { return bytes.prefix(1) }
        let start = bytes[..<end].lastIndex(of: Self.slash).map { $0 + 1 } ?? 0
        return bytes[start..<end]
    }

    /// The last part, as it can be shown in one line.
    public var displayName: String { Self.shown(name) }

    /// The whole path, as it can be shown in one line.
    public var displayPath: String { Self.shown(bytes[...]) }

    /// The folder that holds it; "." for a bare name, itself for the root.
    public var parent: FilePath {
        let end = bytes.lastIndex { $0 != Self.slash }.map { $0 + 1 } ?? bytes.endIndex
        guard let cut = bytes[..<end].lastIndex(of: Self.slash) else { return FilePath(end == 0 ? "/" : ".") }
        let head = bytes[..<cut]
        return head.allSatisfy { $0 == Self.slash } ? FilePath("/") : FilePath(bytes: head)
    }

    /// The path of `name` within this folder.
    public func appending(_ name: some Sequence<UInt8>) -> FilePath {
        FilePath(bytes: bytes + (bytes.isEmpty || bytes.last == Self.slash ? [] : [Self.slash]) + name)
    }

    /// Lends the path as C takes it, for the length of the call.
    public func withCString<R, E: Error>(_ body: (UnsafePointer<CChar>) throws(E) -> R) throws(E) -> R {
        let terminated = bytes.map { CChar(bitPattern: $0) } + [0]
        return try terminated.withUnsafeBufferPointer { buffer throws(E) in
            try body(buffer.baseAddress!)  // At least the zero is in it.
        }
    }

    private static let slash = UInt8(ascii: "/")

    private static func shown(_ bytes: ArraySlice<UInt8>) -> String {
        DisplaySafeText.text(String(decoding: bytes, as: UTF8.self))
    }
}
