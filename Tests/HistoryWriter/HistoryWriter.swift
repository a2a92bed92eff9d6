import Glibc
import GlissadeHistory
import GlissadePlatform
import GlissadeTime

/// Plays nothing and records it all the same: each tenth of a second one position more, told on standard output before it
/// is recorded, until it is killed.
///
///     history-writer FILE [--count N] [--size-limit BYTES] [--nobody]
@main struct HistoryWriter {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 2 else { exit(2) }
        func number(_ option: String) -> Int? {
            arguments.firstIndex(of: option).flatMap { $0 + 1 < arguments.count ? Int(arguments[$0 + 1]) : nil }
        }
        if let limit = number("--size-limit") {
            // Writes beyond it fail, as on a disk that is full. The signal that comes with it is not ours.
            signal(SIGXFSZ, SIG_IGN)
            var size = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &size)
        }
        // Whom files may be closed to, as they never are to root.
        if arguments.contains("--nobody"), geteuid() == 0, setgid(65534) != 0 || setuid(65534) != 0 { exit(3) }
        let history = History(path: BytePath(arguments[1])) { say("trouble: \($0)") }
        let sleep = WakeSignal()
        for step in 0..<(number("--count") ?? .max) {
            let tenths = 100 + step
            say("\(tenths)")
            history.record(
                HistoryEntry(
                    media: MediaIdentity(
                        location: Array("/films/\(step % 3).mkv".utf8), byteCount: 5,
                        modified: CalendarTime(nanoseconds: 7)),
                    title: String(repeating: "film ", count: 200),
                    position: MediaTime(nanoseconds: Int64(tenths) * 100_000_000),
                    duration: .seconds(100_000), lastPlayed: CalendarTime(nanoseconds: Int64(tenths))))
            sleep.wait(until: .now() + .milliseconds(number("--count") == nil ? 100 : 1))
        }
        say(history.flushAndClose(within: .seconds(30)) ? "closed" : "not closed")
    }

    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = write(1, bytes, bytes.count)
    }
}
