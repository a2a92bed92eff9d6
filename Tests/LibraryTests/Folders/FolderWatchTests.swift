import Foundation
import GlissadePlatform
import Synchronization
import Testing
import GlissadeTestSupport

@testable import GlissadeLibrary

/// How changes in a folder are heard of.
@Suite("Folder watch", .serialized) struct FolderWatchTests {
    /// What a watch saw at each of its looks.
    private final class Looks: Sendable {
        let names = Mutex<[[String]?]>([])
        let signal = WakeSignal()

        func watch(_ folder: BytePath) -> FolderWatch {
            try! FolderWatch(folder, name: "library folder") { [self] _ in
                let entries = try? Folder(folder).entries()
                names.withLock { $0.append(entries?.map(\.displayName)) }
                signal.raise()
            }
        }

        /// Sleeps until the last look saw this.
        func wait(for expected: [String]?) -> Bool {
            signal.wait { names.withLock { names in names.last.map { $0 == expected } ?? false } }
        }

        var count: Int { names.withLock { $0.count } }
    }

    @Test("Created, deleted and renamed files are noticed")
    func changes() throws {
        let scene = try Scene()
        let looks = Looks()
        let watch = looks.watch(scene.folder)
        #expect(looks.wait(for: []))
        try scene.file("a.mp4")
        #expect(looks.wait(for: ["a.mp4"]))
        #expect(rename(scene.path + "/a.mp4", scene.path + "/b.mp4") == 0)
        #expect(looks.wait(for: ["b.mp4"]))
        try scene.subfolder("c")
        #expect(looks.wait(for: ["c", "b.mp4"]))
        try scene.remove("b.mp4")
        #expect(looks.wait(for: ["c"]))
        watch.stop()
    }

    @Test("A burst of changes is coalesced into few notifications")
    func burst() throws {
        let scene = try Scene()
        let looks = Looks()
        let watch = looks.watch(scene.folder)
        #expect(looks.wait(for: []))
        for number in 0..<500 { try scene.file("\(number).mp4") }
        #expect(looks.wait(for: (0..<500).map { "\($0).mp4" }))
        #expect(looks.count < 50)
        withExtendedLifetime(watch) {}
    }

    @Test("A folder that is deleted and created again is noticed, even along with its parent")
    func deletion() throws {
        let scene = try Scene()
        let folder = try scene.subfolder("above/films")
        let looks = Looks()
        let watch = looks.watch(folder)
        #expect(looks.wait(for: []))
        try scene.remove("above")
        #expect(looks.wait(for: nil))
        try scene.subfolder("above")
        try scene.subfolder("above/films")
        try scene.file("above/films/a.mp4")
        #expect(looks.wait(for: ["a.mp4"]))
        // Moved away, another in its place.
        #expect(rename(scene.path + "/above/films", scene.path + "/above/old") == 0)
        #expect(looks.wait(for: nil))
        try scene.subfolder("above/films")
        #expect(looks.wait(for: []))
        try scene.file("above/films/b.mp4")
        #expect(looks.wait(for: ["b.mp4"]))
        withExtendedLifetime(watch) {}
    }

    @Test("A folder that does not exist yet is noticed when it is created")
    func missing() throws {
        let scene = try Scene()
        let looks = Looks()
        let watch = looks.watch(BytePath(scene.path + "/x/y"))
        #expect(looks.wait(for: nil))
        try scene.subfolder("x/y")
        #expect(looks.wait(for: []))
        withExtendedLifetime(watch) {}
    }

    @Test("Stopping or releasing a watch ends its thread, whatever it is doing")
    func ending() throws {
        let scene = try Scene()
        let before = try ProcessStatus.threadCount(named: "library folder")
        for number in 0..<20 {
            let looks = Looks()
            let watch = looks.watch(scene.folder)
            if number.isMultiple(of: 2) { #expect(looks.wait(for: [])) }
            if number.isMultiple(of: 3) { watch.stop() }
        }
        #expect(try eventually { try ProcessStatus.threadCount(named: "library folder") <= before })
    }
}
