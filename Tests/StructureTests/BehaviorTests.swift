import Foundation
import GlissadeTestSupport
import Testing

/// That the tests that `Docs/Behaviors.md` names exist.
@Suite("Table of behaviors") struct BehaviorTests {
    /// A test or suite, as the table names it: its file's folder and name, and its title.
    private struct Reference {
        let folder: String
        let file: String
        let title: String
    }

    /// A line of the table.
    private struct Line {
        let behavior: String
        let place: String
        /// Nil if the last cell is not a list of tests.
        let references: [Reference]?

        init?(_ text: Substring) {
            guard text.hasPrefix("| "), text.hasSuffix(" |") else { return nil }
            let cells = text.dropFirst(2).dropLast(2).components(separatedBy: " | ")
            guard cells.count == 3, cells[0] != "Behavior" else { return nil }
            (behavior, place) = (cells[0], cells[1])
            references = Self.references(cells[2])
        }

        /// Reads a list such as ``` `Folder/File` "title", "title"; `Folder/File` "title" ```.
        private static func references(_ text: String) -> [Reference]? {
            let file = /`(\w+)\/(\w+)` ((?:"[^"]+"(?:, )?)+)(?:; )?/
            var (rest, found): (Substring, [Reference]) = (text[...], [])
            while let match = rest.prefixMatch(of: file) {
                for title in match.output.3.matches(of: /"([^"]+)"/) {
                    found.append(
                        Reference(
                            folder: String(match.output.1), file: String(match.output.2), title: String(title.output.1))
                    )
                }
                rest = rest[match.range.upperBound...]
            }
            return rest.isEmpty ? found : nil
        }
    }

    private static func lines() throws -> [Line] {
        let text = try String(contentsOf: Repository.root.appending(path: "Docs/Behaviors.md"), encoding: .utf8)
        return text.split(separator: "\n").compactMap { Line($0) }
    }

    @Test("Every behavior has a place and names a test")
    func complete() throws {
        let lines = try Self.lines()
        #expect(lines.count > 100)
        for line in lines {
            #expect(!line.place.isEmpty && line.references?.isEmpty == false, "\(line.behavior)")
        }
    }

    @Test("Every test that the table names exists, in the file that it names")
    func existing() throws {
        let folder = Repository.root.appending(path: "Tests")
        let paths = Dictionary(grouping: try StructureTests.tests.get().map(\.path)) { path in
            "\(path.prefix { $0 != "/" })/\((path as NSString).lastPathComponent)"
        }
        var titles: [String: Set<String>] = [:]
        for reference in try Self.lines().flatMap({ $0.references ?? [] }) {
            let name = "\(reference.folder)/\(reference.file).swift"
            guard let path = paths[name]?.first else {
                Issue.record("no file is \(name)")
                continue
            }
            if titles[name] == nil {
                let text = try String(contentsOf: folder.appending(path: path), encoding: .utf8)
                titles[name] = Set(text.matches(of: /@(?:Test|Suite)\s*\(\s*"([^"]*)"/).map { String($0.output.1) })
            }
            #expect(titles[name]?.contains(reference.title) == true, "\(name) has no “\(reference.title)”")
        }
    }
}
