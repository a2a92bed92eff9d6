import Glibc

/// Returns the system's message for an error number (by default `errno`), with a lowercase first letter, to follow a
/// colon.
public func systemError(_ code: CInt? = nil) -> String {
    let words = String(cString: strerror(code ?? errno))
    return words.prefix(1).lowercased() + words.dropFirst()
}
