import Foundation
import TestSupport
import Testing

/// That a program which uses the library finds a comment at everything that it can call.
@Suite("Documentation of public declarations") struct DocumentationTests {
    /// Modules that other programs can import, or that these are built upon: all below the program's own.
    private static let library = StructureTests.levels.prefix { $0 != ["App"] }.flatMap { $0 }

    /// What the standard library's protocols require means the same everywhere.
    private static let standard: Set = [
        "hash", "encode", "rawValue", "description", "next", "makeIterator", "==", "<", "+", "-",
    ]

    private struct File {
        let path: String
        let declarations: [Declaration]
    }

    private static func files() throws -> [File] {
        let folder = Repository.root.appending(path: "Sources")
        return try StructureTests.sources().map { source in
            let text = try String(contentsOf: folder.appending(path: source.path), encoding: .utf8)
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            return File(path: source.path, declarations: Declaration.all(in: lines))
        }
    }

    /// What types inherit, require and contain, by their names, from all files.
    private struct Types {
        var inherited: [String: Set<String>] = [:]
        var requirements: [String: Set<String>] = [:]
        var properties: [String: Set<String>] = [:]

        init(_ files: [File]) {
            for declaration in files.flatMap(\.declarations) {
                if declaration.isType {
                    inherited[declaration.name, default: []].formUnion(declaration.inherited)
                }
                guard let owner = declaration.owners.last else { continue }
                if owner.keyword == "protocol" { requirements[owner.name, default: []].insert(declaration.name) }
                if ["var", "let"].contains(declaration.keyword) {
                    properties[owner.name, default: []].insert(declaration.name)
                }
            }
        }

        /// A type and all that it inherits from.
        func ancestors(of name: String) -> Set<String> {
            var (found, rest): (Set<String>, _) = ([name], [name])
            while let next = rest.popLast() {
                for name in inherited[next, default: []] where found.insert(name).inserted { rest.append(name) }
            }
            return found
        }
    }

    /// Whether a declaration must have a comment of its own. All that are public do, and the requirements of public protocols, but
    /// - overriding ones, and those that a protocol or a superclass of ours requires: it is documented there;
    /// - those that the standard library's protocols require;
    /// - initializers of which all parameters are called like properties, which are documented, or that have none.
    ///
    /// Cases are left to the comment of their enumeration: many say all by their name.
    private static func needsComment(_ declaration: Declaration, _ types: Types) -> Bool {
        let owner = declaration.owners.last
        let isRequirement = owner?.keyword == "protocol" && owner?.isPublic == true
        guard declaration.isPublic || isRequirement, declaration.keyword != "extension" else { return false }
        if declaration.modifiers.contains("override") || standard.contains(declaration.name) { return false }
        guard let owner else { return true }
        let ancestors = types.ancestors(of: owner.name)
        if owner.keyword != "protocol",
            ancestors.contains(where: { types.requirements[$0]?.contains(declaration.name) == true })
        {
            return false
        }
        guard declaration.keyword == "init" else { return true }
        let properties = ancestors.reduce(into: Set<String>()) { $0.formUnion(types.properties[$1, default: []]) }
        return !properties.isSuperset(of: declaration.parameters) && declaration.parameters != ["decoder"]
    }

    @Test("Every public declaration of the library has a comment that says what it is")
    func publicDeclarationsAreDocumented() throws {
        let files = try Self.files()
        let types = Types(files)
        for file in files where Self.library.contains(String(file.path.prefix { $0 != "/" })) {
            for declaration in file.declarations where !declaration.hasComment {
                let isMissing = Self.needsComment(declaration, types)
                #expect(!isMissing, "\(file.path):\(declaration.line): \(declaration.keyword) \(declaration.name)")
            }
        }
    }

    @Test("Declarations are told from other lines, with their comments, owners and parameters")
    func declarationsAreFound() throws {
        let text = """
            /// A thing.
            @MainActor public final class Thing<Part>: Base, @MainActor Other.Kind {
                @exclusivity(unchecked) public private(set) var count = 0
                /// Documented.
                // And more.
                @discardableResult
                public static func make(
                    from text: String
                ) -> Thing {
                    let count = 1
                    return Thing(count: count)
                }

                public init(count: Int = 0, of parts: (Int, Part)) {}
                public convenience init() {}
            }
            public func free() {}
            """
        let found = Declaration.all(in: text.split(separator: "\n", omittingEmptySubsequences: false))
        #expect(found.map(\.name) == ["Thing", "count", "make", "init", "init", "free"])
        #expect(found.map(\.hasComment) == [true, false, true, false, false, false])
        #expect(found.map(\.isPublic) == [true, true, true, true, true, true])
        #expect(found[0].inherited == ["Base", "Kind"])
        #expect(found[3].parameters == ["count", "parts"])
        #expect(found[4].parameters.isEmpty)
        #expect(found.map { $0.owners.last?.name } == [nil] + Array(repeating: "Thing", count: 4) + [nil])
    }
}
