import Glibc

/// Standard input as a medium, as in `ffmpeg … | glissade -`. It can be read only once, by the player.
public enum StandardInput {
    /// The location that stands for standard input. It is an address rather than a path, so that nothing looks for files
    /// beside it, or opens it a second time for posters or previews.
    public static let location = "fd://0"

    /// Returns what messages call a location: standard input by its name, and all others as they are.
    public static func shown(_ location: String) -> String {
        location == Self.location ? "standard input" : location
    }

    /// Why standard input cannot be played; nil if it can.
    public static var fault: String? {
        var status = stat()
        guard fstat(STDIN_FILENO, &status) == 0 else { return "standard input is closed" }
        return isatty(STDIN_FILENO) == 0 ? nil : "standard input is a terminal"
    }

    /// FFmpeg's name of standard input, with the protocol that opens it. A file can be read from its start and sought, even
    /// if it was redirected; anything else is read where it stands.
    static var name: (protocol: String, url: String) {
        var status = stat()
        let isFile = fstat(STDIN_FILENO, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        return isFile ? ("file", "file:/dev/stdin") : ("pipe", "pipe:0")
    }
}
