import Glibc
import Media
import Synchronization

/// Where the program speaks to the person who started it: one line each on standard error.
///
/// Shared by any threads.
public final class Console: Sendable {
    private let reported = Mutex<Set<String>>([])

    private let errors: CInt

    public init() { errors = STDERR_FILENO }

    /// - Parameter errors: the descriptor of what stands for standard error; it stays open.
    init(errors: CInt) { self.errors = errors }

    /// `glissade: TEXT`, in one line whatever is in it.
    public func error(_ text: String) {
        put("glissade: \(Self.line(text))\n", on: errors)
    }

    /// `text` without what would break the line or speak to the terminal: names of files may hold anything.
    static func line(_ text: String) -> String {
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator: line.append("\u{FFFD}")
            default: line.append(scalar)
            }
        }
        return String(line)
    }

    /// A problem with a media that plays on; each kind is said once, since damage seldom comes alone.
    func report(_ problem: PlaybackProblem, of location: String) {
        let kind =
            switch problem {
            case .damagedData: "damage"
            case .endsEarly: "end"
            case .noSoundServer: "silence"
            case .streamNotPlayable(let kind, _): kind
            case .noHardwareDecoding: "no hardware"
            case .hardwareFailed: "hardware"
            case .subtitlesLeftOut(let isAll): isAll ? "no subtitles" : "slow subtitles"
            }
        let isNew = reported.withLock { $0.insert("\(kind)\0\(location)").inserted }
        if isNew { error("\(location): \(problem)") }
    }

    /// A block of text on standard output.
    public func print(_ text: String) { put(text, on: STDOUT_FILENO) }

    /// In one call, so that lines of several threads do not run into each other.
    private func put(_ text: String, on descriptor: CInt) {
        var text = text
        text.withUTF8 { bytes in
            var sent = 0
            while sent < bytes.count {
                let count = write(descriptor, bytes.baseAddress! + sent, bytes.count - sent)  // Not empty, so not null.
                if count <= 0 { return }
                sent += count
            }
        }
    }
}
