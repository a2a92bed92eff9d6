import Foundation
import Glibc
import Testing

@testable import Host

@Suite("Files that somebody has named to be written") struct OutputFileTests {
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

    @Test("A new file is whole, and one that was there is replaced and keeps its mode")
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

    @Test("A link is not followed: the file takes its place")
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

    @Test("What cannot be written leaves nothing behind, and says why")
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

    @Test("A pipe is written into, and so is what the program was started with")
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
