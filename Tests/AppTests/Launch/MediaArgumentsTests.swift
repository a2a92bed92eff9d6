import Foundation
import Glibc
import GlissadeMedia
import GlissadePlatform
import Testing

@testable import GlissadeApp

/// What arguments of the command line stand for.
@Suite("Media arguments")
struct MediaArgumentsTests {
    /// Makes files (with something in them) in a folder, gives it to `body`, and takes it away.
    private func withFolder<R>(_ files: [String], _ body: (String) throws -> R) throws -> R {
        let folder = NSTemporaryDirectory() + "/glissade-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for file in files { try Data("film".utf8).write(to: URL(fileURLWithPath: "\(folder)/\(file)")) }
        return try body(folder)
    }

    private func names(_ paths: [String], in folder: String) -> [String] {
        paths.map { $0.hasPrefix(folder + "/") ? String($0.dropFirst(folder.count + 1)) : $0 }
    }

    private func expanded(_ location: String) -> [String]? { try? MediaArguments.expand(location) }

    private func reason(_ location: String) -> String? {
        do throws(MediaArguments.Failure) {
            _ = try MediaArguments.expand(location)
            return nil
        } catch {
            #expect(error.location == location)
            return error.reason
        }
    }

    @Test("A folder stands for its media in natural order, whatever the case of the extension")
    func order() throws {
        try withFolder(["part 10.mkv", "part 2.MKV", "part 1.mkv", "9.webm", "readme.txt", "noending", "mp4"]) {
            folder in
            let media = try MediaArguments.expand(folder)
            #expect(names(media, in: folder) == ["9.webm", "part 1.mkv", "part 2.MKV", "part 10.mkv"])
            #expect(expanded(folder + "/") == media)
        }
    }

    @Test("Hidden files, subfolders and dangling links are skipped, and links to files count as files")
    func kinds() throws {
        try withFolder([".hidden.mp4", "a.mp4"]) { folder in
            try FileManager.default.createDirectory(atPath: folder + "/b.mp4", withIntermediateDirectories: false)
            try Data("film".utf8).write(to: URL(fileURLWithPath: folder + "/b.mp4/inner.mp4"))
            #expect(symlink("a.mp4", folder + "/c.mp4") == 0)
            #expect(symlink("nowhere", folder + "/d.mp4") == 0)
            #expect(symlink("e.mp4", folder + "/e.mp4") == 0)
            let media = try MediaArguments.expand(folder)
            #expect(names(media, in: folder) == ["a.mp4", "c.mp4"])
        }
    }

    @Test("A folder may be given through a link")
    func linkedFolder() throws {
        try withFolder(["a.mp4"]) { folder in
            let link = folder + "-link"
            #expect(symlink(folder, link) == 0)
            defer { unlink(link) }
            #expect(expanded(link) == [link + "/a.mp4"])
        }
    }

    @Test("A file stands for itself, whatever its name")
    func file() throws {
        try withFolder(["film.txt", "with: colon", "ü 漢字.mp4", "-dash.mp4", "100%41.mp4"]) { folder in
            for name in ["film.txt", "with: colon", "ü 漢字.mp4", "-dash.mp4", "100%41.mp4"] {
                #expect(expanded("\(folder)/\(name)") == ["\(folder)/\(name)"])
            }
            #expect(expanded("file://\(folder)/film.txt") == ["\(folder)/film.txt"])
        }
    }

