import Glibc

/// The system's words for one of its error numbers, as the end of a line; for what went wrong last where none is given.
public func systemError(_ code: CInt? = nil) -> String {
    let words = String(cString: strerror(code ?? errno))
    return words.prefix(1).lowercased() + words.dropFirst()
}
