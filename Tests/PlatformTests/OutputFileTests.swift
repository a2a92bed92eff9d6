import Foundation
import Glibc
import Testing

@testable import GlissadePlatform

/// glibc's, which Swift's importer does not show: for whom files are looked at, of the calling thread alone. Returns who it was.
@_silgen_name("setfsuid") private func setFileUser(_ user: uid_t) -> CInt

@Suite("Output files") struct OutputFileTests {
    private static func withFolder<R>(_ body: (String) throws -> R) throws -> R {
        let folder = NSTemporaryDirectory() + "/glissade-output-\(getpid())-\(UInt32.random(in: 0 ... .max))"
        #expect(mkdir(folder, 0o700) == 0)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        return try body(folder)
    }

    private static func names(_ folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }

    private static func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test("A new file is written completely, and an existing one is replaced and keeps its mode")
    func files() throws {
        try Self.withFolder { folder in
            try OutputFile.write(Array("first".utf8), to: folder + "/a")
            #expect(chmod(folder + "/a", 0o640) == 0)
            try OutputFile.write(Array("2".utf8), to: folder + "/a")
            #expect(try Self.text(folder + "/a") == "2")
            var status = stat()
            #expect(stat(folder + "/a", &status) == 0 && status.st_mode & 0o777 == 0o640)
            try OutputFile.write([], to: folder + "/empty")
            #expect(try Self.names(folder) == ["a", "empty"])
        }
    }

    @Test("A link at the destination is replaced, not followed")
    func links() throws {
        try Self.withFolder { folder in
            try OutputFile.write(Array("mine".utf8), to: folder + "/target")
            #expect(symlink("target", folder + "/link") == 0)
            try OutputFile.write(Array("report".utf8), to: folder + "/link")
            #expect(try Self.text(folder + "/target") == "mine")
            #expect(try Self.text(folder + "/link") == "report")
            var status = stat()
            #expect(lstat(folder + "/link", &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
        }
    }

