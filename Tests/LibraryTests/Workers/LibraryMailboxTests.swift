import Media
import Picture
import Platform
import Synchronization
import Testing
import Time

@testable import Library

/// What waits for a page that takes no news.
@Suite("Library mailbox")
struct LibraryMailboxTests {
    private func entry(_ name: String, seconds: Int64 = 0) -> LibraryItem {
        LibraryItem(
            path: FilePath("/\(name)"), displayName: name, kind: .video, byteCount: 1,
            modified: FileTime(nanoseconds: seconds * 1_000_000_000))
    }

    private func words(_ report: LibraryMailbox.Report) -> String {
        switch report {
        case .entries(let entries): "entries \(entries.map(\.displayName))"
        case .failed(let error): "failed \(error.reason)"
        case .probed(let entry, _): "probed \(entry.displayName) \(entry.modified.nanoseconds / 1_000_000_000)"
        case .poster(let entry, _, _): "poster \(entry.displayName) \(entry.modified.nanoseconds / 1_000_000_000)"
        }
    }

    @Test("The mailbox keeps the latest change of the folder and of each entry, in order of arrival")
    func latest() {
        let outbox = LibraryMailbox {}
        let folder = FilePath("/")
        for second in 0..<3 as Range<Int64> {
            outbox.put(.entries([entry("\(second)")]))
            for name in ["a", "b"] {
                outbox.put(.poster(entry(name, seconds: second), .absent, limit: PosterMaker.limit))
                outbox.put(.probed(entry(name, seconds: second), .failure(.init(words: "no"))))
            }
            outbox.put(.failed(FolderError(folder: folder, reason: "\(second)")))
        }
        outbox.put(.entries([entry("new")]))
        #expect(
            outbox.takeAll().map(words) == [
                "poster a 2", "probed a 2", "poster b 2", "probed b 2", "failed 2", #"entries ["new"]"#,
            ])
        #expect(outbox.takeAll().isEmpty)
    }

    @Test("The main thread is woken once until it takes the changes")
    func wakes() {
        let woken = Mutex(0)
        let outbox = LibraryMailbox { woken.withLock { $0 += 1 } }
        for _ in 0..<5 { outbox.put(.entries([])) }
        #expect(woken.withLock { $0 } == 1)
        _ = outbox.takeAll()
        outbox.put(.entries([]))
        outbox.put(.poster(entry("a"), .absent, limit: PosterMaker.limit))
        #expect(woken.withLock { $0 } == 2)
    }
}
