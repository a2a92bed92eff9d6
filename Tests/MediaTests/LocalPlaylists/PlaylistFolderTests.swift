import GlissadeCFFmpeg
import Foundation
import GlissadePlatform
import Testing
import GlissadeTestSupport

@testable import GlissadeMedia

@Suite("The folder of a playlist in a file")
struct PlaylistFolderTests {
    /// A folder `list` with a playlist, a file and a subfolder, next to a file that is not in it.
    private struct Scene {
        let root: String
        let folder: PlaylistFolder

        init() throws {
            root = Clips.folder.appendingPathComponent("folder-\(UUID())").path
            for path in ["list/below", "list-2"] {
                try FileManager.default.createDirectory(atPath: root + "/" + path, withIntermediateDirectories: true)
            }
            for path in ["list/film.m3u8", "list/a.ts", "list/below/b.ts", "list-2/secret", "secret"] {
                try Data(path.utf8).write(to: URL(fileURLWithPath: root + "/" + path))
            }
            folder = try PlaylistFolder(ofPlaylistAt: BytePath(root + "/list/film.m3u8"))
        }

        /// What the file at `path` contains, or why it is not opened.
        func read(_ path: String) throws -> String {
            do throws(ResourceFailure) {
                let file = FileHandle(fileDescriptor: try folder.open(BytePath(path)), closeOnDealloc: true)
                return String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
            } catch { return error.description }
        }

        func link(_ path: String, to target: String) {
            #expect(symlink(target, root + "/list/" + path) == 0)
        }
    }

    @Test("Files in the folder and below it are opened, also through links that stay inside")
    func inside() throws {
        let scene = try Scene()
        scene.link("near.ts", to: "below/b.ts")
        scene.link("below/back.ts", to: "../a.ts")
        scene.link("whole.ts", to: scene.root + "/list/a.ts")
        scene.link("subfolder", to: "below")
        for (path, content) in [
            ("a.ts", "list/a.ts"), ("below/b.ts", "list/below/b.ts"), ("near.ts", "list/below/b.ts"),
            ("below/back.ts", "list/a.ts"), ("whole.ts", "list/a.ts"), ("subfolder/b.ts", "list/below/b.ts"),
        ] { #expect(try scene.read(path) == content, "\(path)") }
    }

    @Test("A link that leads out of the folder is not followed")
    func outside() throws {
        let scene = try Scene()
        let targets = [
            "../secret", scene.root + "/secret", "../list-2/secret", "/etc/passwd", "/proc/self/status", "/dev/null",
            "/proc/self/cwd",
        ]
        for (index, target) in targets.enumerated() {
            scene.link("link-\(index)", to: target)
            #expect(try scene.read("link-\(index)").hasPrefix("blocked: "), "\(target)")
        }
        scene.link("up", to: "..")
        scene.link("first", to: "up")
        #expect(try scene.read("up/secret").hasPrefix("blocked: "))
        #expect(try scene.read("first/list-2/secret").hasPrefix("blocked: "))
        #expect(try scene.read("first/list/a.ts") == "list/a.ts")
    }

    @Test("A link to a file that another process or descriptor has open leads out of the folder")
    func descriptors() throws {
        let scene = try Scene()
        let secret = try #require(FileHandle(forReadingAtPath: scene.root + "/secret"))
        scene.link("open", to: "/proc/self/fd/\(secret.fileDescriptor)")
        #expect(try scene.read("open").hasPrefix("blocked: "))
    }

    @Test("Pipes, sockets, folders and devices are not opened")
    func otherKinds() throws {
        let scene = try Scene()
        #expect(mkfifo(scene.root + "/list/pipe.ts", 0o600) == 0)
        #expect(try scene.read("pipe.ts") == "pipe.ts: not a regular file")
        #expect(try scene.read("below") == "below: not a regular file")
        #expect(try scene.read("missing.ts") == "missing.ts: no such file or directory")
        #expect(try scene.read("a.ts/x") == "a.ts/x: not a directory")
        scene.link("loop.ts", to: "loop.ts")
        #expect(try scene.read("loop.ts") == "loop.ts: too many levels of symbolic links")
        #expect(try scene.read(String(repeating: "x", count: 5000)).hasSuffix(": file name too long"))
        #expect(try scene.read("") == ": no such file or directory")
    }

    @Test("A folder that is renamed is still the same folder")
    func renamed() throws {
        let scene = try Scene()
        #expect(rename(scene.root + "/list", scene.root + "/other") == 0)
        #expect(try scene.read("a.ts") == "list/a.ts")
    }

    @Test("The folder of a linked playlist is that of the playlist itself, also by a descriptor's path")
    func linked() throws {
        let scene = try Scene()
        #expect(symlink("list/film.m3u8", scene.root + "/linked.m3u8") == 0)
        let file = try #require(FileHandle(forReadingAtPath: scene.root + "/linked.m3u8"))
        for path in [scene.root + "/linked.m3u8", "/proc/self/fd/\(file.fileDescriptor)"] {
            let folder = try PlaylistFolder(ofPlaylistAt: BytePath(path))
            #expect(folder.playlistName == Array("film.m3u8".utf8))
            close(try folder.open(BytePath("a.ts")))
        }
        #expect(throws: ResourceFailure.self) { try PlaylistFolder(ofPlaylistAt: BytePath(scene.root + "/none.m3u8")) }
    }

    @Test("A file that has replaced a playlist is not opened as another format")
    func replaced() throws {
        let scene = try Scene()
        let path = scene.root + "/list/film.m3u8"
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: Clips.film("mkv"), toPath: path)
        let input = try ResourceInput(
            .playlist(in: scene.folder), rules: NetworkRules(), isCancelled: { false }, reconnecting: { _ in })
        var context = avformat_alloc_context()
        #expect(throws: PlaybackError.cannotOpen(reason: "not a playlist any more")) {
            try input.open(&context) { _ in nil }
        }
        avformat_free_context(context)
        input.close()
    }

    @Test("The playlist's own URL stands for it, whatever its name")
    func names() throws {
        let scene = try Scene()
        for name in [
            "a b.m3u8", "100%.m3u8", "%41.m3u8", "a?b#c.m3u8", "世.m3u8", "a:b.m3u8", "..m3u8", "a\u{1}\"\\.m3u8",
        ] {
            let path = scene.root + "/list/" + name
            try Data(name.utf8).write(to: URL(fileURLWithPath: path))
            let folder = try PlaylistFolder(ofPlaylistAt: BytePath(path))
            let address = try #require(WebAddress(folder.address), "\(folder.address)")
            #expect(try PlaylistFolder.path(of: address).bytes == Array(name.utf8))
        }
    }
}
