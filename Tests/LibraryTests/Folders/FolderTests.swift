import Foundation
import GlissadeMedia
import GlissadePlatform
import Testing

@testable import GlissadeLibrary

/// What a folder shows of itself.
@Suite("Folder listing")
struct FolderTests {
    @Test("Folders come first, then media files, each sorted, and everything else is left out")
    func order() throws {
        let scene = try Scene()
        for name in ["part 10.mkv", "part 2.MKV", "b.flac", "c.avif", "readme.txt", ".hidden.mp4", "mp4"] {
            try scene.file(name)
        }
        for name in ["Season 10", "season 2", ".git"] { try scene.subfolder(name) }
        let entries = try Folder(scene.folder).entries()
        #expect(
            entries.map(\.displayName) == ["season 2", "Season 10", "b.flac", "c.avif", "part 2.MKV", "part 10.mkv"])
        #expect(entries.map(\.kind) == [.folder, .folder, .audio, .image, .video, .video])
        #expect(entries.map(\.byteCount) == [0, 0, 4, 4, 4, 4])
        #expect(entries[4].path == scene.folder.appending("part 2.MKV".utf8))
        #expect(abs(Double(entries[4].modified.nanoseconds) / 1e9 - Date().timeIntervalSince1970) < 3600)
    }

    @Test("Links are listed as what they point to, and dangling links and special files are left out")
    func kinds() throws {
        let scene = try Scene()
        let path = scene.path
        try scene.file("a.mp4")
        try scene.subfolder("folder.mp4")
        #expect(symlink("a.mp4", path + "/link.mp4") == 0)
        #expect(symlink("folder.mp4", path + "/linked folder") == 0)
        #expect(symlink("nowhere", path + "/dangling.mp4") == 0)
        #expect(symlink("loop.mp4", path + "/loop.mp4") == 0)
        #expect(mkfifo(path + "/pipe.mp4", 0o600) == 0)
        let entries = try Folder(scene.folder).entries()
        #expect(entries.map(\.displayName) == ["folder.mp4", "linked folder", "a.mp4", "link.mp4"])
        #expect(entries.map(\.kind) == [.folder, .folder, .video, .video])
    }

    @Test("Names that are not valid text, contain line breaks or have the maximum length are all listed")
    func names() throws {
        let scene = try Scene()
        let ending = Array(".mp4".utf8)
        let names: [[UInt8]] = [
            [0xFF] + ending, [0xFE] + ending, Array("a\nb".utf8) + ending,
            Array(repeating: UInt8(ascii: "x"), count: 251) + ending,
            Array("\u{1B}[2J".utf8) + ending, [0xF0, 0x9F, 0x8E] + ending,
        ]
        for name in names { try scene.file(name) }
        let entries = try Folder(scene.folder).entries()
        #expect(Set(entries.map { Array($0.path.name) }) == Set(names))
        #expect(Set(entries.map(\.id)).count == names.count)
        for entry in entries {
            #expect(!entry.displayName.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(entry.byteCount == 4)
            #expect(BytePath(location: entry.path.location) == entry.path)
        }
    }

    @Test("Ten thousand files are listed in order")
    func many() throws {
        let scene = try Scene()
        for number in 0..<10_000 {
            let descriptor = open("\(scene.path)/film \(number).mp4", O_WRONLY | O_CREAT, 0o600)
            try #require(descriptor >= 0)
            close(descriptor)
        }
        #expect(try scene.names() == (0..<10_000).map { "film \($0).mp4" })
        var asked = 0
        let some = try Folder(scene.folder).entries {
            asked += 1
            return asked > 100
        }
        #expect(some.isEmpty && asked == 101)
    }

    @Test("Each reason why a folder cannot be read has its own message")
    func failures() throws {
        let scene = try Scene()
        try scene.file("a.mp4")
        #expect(symlink("loop", scene.path + "/loop") == 0)
        for (name, reason) in [
            ("missing", "no such file or directory"), ("a.mp4", "not a directory"), ("a.mp4/x", "not a directory"),
            ("loop", "too many levels of symbolic links"), (String(repeating: "x", count: 300), "file name too long"),
        ] {
            let folder = scene.folder.appending(name.utf8)
            let error = #expect(throws: FolderError.self) { try Folder(folder).entries() }
            #expect(error == FolderError(folder: folder, reason: reason))
            #expect(error?.description == "\(scene.path)/\(name): \(reason)")
        }
        #expect(throws: FolderError.self) { try Folder(BytePath("")).entries() }
    }

    @Test("An entry is the same file until its size or modification time changes")
    func identity() throws {
        let scene = try Scene()
        try scene.file("a.mp4")
        let first = try #require(Folder(scene.folder).entries().first)
        #expect(try first.isUnchanged(since: #require(Folder(scene.folder).entries().first)))
        try scene.file("a.mp4", Data("longer".utf8))
        let second = try #require(Folder(scene.folder).entries().first)
        #expect(second.id == first.id && !second.isUnchanged(since: first))
    }

    @Test("Impossible modification times do not trap", arguments: [Int.min, -1, 0, Int.max])
    func times(seconds: Int) {
        let time = FileTime(timespec(tv_sec: seconds, tv_nsec: 5))
        #expect((time < FileTime(nanoseconds: 0)) == (seconds < 0))
    }
}
