import Glibc
import GlissadeMedia
import GlissadePlatform
import Synchronization

/// Prints errors to standard error, one line each, and results to standard output. Thread-safe.
package final class Console: Sendable {
    private let reported = Mutex<Set<String>>([])

    private let errors: CInt

    package init() { errors = STDERR_FILENO }

    /// - Parameter errors: The file descriptor to use in place of standard error. It is not closed.
    init(errors: CInt) { self.errors = errors }

    /// Prints `glissade: TEXT` to standard error, as one line. Replaces what is not safe to display, as
    /// `DisplaySafeText` does.
    package func error(_ text: String) {
        put("glissade: \(DisplaySafeText.text(text))\n", on: errors)
    }

    /// Reports a problem that does not end playback. Each kind of problem is reported only once per file.
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
        if isNew { error("\(ShownLocation.text(location)): \(problem)") }
    }

    /// Prints text to standard output, without adding a line break.
    package func print(_ text: String) { put(text, on: STDOUT_FILENO) }

    /// Writes all of `text`, in one call if possible, so that lines from different threads do not interleave.
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
