import Glibc

/// Returns the system's message for an error number, by default `errno`, in lower case for the end of a line.
public func systemError(_ code: CInt? = nil) -> String {
    let words = String(cString: strerror(code ?? errno))
    return words.prefix(1).lowercased() + words.dropFirst()
}
