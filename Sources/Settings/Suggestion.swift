/// Suggests a known name in place of a mistyped one. Pure functions; any thread.
enum Suggestion {
    /// The maximum length of a word to compare, in characters. Comparing longer words would take too long.
    private static let longestWord = 40

    /// Returns a hint such as "; did you mean 'volume'?" with the known name nearest to `word`; an empty string if no
    /// known name is near enough.
    static func words(for word: some StringProtocol, among known: [String]) -> String {
        nearest(to: word, among: known).map { "; did you mean '\($0)'?" } ?? ""
    }

    /// Returns the known name with the smallest edit distance from `word`, ignoring case. If several names are equally
    /// near, returns the first. Returns nil if the distance exceeds a third of the longer word's length, or if `word`
    /// is longer than `longestWord`.
    static func nearest(to word: some StringProtocol, among known: [String]) -> String? {
        guard word.count <= longestWord else { return nil }
        let letters = Array(word.lowercased())
        var best: (name: String, slips: Int)?
        for name in known {
            let slips = distance(letters, Array(name.lowercased()))
            if slips <= max(letters.count, name.count) / 3, slips < best?.slips ?? .max { best = (name, slips) }
        }
        return best?.name
    }

    /// The edit distance between two words, counting transposed neighbors as one edit (optimal string alignment).
    private static func distance(_ a: [Character], _ b: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...b.count)
        for i in a.indices {
            var row = [i + 1]
            for j in b.indices {
                var least = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
                if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { least = min(least, beforeLast[j - 1] + 1) }
                row.append(least)
            }
            (beforeLast, last) = (last, row)
        }
        return last[b.count]
    }
}
