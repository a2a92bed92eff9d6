import Foundation
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport
import GlissadeTime

@testable import GlissadeHistory

/// What happens to a history that is damaged, or cannot be kept: everything else goes on.
@Suite("History errors")
struct HistoryErrorTests {
    /// Whether it remembers, after whatever it found.
    private func works(_ history: History) -> Bool {
        history.record(entry("new", 70))
        return history.entry(for: film("new"), within: .seconds(30))?.position == .zero + .seconds(70)
    }

    private func movedName(_ scene: Scene) -> String? {
        let kept = scene.troubles.compactMap { trouble -> String? in
            if case .damaged(_, let moved) = trouble.kind { moved.displayName } else { nil }
        }
        return scene.troubles.count == 1 ? kept.first : nil
    }

    @Test("A file that is not a database is moved aside, reported once and replaced")
    func junk() throws {
        for junk in [Array("this is no database".utf8), [UInt8](repeating: 0xAA, count: 100_000), [0]] {
            let scene = try Scene(hasFolder: true)
            try scene.write(junk)
            let history = scene.open()
            #expect(works(history))
            let name = try #require(movedName(scene))
            #expect(name.hasPrefix("history.sqlite.damaged-20"))
            #expect(try scene.bytes(name) == junk)
            #expect(scene.troubles.first?.description.contains(name) ?? false)
        }
    }

    @Test("An empty file becomes a new history")
    func empty() throws {
        let scene = try Scene(hasFolder: true)
        try scene.write([])
        #expect(works(scene.open()))
        #expect(scene.troubles.isEmpty)
    }

    @Test("A file truncated anywhere is moved aside, or nothing of it is lost")
    func truncated() throws {
        let whole = try Scene()
        try whole.fill()
        let bytes = try whole.bytes()
        for fraction in [0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99] {
            let scene = try Scene(hasFolder: true)
            let cut = bytes.prefix(Int(Double(bytes.count) * fraction))
            try scene.write(cut)
            let history = scene.open()
            #expect(works(history))
            let name = try #require(movedName(scene))
            #expect(try scene.bytes(name) == Array(cut))
        }
    }

    @Test("A file with changed bytes works, is moved aside or gives one error, and never ends the program")
    func changed() throws {
        let whole = try Scene()
        try whole.fill()
        let bytes = try whole.bytes()
        var numbers = SystemRandomNumberGenerator()
        for _ in 0..<40 {
            let scene = try Scene(hasFolder: true)
            var changed = bytes
            let start = Int.random(in: 0..<bytes.count, using: &numbers)
            for place in start..<min(start + 64, bytes.count) { changed[place] = .random(in: 0...255, using: &numbers) }
            try scene.write(changed)
            let history = scene.open()
            _ = works(history)
            history.askRecent(limit: 1000)
            #expect(scene.recent(history) != nil)
            #expect(history.flushAndClose(within: .seconds(30)))
            #expect(scene.troubles.count <= 2)
        }
    }

    @Test("Another program's database and a foreign table are moved aside")
    func wrongSchema() throws {
        for statements in [
            "CREATE TABLE films (name TEXT)", "CREATE TABLE media (location BLOB)",
            "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); "
                + "INSERT INTO grdb_migrations VALUES ('1'); CREATE TABLE media (location BLOB)",
            "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); "
                + "INSERT INTO grdb_migrations VALUES ('1')",
        ] {
            let scene = try Scene(hasFolder: true)
            try execute(statements, scene.file)
            #expect(works(scene.open()))
            #expect(movedName(scene) != nil)
        }
    }

    @Test("A history of a newer Glissade is left alone")
    func newer() throws {
        let scene = try Scene()
        try scene.fill()
        try execute("INSERT INTO grdb_migrations VALUES ('2')", scene.file)
        let before = try scene.bytes()
        let history = scene.open()
        #expect(!works(history))
        #expect(history.flushAndClose(within: .seconds(30)))
        #expect(scene.troubles.map(\.kind) == [.newer])
        #expect(try scene.bytes() == before)
        #expect(scene.names.filter { $0.contains("damaged") }.isEmpty)
    }

    @Test("A table that is dropped while open is created again")
    func underneath() throws {
        let scene = try Scene()
        let history = scene.open()
        #expect(works(history))
        try execute("DROP TABLE media", scene.file)
        #expect(works(history))
        #expect(movedName(scene) != nil)
    }

