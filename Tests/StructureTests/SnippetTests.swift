import Foundation
import GlissadeTestSupport
import Testing

/// The examples in `Snippets`, which the package's build compiles and links.
@Suite("Snippets") struct SnippetTests {
    /// The modules of the product `Glissade`.
    private static func modulesOfTheLibrary() throws -> Set<String> {
        let manifest = try String(contentsOf: Repository.root.appending(path: "Package.swift"), encoding: .utf8)
        let product = try #require(manifest.firstMatch(of: /name: "Glissade",\s*targets: \[([^\]]*)\]/))
        return Set(product.1.matches(of: /"(\w+)"/).map { String($0.1) })
    }

    private static func lines(of source: StructureTests.Source) throws -> [Substring] {
        let path = Repository.root.appending(path: "Snippets").appending(path: source.path)
        return try String(contentsOf: path, encoding: .utf8).split(separator: "\n")
    }

    @Test("Every module of the library has a snippet that uses it, and each begins with what it shows")
    func everyModuleIsShown() throws {
        let snippets = try StructureTests.sources(in: "Snippets")
        let shown = Set(snippets.flatMap(\.imports))
        #expect(try Self.modulesOfTheLibrary().subtracting(shown).isEmpty)
        for snippet in snippets {
            #expect(try Self.lines(of: snippet).first?.wholeMatch(of: /\/\/! [A-Z].*\./) != nil, "\(snippet.path)")
        }
    }

    @Test("A snippet imports modules of the library alone, beside Foundation")
    func snippetsUseTheLibraryAlone() throws {
        let modules = try Self.modulesOfTheLibrary().union(["Foundation"])
        for snippet in try StructureTests.sources(in: "Snippets") {
            #expect(Set(snippet.imports).isSubset(of: modules), "\(snippet.path)")
        }
    }

    @Test("A display list is drawn by a program that imports geometry, layers, pictures and renderers alone")
    func drawingNeedsFourModules() throws {
        let snippet = try #require(
            try StructureTests.sources(in: "Snippets").first { $0.path == "DrawIntoMemory.swift" })
        #expect(Set(snippet.imports) == ["Geometry", "Layers", "Picture", "Rendering"])
    }

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
