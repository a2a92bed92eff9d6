import GlissadeMedia
import GlissadePicture
import GlissadePlatform
import Testing
import GlissadeTime

@testable import GlissadeLibrary

/// Which reports wait while the list is covered.
@Suite("Library reports")
struct LibraryReportTests {
    private func entry(_ name: String, seconds: Int64 = 0) -> LibraryItem {
        LibraryItem(
            path: BytePath("/\(name)"), displayName: name, kind: .video, byteCount: 1,
            modified: FileTime(nanoseconds: seconds * 1_000_000_000))
    }

    private func words(_ report: LibraryReport) -> String {
        switch report {
        case .entries(let entries): "entries \(entries.map(\.displayName))"
        case .failed(let error): "failed \(error.reason)"
        case .probed(let entry, _): "probed \(entry.displayName) \(entry.modified.nanoseconds / 1_000_000_000)"
        case .poster(let entry, _, _): "poster \(entry.displayName) \(entry.modified.nanoseconds / 1_000_000_000)"
        }
    }

    @Test("The latest report of the folder and of each entry replaces older ones, in order of arrival")
    func latest() {
        let mailbox = Mailbox<LibraryReport> {}
        let folder = BytePath("/")
        for second in 0..<3 as Range<Int64> {
            mailbox.report(.entries([entry("\(second)")]))
            for name in ["a", "b"] {
                mailbox.report(.poster(entry(name, seconds: second), .absent, limit: PosterMaker.limit))
                mailbox.report(.probed(entry(name, seconds: second), .failure(.init(words: "no"))))
            }
            mailbox.report(.failed(FolderError(folder: folder, reason: "\(second)")))
        }
        mailbox.report(.entries([entry("new")]))
        #expect(
            mailbox.takeAll().map(words) == [
                "poster a 2", "probed a 2", "poster b 2", "probed b 2", "failed 2", #"entries ["new"]"#,
            ])
        #expect(mailbox.takeAll().isEmpty)
    }
}