    @Test("If the history cannot be created, that is reported once and the program continues without it")
    func places() throws {
        let scene = try Scene(hasFolder: true)
        try FileManager.default.createDirectory(atPath: scene.file.displayPath, withIntermediateDirectories: true)
        func expectTrouble(_ path: BytePath?, _ kind: HistoryError.Kind, line: Int = #line) {
            let other = try? Scene()
            let history = other?.open(path)
            #expect(history.map(works) == true || history?.entry(for: film("x"), within: .seconds(30)) == nil)
            #expect(history?.flushAndClose(within: .seconds(30)) ?? false)
            #expect(other?.troubles.map(\.kind) == [kind], "line \(line)")
        }
        expectTrouble(scene.file, .unavailable(reason: "is a folder"))
        let pipe = scene.path + "/pipe"
        #expect(mkfifo(pipe, 0o600) == 0)
        expectTrouble(BytePath(pipe), .unavailable(reason: "not a file"))
        expectTrouble(BytePath(pipe + "/history.sqlite"), .unavailable(reason: systemError(ENOTDIR)))
        expectTrouble(BytePath("/proc/glissade/history.sqlite"), .unavailable(reason: systemError(ENOENT)))
        expectTrouble(
            BytePath(bytes: Array((scene.path + "/").utf8) + [0xFF]),
            .unavailable(reason: "the path is not UTF-8"))
    }

    @Test("Without a home folder nothing is kept, which is reported once")
    func noHome() throws {
        let heard = Mutex<[HistoryError]>([])
        let history = History(path: nil) { trouble in heard.withLock { $0.append(trouble) } }
        for _ in 0..<10 { history.record(entry("a", 60)) }
        #expect(history.entry(for: film("a"), within: .seconds(30)) == nil)
        #expect(history.flushAndClose(within: .seconds(30)))
        #expect(heard.withLock { $0 }.map(\.kind) == [.noHome])
    }

    @Test("Two players share one history and see each other's entries")
    func two() throws {
        let scene = try Scene()
        let histories = [scene.open(), scene.open()]
        for step in 0..<200 {
            histories[step % 2].record(entry("\(step % 2)", step))
            histories[step % 2].record(entry("both", step))
        }
        for (number, history) in histories.enumerated() {
            #expect(history.entry(for: film("\(number)"), within: .seconds(30)) != nil)
        }
        #expect(histories[0].entry(for: film("1"), within: .seconds(30))?.position == .zero + .seconds(199))
        #expect(histories[1].entry(for: film("0"), within: .seconds(30))?.position == .zero + .seconds(198))
        for history in histories { #expect(history.flushAndClose(within: .seconds(30))) }
        #expect(scene.troubles.isEmpty)
    }

    @Test("Several players that create the history at the same time all keep it")
    func race() throws {
        for _ in 0..<10 {
            let scene = try Scene()
            let histories = (0..<4).map { _ in scene.open() }
            for (number, history) in histories.enumerated() { history.record(entry("\(number)", 60)) }
            for history in histories { #expect(history.flushAndClose(within: .seconds(60))) }
            #expect(scene.troubles.isEmpty)
            let history = scene.open()
            for number in 0..<4 { #expect(history.entry(for: film("\(number)"), within: .seconds(30)) != nil) }
        }
    }

    @Test("While another program holds the lock nothing blocks, and the records are written afterwards")
    func locked() throws {
        let scene = try Scene()
        try scene.fill(1)
        let history = scene.open()
        #expect(history.entry(for: film("0"), within: .seconds(30)) != nil)
        let lock = try Lock(scene.file)
        history.record(entry("new", 70))
        // A reader is not locked out by a writer; the answer may wait for the write that is tried before.
        #expect(eventually { !scene.troubles.isEmpty })
        guard case .unavailable = scene.troubles.first?.kind else {
            Issue.record("\(scene.troubles)")
            return
        }
        history.record(entry("newer", 80))
        lock.release()
        #expect(history.flushAndClose(within: .seconds(30)))
        let next = scene.open()
        #expect(next.entry(for: film("new"), within: .seconds(30)) != nil)
        #expect(next.entry(for: film("newer"), within: .seconds(30)) != nil)
        #expect(scene.troubles.count == 1)
    }

    @Test("While the history cannot be written, a bounded number of entries is queued")
    func pending() {
        var state = History.State()
        for number in 0..<1000 { state.add(entry("\(number)", 60)) }
        state.add(entry("990", 70))
        #expect(state.pending.count == History.pendingLimit)
        #expect(state.pending.first?.title == "936")
        #expect(state.pending.last?.title == "990")
    }
}
