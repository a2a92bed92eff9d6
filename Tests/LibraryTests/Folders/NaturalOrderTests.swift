import Testing

@testable import GlissadeLibrary

/// In which order names stand.
@Suite("Natural order")
struct NaturalOrderTests {
    @Test(
        "Names are sorted in natural order",
        arguments: [
            ["2", "10", "100"],
            ["part 1", "Part 2", "part 10"],
            ["1.9", "1.10", "2"],
            ["a", "B", "c"],
            ["film.mkv", "film 2.mkv", "film 10.mkv"],
            ["e", "éa", "f", "z", "Ω", "я"],
            ["Œdipe", "of", "Zoe", "zoo"],
            ["strasse 1", "straße 2", "strasse 3"],
            ["ắ", "ăb", "ac"],
            ["е", "ёж", "ж"],
            ["!", "-", "1", "_", "a"],
            ["", "a", "aa"],
            ["٢", "10", "１１"],
            ["x99999999999999999999999", "x100000000000000000000000"],
            ["٠١", "2"],
            ["s01e09", "S01E10", "s1e11", "s2e1"],
        ])
    func order(names: [String]) {
        let shuffled = Array(names.reversed())
        #expect(NaturalOrder.sorted(shuffled) { Array($0.utf8) } == names)
    }

    @Test("Names that compare equal are ordered by their bytes")
    func ties() {
        let names = ["A", "a", "á", "a\u{301}", "01", "1", "001"]
        let sorted = NaturalOrder.sorted(names) { Array($0.utf8) }
        #expect(NaturalOrder.sorted(names.reversed()) { Array($0.utf8) } == sorted)
        #expect(sorted.prefix(3) == ["001", "01", "1"])
        for (a, b) in zip(sorted, sorted.dropFirst()) { #expect(NaturalOrder(a) < NaturalOrder(b)) }
    }

    @Test("The order of any three names is transitive, whatever is in them")
    func isTotal() {
        var state: UInt32 = 3
        func random(_ limit: UInt32) -> UInt32 {
            state = state &* 1_664_525 &+ 1_013_904_223
            return (state >> 8) % limit
        }
        let alphabet: [UInt8] = Array("a0A1 9._".utf8) + [0xC3, 0xA9, 0xFF, 0xCC, 0x81]
        let keys = (0..<120).map { _ in
            NaturalOrder((0..<random(6)).map { _ in alphabet[Int(random(UInt32(alphabet.count)))] })
        }
        for a in keys {
            #expect(!(a < a))
            for b in keys {
                #expect((a < b) != (b < a) || a == b)
                for c in keys where a < b && b < c { #expect(a < c) }
            }
        }
    }
}
