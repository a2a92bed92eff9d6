/// An element of a tree-structured file. Its content is either bytes or other elements.
struct Element<Header: Hashable & Sendable>: Hashable, Sendable {
    enum Content: Hashable, Sendable {
        case bytes([UInt8])
        /// Bytes of the element itself, followed by its child elements.
        case elements(prefix: [UInt8], [Element])
    }

    var header: Header
    var content: Content

    var children: [Element] {
        if case .elements(_, let children) = content { children } else { [] }
    }

    var isContainer: Bool {
        if case .elements = content { true } else { false }
    }

    /// The number of elements in the subtree, including this one.
    var count: Int { children.reduce(1) { $0 + $1.count } }
}

/// A file's top-level elements with their subtrees, and mutations of this structure.
struct Forest<Header: Hashable & Sendable>: Hashable, Sendable {
    /// The maximum depth to parse. Deeper elements stay bytes, so that extreme nesting cannot exhaust the stack.
    static var deepest: Int { 96 }
    /// The number of elements beyond which mutations no longer duplicate or nest elements.
    static var mostElements: Int { 20_000 }

    var roots: [Element<Header>]

    /// The paths of all elements. A path lists the index at each level, from the root down.
    var paths: [[Int]] {
        var paths: [[Int]] = []
        func visit(_ elements: [Element<Header>], _ path: [Int]) {
            for (index, element) in elements.enumerated() {
                paths.append(path + [index])
                visit(element.children, path + [index])
            }
        }
        visit(roots, [])
        return paths
    }

    subscript(path: [Int]) -> Element<Header> {
        get { path.dropFirst().reduce(roots[path[0]]) { $0.children[$1] } }
        set { replace(at: path, with: [newValue]) }
    }

    /// Replaces the element at `path` with any number of elements.
    mutating func replace(at path: [Int], with elements: [Element<Header>]) {
        Self.edit(&roots, path[...]) { $0.replaceSubrange($1...$1, with: elements) }
    }

    mutating func removeAll(where isUnwanted: (Element<Header>) -> Bool) {
        func kept(_ elements: [Element<Header>]) -> [Element<Header>] {
            elements.filter { !isUnwanted($0) }.map { element in
                guard case .elements(let prefix, let children) = element.content else { return element }
                return Element(header: element.header, content: .elements(prefix: prefix, kept(children)))
            }
        }
        roots = kept(roots)
    }

    /// Inserts `element` before the element at `path`.
    mutating func insert(_ element: Element<Header>, before path: [Int]) {
        Self.edit(&roots, path[...]) { $0.insert(element, at: $1) }
    }

    private static func edit(
        _ elements: inout [Element<Header>], _ path: ArraySlice<Int>,
        _ body: (inout [Element<Header>], Int) -> Void
    ) {
        guard let index = path.first else { return }
        if path.count == 1 { return body(&elements, index) }
        guard case .elements(let prefix, var children) = elements[index].content else { return }
        edit(&children, path.dropFirst(), body)
        elements[index].content = .elements(prefix: prefix, children)
    }

    // MARK: - Changes

    /// Deletes, duplicates, moves, swaps or nests an element at random.
    mutating func rearrange(using random: inout SeededRandom) {
        let paths = paths
        guard !paths.isEmpty else { return }
        let place = random.pick(paths)
        let element = self[place]
        switch random.below(5) {
        case 0: replace(at: place, with: [])
        case 1:
            let times = random.oneIn(4) ? 2 + random.below(60) : 2
            guard element.count * times + paths.count <= Self.mostElements else { return }
            replace(at: place, with: Array(repeating: element, count: times))
        case 2:
            let target = random.pick(paths)
            // Does not move an element into itself; `nest` does something similar.
            guard !target.starts(with: place) else { return }
            insert(element, before: target)
            // The insertion has shifted the elements after `target` by one, and `place` may be among them.
            replace(at: Self.moved(place, byInsertingAt: target), with: [])
        case 3:
            let other = random.pick(paths)
            guard !other.starts(with: place), !place.starts(with: other) else { return }
            let second = self[other]
            self[other] = element
            self[place] = second
        default: nest(element, at: place, using: &random)
        }
    }

    private static func moved(_ path: [Int], byInsertingAt target: [Int]) -> [Int] {
        let level = target.count - 1
        guard path.count > level, path.prefix(level).elementsEqual(target.prefix(level)), path[level] >= target[level]
        else { return path }
        var path = path
        path[level] += 1
        return path
    }

    /// Nests an element in a copy of itself, once or several times.
    private mutating func nest(_ element: Element<Header>, at place: [Int], using random: inout SeededRandom) {
        guard case .elements(let prefix, let children) = element.content else { return }
        var nested = element
        let times = random.oneIn(4) ? 1 + random.below(24) : 1
        for _ in 0..<times where nested.count * 2 <= Self.mostElements && place.count + times < Self.deepest {
            nested = Element(header: element.header, content: .elements(prefix: prefix, [nested] + children.prefix(8)))
        }
        self[place] = nested
    }
}
