import Controls
import Platform
import Time

/// The program's version.
public let programVersion = "0.2.0"

/// From now on a crash leaves a report. Main thread.
@MainActor func beginCrashReports() { CrashReports.begin(program: "Glissade \(programVersion)") }

/// What is said of crashes that nobody was told of yet.
enum CrashNotice {
    /// Of the reports that earlier runs have left, each once; nil where there are none.
    static func take() -> String? { text(CrashReports.takeNew()) }

    /// - Parameter reports: the oldest first.
    static func text(_ reports: [FilePath]) -> String? {
        guard let latest = reports.last else { return nil }
        let path = latest.displayPath
        if reports.count == 1 { return "crashed the last time it ran; a report is in \(path)" }
        let since = reports.first.flatMap(CrashReports.day).map { " since \($0)" } ?? ""
        return "crashed \(reports.count) times\(since); the latest report is in \(path)"
    }
}

extension Application {
    /// How long it stays: a path is to be read.
    private static let noticeRest = Duration.seconds(8)

    /// Shows in the window what is to be said of earlier runs, once a page is there that can, and says nothing else.
    func showNotice(now: HostTime) {
        guard let notice, !stack.isTransitioning else { return }
        let toast: Toast
        switch stack.top {
        case let page as PlayerPage where page === playerPage && playing?.player.state != .opening: toast = page.toast
        case let page as LibraryPage: toast = page.toast
        default: return
        }
        guard toast.message == nil else { return }
        self.notice = nil
        let text = "Glissade \(notice)"
        toast.show(Toast.Message(kind: "notice", icon: .broken, text: text, rest: Self.noticeRest), now: now)
        setNeedsTick()
    }
}