    @Test("A failed write leaves nothing behind and says why")
    func failing() throws {
        try Self.withFolder { folder in
            #expect(throws: OutputFile.Failure(description: "no such file or directory")) {
                try OutputFile.write([1], to: folder + "/missing/a")
            }
            #expect(throws: OutputFile.Failure(description: "is a directory")) { try OutputFile.write([1], to: folder) }
            #expect(throws: OutputFile.Failure(description: "no space left on device")) {
                try OutputFile.write([1], to: "/dev/full")
            }
            // A disk without room: so much may be written, and no more.
            var usual = rlimit()
            #expect(getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &usual) == 0)
            var small = rlimit(rlim_cur: 10, rlim_max: usual.rlim_max)
            let handler = signal(SIGXFSZ, SIG_IGN)
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &small) == 0)
            let result = Result { () throws(OutputFile.Failure) in
                try OutputFile.write([UInt8](repeating: 0, count: 100), to: folder + "/large")
            }
            #expect(setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &usual) == 0)
            signal(SIGXFSZ, handler)
            #expect(throws: OutputFile.Failure(description: "file too large")) { try result.get() }
            let left = try Self.names(folder)
            #expect(left.isEmpty)
        }
    }

    /// Nobody of importance: for root, whom no mode keeps from anything.
    private static let nobody: uid_t = geteuid() == 0 ? 65534 : geteuid()

    /// Whether files can be looked at as somebody whom their modes concern.
    private static let hasNobody = asNobody { faccessat(AT_FDCWD, "/etc/passwd", W_OK, AT_EACCESS) != 0 }

    private static func asNobody<R>(_ body: () throws -> R) rethrows -> R {
        let before = setFileUser(nobody)
        defer { _ = setFileUser(uid_t(before)) }
        return try body()
    }

    /// A file of nobody's in a folder of nobody's.
    private static func withOld<R>(mode: mode_t, folderMode: mode_t = 0o700, _ body: (String) throws -> R) throws -> R {
        try withFolder { folder in
            let path = folder + "/old"
            try "old text".write(toFile: path, atomically: false, encoding: .utf8)
            #expect(chown(path, nobody, gid_t.max) == 0 && chmod(path, mode) == 0)
            #expect(chown(folder, nobody, gid_t.max) == 0 && chmod(folder, folderMode) == 0)
            defer { chmod(folder, 0o700) }
            return try body(path)
        }
    }

    @Test("A file without write permission is not replaced", .enabled(if: hasNobody, "root may write all"))
    func readOnly() throws {
        try Self.withOld(mode: 0o444) { path in
            #expect(throws: OutputFile.Failure(description: "permission denied")) {
                try Self.asNobody { try OutputFile.write([1], to: path) }
            }
            let (text, left) = (try Self.text(path), try Self.names(BytePath(path).parent.displayPath))
            #expect(text == "old text" && left == ["old"])
        }
    }

    @Test(
        "A writable file in a read-only folder is written, and a new one there is refused",
        .enabled(if: hasNobody, "root may write all"))
    func readOnlyFolder() throws {
        try Self.withOld(mode: 0o600, folderMode: 0o500) { path in
            try Self.asNobody { try OutputFile.write(Array("new".utf8), to: path) }
            #expect(try Self.text(path) == "new")
            #expect(throws: OutputFile.Failure(description: "permission denied")) {
                try Self.asNobody { try OutputFile.write([1], to: path + "er") }
            }
        }
    }

    @Test("Leftovers of a killed run do not get in the way")
    func leftover() throws {
        try Self.withFolder { folder in
            try Data("left".utf8).write(to: URL(fileURLWithPath: "\(folder)/.glissade-\(getpid()).part"))
            try OutputFile.write(Array("text".utf8), to: folder + "/a")
            #expect(try Self.text(folder + "/a") == "text")
        }
    }

    @Test("A file that is a mount point, which cannot be replaced, is overwritten")
    func mounted() throws {
        try Self.withFolder { folder in
            try OutputFile.write(Array("a longer text".utf8), to: folder + "/a")
            func refuse(_: UnsafePointer<CChar>, _: UnsafePointer<CChar>) -> CInt {
                errno = EBUSY
                return -1
            }
            try OutputFile.write(Array("text".utf8), to: BytePath(folder + "/a"), replace: refuse)
            #expect(try Self.text(folder + "/a") == "text")
            #expect(try Self.names(folder) == ["a"])
            #expect(throws: OutputFile.Failure(description: "device or resource busy")) {
                try OutputFile.write([1], to: BytePath(folder + "/new"), replace: refuse)
            }
            #expect(try Self.names(folder) == ["a"])
        }
    }

    @Test("A file with several hard links keeps them and its mode, whatever the umask")
    func names() throws {
        try Self.withFolder { folder in
            try OutputFile.write(Array("a longer text".utf8), to: folder + "/a")
            #expect(link(folder + "/a", folder + "/b") == 0)
            try OutputFile.write(Array("text".utf8), to: folder + "/a")
            #expect(try Self.text(folder + "/a") == "text")
            #expect(try Self.text(folder + "/b") == "text")
            #expect(unlink(folder + "/b") == 0 && chmod(folder + "/a", 0o666) == 0)
            try OutputFile.write(Array("once more".utf8), to: folder + "/a")
            var status = stat()
            #expect(stat(folder + "/a", &status) == 0 && status.st_mode & 0o777 == 0o666)
        }
    }

    @Test("A file of another user is not changed", .enabled(if: geteuid() == 0, "only root can give files away"))
    func owner() throws {
        try Self.withOld(mode: 0o600) { path in
            try OutputFile.write(Array("new".utf8), to: path)
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_uid == Self.nobody)
            #expect(try Self.text(path) == "new")
        }
    }

    @Test("A pipe and an inherited descriptor are written to")
    func descriptors() throws {
        var ends: [CInt] = [-1, -1]
        #expect(pipe(&ends) == 0)
        defer { close(ends[0]) }
        for path in ["/dev/fd/\(ends[1])", "/proc/self/fd/\(ends[1])"] {
            try OutputFile.write(Array("text".utf8), to: path)
        }
        close(ends[1])
        var bytes = [UInt8](repeating: 0, count: 100)
        let count = read(ends[0], &bytes, bytes.count)
        #expect(String(decoding: bytes.prefix(max(0, count)), as: UTF8.self) == "texttext")
    }
}
