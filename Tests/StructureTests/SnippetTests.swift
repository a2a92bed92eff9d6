import Foundation
import GlissadeTestSupport
import Testing

/// The examples in `Snippets`, which the package's build compiles and links.
@Suite("Snippets") struct SnippetTests {
    @Test("Every snippet that opens no window runs to its end and prints something")
    func snippetsRun() throws {
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let folder = URL(filePath: tests).deletingLastPathComponent()
        for snippet in try StructureTests.sources(in: "Snippets") where !snippet.imports.contains("Windowing") {
            let process = Process()
            process.executableURL = folder.appending(path: String(snippet.path.dropLast(".swift".count)))
            process.currentDirectoryURL = Repository.root
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationReason == .exit && process.terminationStatus == 0, "\(snippet.path)")
            #expect(!text.isEmpty, "\(snippet.path)")
        }
    }
}
