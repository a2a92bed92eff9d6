import Foundation
import GlissadeTestSupport
import Testing

/// What ARCHITECTURE.md promises of the sources' layout, read from the sources themselves.
@Suite("Structure of the sources") struct StructureTests {
    /// Modules by level. A module may import only modules of lower levels.
    static let levels: [[String]] = [
        ["Geometry", "Time"],
        ["Animation", "Input", "Platform", "Picture"],
        ["Layers", "Gestures", "Audio", "Media", "Danmaku", "PixelConversion", "Settings", "History", "Desktop"],
        ["Rendering", "Navigation", "Controls", "Text", "Library", "DanmakuFiles"],
        ["Presentation", "Playback"],
        ["Film", "Windowing", "Subtitles"],
        ["Floating"],
        ["App"],
        ["Benchmark"],
        ["glissade"],
    ]
    /// Modules without C libraries, threads or clocks.
    static let pure = [
        "Geometry", "Time", "Animation", "Input", "Picture", "Layers", "Gestures", "Navigation", "Controls", "Danmaku",
    ]

    static let modules = levels.flatMap { $0 }

    struct Source: Sendable {
        let path: String
        let module: String
        /// Without the prefix of our modules.
        let imports: [String]
    }

    private static let program = Result { try sources(in: "Sources") }
    static let tests = Result { try sources(in: "Tests") }

    /// Every Swift file below `folder`.
    static func sources(in folder: String) throws -> [Source] {
        let folder = Repository.root.appending(path: folder)
        let paths = try #require(FileManager.default.enumerator(atPath: folder.path)).compactMap { $0 as? String }
        return try paths.filter { $0.hasSuffix(".swift") }.map { path in
            let lines = try String(contentsOf: folder.appending(path: path), encoding: .utf8).split(
                separator: "\n", omittingEmptySubsequences: false)
            // The substring test spares most lines the much slower match.
            let imports = lines.filter { $0.utf8.count < 120 && $0.contains("import ") }.compactMap { line in
                line.wholeMatch(
                    of: /(?:(?:public|package|internal|@preconcurrency|@testable) )*import (?:\w+ )?(\w+)(?:\.\w+)?/
                ).map { String($0.1.trimmingPrefix("Glissade")) }
            }
            return Source(path: path, module: String(path.prefix { $0 != "/" }), imports: imports)
        }
    }

    @Test("Every folder of sources is a module with a level")
    func everyModuleHasALevel() throws {
        let found = Set(try Self.program.get().map(\.module))
        #expect(found == Set(Self.modules))
    }

    @Test("An import only points to a module of a lower level")
    func importsPointDownwards() throws {
        let level = Dictionary(
            uniqueKeysWithValues: Self.levels.enumerated().flatMap { index, names in names.map { ($0, index) } })
        for source in try Self.program.get() {
            let own = try #require(level[source.module], "\(source.path)")
            for name in source.imports {
                guard let other = level[name] else { continue }
                #expect(other < own, "\(source.path) imports \(name)")
            }
        }
    }

    @Test("A pure module imports no C library and nothing of the system but its mathematics")
    func pureModulesImportNoC() throws {
        let allowed = Set(Self.modules)
        for source in try Self.program.get() where Self.pure.contains(source.module) {
            for name in source.imports {
                #expect(allowed.contains(name), "\(source.path) imports \(name)")
                #expect(name != "Platform", "\(source.path) imports \(name)")
            }
        }
    }

    @Test("Every suite has a title, and every test name starts like a sentence")
    func suitesAndTestsAreNamed() throws {
        let folder = Repository.root.appending(path: "Tests")
        for source in try Self.tests.get() where source.module != "StructureTests" {
            let text = try String(contentsOf: folder.appending(path: source.path), encoding: .utf8)
            for attribute in ["@Suite", "@Test"] {
                for rest in text.components(separatedBy: attribute).dropFirst() {
                    let start = rest.prefix(200).drop { $0 == "(" || $0.isWhitespace }
                    let isNamed = start.first == "\"" && start.dropFirst().first?.isLowercase == false
                    #expect(isNamed || rest.first?.isLetter == true, "\(source.path): \(attribute)\(rest.prefix(60))")
                }
            }
        }
    }
}
