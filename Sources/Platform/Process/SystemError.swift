import Glibc

/// Returns the system's message for an error number, which is `errno` by default. The first letter is lowercase, so
/// that the message can follow a colon.
public func systemError(_ code: CInt? = nil) -> String {
    let words = String(cString: strerror(code ?? errno))
    return words.prefix(1).lowercased() + words.dropFirst()
}
