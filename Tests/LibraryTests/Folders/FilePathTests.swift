import GlissadePlatform
import Testing

@testable import GlissadeLibrary

/// Paths, which need not be text.
@Suite("File path")
struct FilePathTests {
    @Test(
        "A path has a last component and a parent folder",
        arguments: [
            ("/a/b.mp4", "b.mp4", "/a"), ("/a", "a", "/"), ("/", "/", "/"), ("a", "a", "."), ("a/", "a", "."),
            ("a//b/", "b", "a/"), ("//", "/", "/"), ("", "", "/"), ("./x", "x", "."),
        ])
    func parts(path: String, name: String, parent: String) {
        #expect(BytePath(path).displayName == name)
        #expect(BytePath(path).parent.displayPath == parent)
    }

    @Test("The parents of a path come to an end", arguments: ["/a/b/c", "a/b/c", "", "/", "..", "//a"])
    func ancestors(path: String) {
        var above = BytePath(path)
        for _ in 0..<5 { above = above.parent }
        #expect(above == above.parent)
    }

    @Test("A path that is not valid text becomes a file URL and comes back unchanged")
    func notText() {
        let path = BytePath(bytes: Array("/x/".utf8) + [0xFF, 0xFE, UInt8(ascii: "%")] + Array(".mp4".utf8))
        #expect(path.location == "file:///x/%FF%FE%25.mp4")
        #expect(BytePath(location: path.location) == path)
        #expect(path.displayName == "\u{FFFD}\u{FFFD}%.mp4")
        for text in ["/a b/c%20d.mp4", "x", "/ü/漢字.mkv"] {
            #expect(BytePath(text).location == text)
            #expect(BytePath(location: text) == BytePath(text))
        }
    }

    @Test("A file whose name looks like a URL is a file")
    func likeAnAddress() {
        for name in ["http://x.mp4", "file:///a"] {
            let path = BytePath(name)
            #expect(path.location.hasPrefix("file://"))
            #expect(BytePath(location: path.location) == path)
        }
    }

    @Test("A displayed name is a single line without control characters")
    func shown() {
        #expect(
            BytePath("/a\nb\u{1B}[31m\u{7F}\u{9B}\u{2028}.mp4").displayName
                == "a\u{FFFD}b\u{FFFD}[31m\u{FFFD}\u{FFFD}\u{FFFD}.mp4")
        #expect(BytePath("evil\u{202E}4pm.exe").displayName == "evil\u{FFFD}4pm.exe")
        #expect(BytePath("ü 漢字 🎬 – “x”").displayName == "ü 漢字 🎬 – “x”")
    }

    @Test(
        "The extension tells the kind of a file, in any case",
        arguments: [
            ("a.mp4", LibraryItemKind.video), ("A.MKV", .video), ("x.y.Flac", .audio), ("p.avif", .image),
            ("a.txt", nil),
            ("mp4", nil), ("a.", nil), ("", nil), (".", nil), ("a.mp4.part", nil), ("a.mp44444444444", nil),
        ] as [(String, LibraryItemKind?)])
    func kind(name: String, kind: LibraryItemKind?) {
        #expect(LibraryItemKind(fileName: Array(name.utf8)) == kind)
    }
}