    @Test("A file URL is decoded as desktops encode it")
    func fileAddress() throws {
        try withFolder(["my film ü.mp4", "100%.mp4"]) { folder in
            #expect(
                expanded("file://\(folder)/my%20film%20%C3%BC.mp4") == ["\(folder)/my film ü.mp4"])
            #expect(expanded("file://\(folder)/100%25.mp4") == ["\(folder)/100%.mp4"])
            // Not escaped at all, as people type it.
            #expect(expanded("file://\(folder)/100%.mp4") == ["\(folder)/100%.mp4"])
        }
    }

    @Test("A file URL may have any form that RFC 8089 allows")
    func formsOfAddress() throws {
        try withFolder(["film.mp4"]) { folder in
            var name = [CChar](repeating: 0, count: 256)
            #expect(gethostname(&name, 255) == 0)
            let host = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            for form in [
                "file://", "file:", "FILE://", "File:", "file://localhost", "file://LocalHost", "file://\(host)",
            ] {
                let location = "\(form)\(folder)/film.mp4"
                #expect(expanded(location) == ["\(folder)/film.mp4"], "\(location)")
                #expect(!isAddress(location))
                #expect(BytePath(location: location).bytes == Array("\(folder)/film.mp4".utf8))
            }
            #expect(reason("file://elsewhere\(folder)/film.mp4") == "no such file or directory")
            #expect(reason("file:film.mp4") == "no such file or directory")
        }
    }

    @Test("A path that looks like a file URL is passed as the URL of that path")
    func misleadingPaths() {
        for path in ["file:/a", "file://a", "FILE:///a", "localhost/a\u{FF}", "/file:/a", "http://a"] {
            let path = BytePath(path)
            #expect(BytePath(location: path.location) == path, "\(path.location)")
        }
        let odd = BytePath(bytes: Array("localhost/".utf8) + [0xFF])
        #expect(BytePath(location: odd.location) == odd, "\(odd.location)")
    }

    @Test("Arguments that are not valid UTF-8 become URLs of the same files, also as values of options")
    func bytes() {
        func texts(_ arguments: [UInt8]...) -> [String] { ArgumentText.texts(of: arguments) }
        let odd: [UInt8] = [0xFF, 0xFE]
        #expect(texts(Array("film ü.mp4".utf8), Array("--loop".utf8)) == ["film ü.mp4", "--loop"])
        #expect(texts(Array("/a/".utf8) + odd + Array(".mp4".utf8)) == ["file:///a/%FF%FE.mp4"])
        #expect(texts(odd) == ["file://%FF%FE"])
        #expect(texts(Array("--report".utf8), odd) == ["--report", "file://%FF%FE"])
        #expect(texts(Array("--report=/a/".utf8) + odd) == ["--report=file:///a/%FF%FE"])
        #expect(texts(Array("--screenshot".utf8), Array("3=/".utf8) + odd) == ["--screenshot", "3=file:///%FF%FE"])
        #expect(texts(Array("--screenshot=3=/".utf8) + odd) == ["--screenshot=3=file:///%FF%FE"])
        // The option has its value already.
        #expect(
            texts(Array("--screenshot=3=a.png".utf8), Array("/a=".utf8) + odd).last == "file:///a%3D%FF%FE")
        #expect(texts(Array("http://host/".utf8) + odd) == ["http://host/%FF%FE"])
        #expect(texts(Array("file:///a b/".utf8) + odd) == ["file:///a b/%FF%FE"])
        for text in texts(odd, Array("sub/".utf8) + odd) { #expect(BytePath(location: text).bytes.suffix(2) == odd) }
    }

    @Test("Messages quote a name that is not valid UTF-8 as a shell would, absolute or relative as given")
    func quoted() {
        func message(_ path: [UInt8]) -> String {
            let location = ArgumentText.texts(of: [path]).first ?? ""
            do throws(MediaArguments.Failure) { return try MediaArguments.expand(location).joined() } catch {
                return error.description
            }
        }
        let reason = ": no such file or directory"
        #expect(message([0xE9] + Array("x.mp4".utf8)) == #"$'\xe9x.mp4'"# + reason)
        #expect(message(Array("./".utf8) + [0xE9] + Array("x.mp4".utf8)) == #"$'./\xe9x.mp4'"# + reason)
        #expect(message(Array("/no/ü".utf8) + [0xE9] + Array("a'\\".utf8)) == #"$'/no/ü\xe9\x61\'\\'"# + reason)
        #expect(
            message([0xFF, 0x0A, 0xC3] + Array("z\u{202E}.mp4".utf8)) == #"$'\xff\x0a\xc3z\xe2\x80\xae.mp4'"# + reason)
        // Names that only look like it, and addresses that were typed, stay as they are.
        #expect(message(Array("%E9x.mp4".utf8)) == "%E9x.mp4" + reason)
        #expect(message(Array("file:///no/x.mp4".utf8)) == "file:///no/x.mp4" + reason)
        #expect(ShownLocation.text(StandardInput.location) == "standard input")
        #expect(ShownLocation.text("") == "\"\"")
    }

    @Test("Media in a folder whose names are not valid text are passed as file URLs")
    func notText() throws {
        try withFolder(["a.mp4"]) { folder in
            let descriptor = open(
                folder.utf8CString.dropLast() + [0x2F, -1] + ".mp4".utf8CString, O_CREAT | O_WRONLY, 0o600)
            try #require(descriptor >= 0)
            close(descriptor)
            #expect(try MediaArguments.expand(folder) == ["\(folder)/a.mp4", "file://\(folder)/%FF.mp4"])
        }
    }

    @Test("Of the files that are not media, subtitles and comments are told apart by their extension")
    func extensions() {
        for name in ["film.xml", "/a/b.XML"] { #expect(MediaArguments.isComments(name)) }
        for name in ["film.ass", "film.srt", "film.xml.mp4", "xml", ""] { #expect(!MediaArguments.isComments(name)) }
        for name in [
            "film.sub", "film.idx", "film.smi", "film.SAMI", "film.lrc", "film.sup", "film.mks", "film.ttml",
            "film.ass",
            "file:///a/film.srt",
        ] {
            #expect(MediaArguments.isSubtitles(name), "\(name)")
        }
        for name in ["film.mkv", "film.xml", "http://host/film.srt", "sub"] {
            #expect(!MediaArguments.isSubtitles(name), "\(name)")
        }
    }

    @Test("Of dropped files, those with the extension of a video or a playlist are accepted")
    func dropped() throws {
        try withFolder(["film.mp4", "film.m3u8", "film.MPD", "film.txt", "film"]) { folder in
            for name in ["film.mp4", "film.m3u8", "film.MPD"] {
                let media = try MediaArguments.expandNamed("\(folder)/\(name)")
                #expect(names(media, in: folder) == [name])
            }
            for name in ["film.txt", "film"] {
                #expect(throws: MediaArguments.Failure.self) { try MediaArguments.expandNamed("\(folder)/\(name)") }
            }
        }
    }

    @Test("URLs are left alone", arguments: ["http://host/a b.mp4", "https://host/", "rtmp://h/x", "nosuch://x"])
    func address(location: String) throws {
        #expect(expanded(location) == [location])
    }

    @Test("Each reason for a missing file has its own message")
    func failures() throws {
        try withFolder(["readme.txt"]) { folder in
            #expect(reason(folder) == "no media in this folder")
            #expect(reason(folder + "/missing.mp4") == "no such file or directory")
            #expect(reason(folder + "/readme.txt/x.mp4") == "not a directory")
            #expect(reason("") == "no such file or directory")
            #expect(reason(folder + "/" + String(repeating: "x", count: 300)) == "file name too long")
            try Data().write(to: URL(fileURLWithPath: folder + "/empty.mp4"))
            #expect(reason(folder + "/empty.mp4") == "the file is empty")
            #expect(symlink("loop", folder + "/loop") == 0)
            #expect(reason(folder + "/loop") == "too many levels of symbolic links")
        }
    }

    @Test("A file without read permission is reported as such", .enabled(if: getuid() != 0, "root reads everything"))
    func unreadable() throws {
        try withFolder(["a.mp4"]) { folder in
            chmod(folder + "/a.mp4", 0)
            #expect(reason(folder + "/a.mp4") == "permission denied")
            chmod(folder, 0o300)
            #expect(reason(folder) == "permission denied")
            chmod(folder, 0o700)
        }
    }
}
